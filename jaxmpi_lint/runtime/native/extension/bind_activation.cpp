// Switching this process on from Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "elf_file.hpp"
#include "farewell.hpp"
#include "library.hpp"
#include "lifecycle.hpp"
#include "mapped.hpp"
#include "options.hpp"
#include "relocations.hpp"
#include "thread.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

constexpr char kBetweenWords = '\x1f';

void configure_from_python(const std::string& text, const std::vector<std::string>& monitor,
                           const std::string& unchecked) {
    std::string command;
    for (const std::string& word : monitor) command += (command.empty() ? "" : std::string(1, kBetweenWords)) + word;
    configure(text, command, unchecked);
    watch_start();
}

std::vector<std::string> group_names() {
    std::vector<std::string> names;
    for (const Group group : available_groups()) names.emplace_back(kGroupNames[static_cast<std::size_t>(group)]);
    return names;
}

const char* phase_name() {
    constexpr std::array<const char*, 5> kNames{"off", "loaded", "passive", "active", "finalized"};
    const bool forked = process().process != 0 && process().process != own_process();
    return kNames[forked ? 0 : static_cast<std::size_t>(process().phase.load())];
}

bool initialised() {
    using Ask = int (*)(int*);
    int flag = 0;
    if (const auto ask = reinterpret_cast<Ask>(symbol("PMPI_Initialized"))) ask(&flag);
    return flag != 0;
}

}  // namespace

void bind_activation(nb::module_& m) {
    m.def("configure", &configure_from_python, nb::arg("text"), nb::arg("monitor_command"), nb::arg("unchecked") = "");
    m.def("keep_standard_error", &keep_standard_error);
    m.def("use_library", &use_library, nb::arg("path") = "");
    m.def("load_interposers", &load_interposers);
    m.def("groups", &group_names);
    m.def("phase", &phase_name);
    m.def("mapped_library", [] {
        const auto mapped = mapped_libraries();
        return mapped.empty() ? std::string() : mapped.front().path;
    });
    m.def("mapped_libraries", [] {
        std::vector<std::pair<std::string, std::string>> found;
        for (const MappedLibrary& library : mapped_libraries()) found.emplace_back(library.soname, library.path);
        return found;
    });
    m.def("needed_by", &needed_by);
    m.def("mapped_so_far", &mapped_so_far);
    m.def("rewrite_slots", [] {
        const Rewritten done = rewrite_slots();
        return nb::make_tuple(done.slots, done.callers);
    });
    m.def("initialised", &initialised);
    m.def("farewell", &farewell, nb::arg("text"), nb::arg("raised"), nb::arg("status"));
    m.def("abi", [] { return process().abi == nullptr ? nullptr : process().abi->name; });
    m.def(
        "ledger_size",
        [](std::uint32_t local_ranks, std::uint32_t history, std::uint32_t communicators, bool other_hosts) {
            return Layout{local_ranks, history, communicators, other_hosts}.size();
        },
        nb::arg("local_ranks"), nb::arg("history"), nb::arg("communicators"), nb::arg("other_hosts"),
        "Bytes of the ledger of one host.");
    m.def("pause", [] {
        ++this_thread().paused;
        if (process().block != nullptr) process().block->uncertain.store(1, std::memory_order_relaxed);  // uncounted
    });
    m.def("resume", [] { --this_thread().paused; });
}

}  // namespace jaxmpi
