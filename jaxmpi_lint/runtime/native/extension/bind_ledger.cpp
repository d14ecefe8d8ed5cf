// `_native.Ledger`: what the monitor, `status` and `report` see and do.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <optional>

#include "bindings.hpp"
#include "board.hpp"
#include "closing.hpp"
#include "describe.hpp"
#include "futex.hpp"
#include "watched.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

std::string field(const char* text, std::size_t capacity) { return {text, strnlen(text, capacity)}; }

nb::object stacks(Watched& self, std::int32_t rank, double seconds) {
    const std::uint32_t local = self.local_of(rank);
    bool answered = false;
    {
        const nb::gil_scoped_release released;
        answered = self.ask_stacks(local, seconds);
    }
    if (!answered) return nb::none();
    const RankBlock& block = self.ledger().rank(local);
    return nb::steal(PyUnicode_DecodeUTF8(
        block.stacks, static_cast<Py_ssize_t>(strnlen(block.stacks, sizeof block.stacks)), "replace"));
}

void dealt_with(Watched& self, std::uint32_t count) {
    Header& header = self.ledger().header();
    header.reported.store(count, std::memory_order_release);
    header.verdict_serial.fetch_add(1, std::memory_order_acq_rel);
    futex_wake(header.verdict_serial);
}

void suppress(Watched& self, std::uint32_t index) {
    if (index >= kFindings) throw nb::index_error("no such finding");
    self.ledger().header().findings[index].state.store(3, std::memory_order_release);
}

void mark_vanished(Watched& self, std::int32_t rank, std::optional<std::int32_t> status) {
    RankBlock& block = self.ledger().rank(self.local_of(rank));
    if (block.state.load(std::memory_order_acquire) > RankState::kFinalizing) return;
    block.exit_status.store(status.value_or(kUnknownStatus), std::memory_order_relaxed);
    block.state.store(RankState::kVanished, std::memory_order_release);
}

void announce_agreement(Header& header) {
    header.agreements.fetch_add(1, std::memory_order_acq_rel);
    futex_wake(header.agreements);
}

void unite(Watched& self, bool together) {
    Header& header = self.ledger().header();
    header.together.store(together ? Union::kTogether : Union::kApart, std::memory_order_release);
    announce_agreement(header);
}

// What is not newer than what is known changes nothing.
void agree(Watched& self, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& counts) {
    const Ledger& ledger = self.ledger();
    for (std::uint32_t place = 0; place < ledger.layout().communicators; ++place) {
        CommunicatorEntry& entry = ledger.communicator(place);
        const std::uint64_t id = entry.id.load(std::memory_order_acquire);
        for (const auto& [of, count] : counts)
            if (id == of && id != 0 && entry.agreed.load(std::memory_order_relaxed) < count)
                entry.agreed.store(count, std::memory_order_release);
    }
    announce_agreement(ledger.header());
}

// (folder, path of the ledger, whether a process of it is alive) of every job of this user on this host.
std::vector<std::pair<std::string, std::string>> jobs() {
    std::vector<std::pair<std::string, std::string>> found;
    for (const std::string& folder : job_folders())
        if (const std::string ledger = ledger_of(folder); !ledger.empty()) found.emplace_back(folder, ledger);
    return found;
}

}  // namespace

void bind_ledger(nb::module_& m) {
    nb::class_<Watched>(m, "Ledger", "The ledger of a job on this host, read while it runs or from a kept copy.")
        .def(nb::init<const std::string&>(), nb::arg("path"))
        .def(
            "snapshot", [](const Watched& self) { return describe(self); }, "One look at everything: see snapshot.py.")
        .def(
            "history",
            [](const Watched& self, std::int32_t rank, std::size_t count) {
                return describe_history(self, self.local_of(rank), count);
            },
            nb::arg("rank"), nb::arg("count"), "The last calls of a rank, newest last.")
        .def("span_hashes", &span_hashes, nb::arg("identity"), nb::arg("begin"), nb::arg("end"),
             "Of each member of a communicator: its world rank and a hash of its collectives from `begin` to before "
             "`end`, 0 if not all of them are in the history.")
        .def(
            "distant_parts",
            [](const Watched& self, std::int32_t rank, std::size_t count) {
                return describe_distant_parts(self, self.local_of(rank), count);
            },
            nb::arg("rank"), nb::arg("count"),
            "The last parts of collectives with counts that a rank exchanged with other hosts, newest last.")
        .def(
            "formers",
            [](const Watched& self, std::int32_t rank, std::size_t count) {
                return describe_formers(self, self.local_of(rank), count);
            },
            nb::arg("rank"), nb::arg("count"),
            "The last communicators with members on other hosts that a rank has freed, newest last.")
        .def("wait", &Watched::wait, nb::arg("seconds"), nb::call_guard<nb::gil_scoped_release>(),
             R"(Sleep until "alarm", "left", "quiet" or "timeout".)")
        .def("ask_stacks", &stacks, nb::arg("rank"), nb::arg("seconds"),
             "The Python stacks of a rank; None: no answer.")
        .def("claim", &Watched::claim, "Become the monitor of the job; False if there is one.")
        .def("beat", &Watched::beat, "Update the monitor's heartbeat; wait() updates it too.")
        .def(
            "end", [](Watched& self, std::int32_t code, bool everywhere) { end_job(self.ledger(), code, everywhere); },
            nb::arg("exit_code"), nb::arg("everywhere") = false,
            "Make every rank end with an exit code; whether those of other hosts are ended by their own monitors.")
        .def("dealt_with", &dealt_with, nb::arg("count"),
             "The first `count` findings are reported: held ranks continue.")
        .def("suppress", &suppress, nb::arg("index"), "Discard this finding.")
        .def(
            "release", [](Watched& self) { self.ledger().header().released.store(1, std::memory_order_release); },
            "Let the ranks return from MPI_Finalize.")
        .def("unite", &unite, nb::arg("together"), "With `strict`: whether ranks wait for those of other hosts.")
        .def("agree", &agree, nb::arg("counts"),
             "With `strict`: (identity of a communicator, number of its collectives that are equal on all hosts).")
        .def("mark_vanished", &mark_vanished, nb::arg("rank"), nb::arg("status").none(),
             "Record that a rank died silently, and its status if known.")
        .def("local_alive", &Watched::count_alive, "Ranks of this host that still run.")
        .def("copy", &Watched::copy, nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
        .def("unlink", &Watched::remove, "Remove the ledger and the folder of the job, if no rank is left.")
        .def_prop_ro(
            "closing", [](const Watched& self) { return self.ledger().header().closing.load() != 0; },
            "All ranks are in MPI_Finalize or gone and wait for release().")
        .def_prop_ro("path", &Watched::path)
        .def_prop_ro("options",
                     [](const Watched& self) { return field(self.ledger().header().options, sizeof(Header::options)); })
        .def_prop_ro(
            "directory",
            [](const Watched& self) { return field(self.ledger().header().directory, sizeof(Header::directory)); })
        .def_prop_ro(
            "started",
            [](const Watched& self) { return static_cast<double>(self.ledger().header().realtime_at_start) * 1e-9; },
            "Seconds since the epoch.")
        .def_prop_ro(
            "looked", [](const Watched& self) { return self.seconds(self.ledger().header().monitor_beat.load()); },
            "When the monitor last looked, on the monotonic clock.");
    m.def("jobs", &jobs, "(folder, path of its ledger) of every job of this user on this host.");
}

}  // namespace jaxmpi
