// `_native.LaunchLedger`: the launches of a job's processes, as its monitor sees them.
#include <fcntl.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "files.hpp"
#include "futex.hpp"
#include "launch_own.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jaxmpi::launches {
namespace {

constexpr std::array kStates{"absent", "running", "left", "ended", "dead", "blind"};
constexpr std::array kKinds{"collectives", "item", "program"};

template <std::size_t N>
nb::object text(const char (&field)[N]) {
    return nb::steal(PyUnicode_DecodeUTF8(field, static_cast<Py_ssize_t>(strnlen(field, N)), "replace"));
}

// The ledger as the monitor sees it.
class Reader {
  public:
    explicit Reader(const std::string& path) : path_(path), file_(open_file(path, O_RDWR)) {
        if (is_private(file_, kSize)) map_ = Mapping(file_, kSize);
        if (!map_ || head().magic != kMagic || head().ready.load(std::memory_order_acquire) == 0)
            throw std::runtime_error(path + ": no ledger of launches of this version");
    }

    Header& head() const { return launches::header(map_.base()); }
    Lane& lane(std::uint32_t i) const {
        if (i >= kLanes) throw std::out_of_range("no such lane");
        return launches::lane(map_.base(), i);
    }
    bool claim() { return lock_byte(file_, kMonitor); }
    bool alive(std::uint32_t i) const { return is_locked(file_, kAlive + i); }
    std::uint32_t count_alive() const {
        std::uint32_t count = 0;
        for (std::uint32_t i = 0; i < taken(); ++i) count += alive(i) ? 1 : 0;
        return count;
    }
    std::uint32_t taken() const {
        std::uint32_t i = 0;
        while (i < kLanes && lane(i).state.load(std::memory_order_acquire) != State::kAbsent) ++i;
        return i;
    }
    void wait(double seconds) {
        const nb::gil_scoped_release released;
        const std::uint32_t now = head().alarm.load(std::memory_order_acquire);
        if (std::exchange(alarm_, now) == now) futex_wait(head().alarm, now, seconds);
    }
    bool ask_stacks(std::uint32_t i, double seconds) {
        const nb::gil_scoped_release released;
        Lane& asked = lane(i);
        const std::uint32_t serial = send(asked, Order::kStacks);
        for (int turn = 0; turn < 20 && alive(i); ++turn) {
            const std::uint32_t answered = asked.answered.load(std::memory_order_acquire);
            if (answered >= serial) return true;
            futex_wait(asked.answered, answered, seconds / 20);
        }
        return false;
    }
    void still(std::uint32_t i) { send(lane(i), Order::kStill); }
    void end(std::uint32_t i) { send(lane(i), Order::kEnd); }
    void mark(std::uint32_t i, const std::string& state) {
        const auto at = std::find(kStates.begin(), kStates.end(), state);
        lane(i).state.store(static_cast<State>(at - kStates.begin()), std::memory_order_release);
    }
    void answer_abort(std::uint32_t i, bool ends) {
        Lane& asking = lane(i);
        asking.abort.store(static_cast<std::uint32_t>(ends ? Abort::kAwaitsTheEnd : Abort::kGoesOn));
        futex_wake(asking.abort);
    }
    void tell(std::uint32_t count) {
        head().told.store(count, std::memory_order_release);
        futex_wake(head().told);
    }
    void suppress(std::uint32_t i) { head().findings[i % kFindings].state.store(3, std::memory_order_release); }
    void begin_end(std::uint32_t code) {
        head().exit_code.store(code, std::memory_order_relaxed);
        head().over.store(1, std::memory_order_release);
    }
    // Removes the folder unless another job has created a ledger there.
    void remove() {
        for (int turn = 0; !lock_byte(file_, kDoor) && turn < 100; ++turn) usleep(10'000);
        struct stat mine{}, there{};
        if (fstat(file_.number(), &mine) != 0 || stat(path_.c_str(), &there) != 0 || mine.st_ino != there.st_ino)
            return;
        remove_folder(path_.substr(0, path_.rfind('/')));
    }
    const std::string& path() const { return path_; }

  private:
    static std::uint32_t send(Lane& to, Order order) {
        std::uint32_t before = to.command.load(std::memory_order_acquire), after = 0;
        do {
            if (static_cast<Order>(before & 0xff) == Order::kEnd) return before >> 8;  // nothing comes after it
            after = ((before >> 8) + 1) << 8 | static_cast<std::uint32_t>(order);
        } while (!to.command.compare_exchange_weak(before, after, std::memory_order_acq_rel));
        futex_wake(to.command);
        return after >> 8;
    }

    std::string path_;
    Descriptor file_;
    Mapping map_;
    std::uint32_t alarm_ = 0;
};

nb::object site(const Lane& lane, std::uint32_t index) {
    if (index >= kSites || lane.site[index].state.load(std::memory_order_acquire) == 0) return nb::none();
    const Site& at = lane.site[index];
    nb::dict fields;
    fields["file"] = text(at.file);
    fields["line"] = at.line;
    fields["function"] = text(at.function);
    fields["caller"] = site(lane, at.caller);
    return fields;
}

nb::dict process(const Reader& self, std::uint32_t i) {
    const Lane& lane = self.lane(i);
    nb::dict fields;
    const State state = lane.state.load(std::memory_order_acquire);
    fields["lane"] = i;
    fields["index"] = lane.index;
    fields["process"] = lane.process;
    fields["state"] = kStates[static_cast<std::size_t>(state)];
    fields["alive"] = self.alive(i);
    fields["raised"] = lane.raised.load(std::memory_order_acquire) != 0;
    fields["farewell"] = text(lane.farewell);
    const auto abort = static_cast<Abort>(lane.abort.load(std::memory_order_acquire));
    fields["aborts"] = abort == Abort::kAsked || abort == Abort::kAwaitsTheEnd;
    nb::list counts;
    for (std::uint32_t set = 0; set < kSets; ++set) {
        if (self.head().sets[set].key.load(std::memory_order_acquire) == 0) break;
        counts.append(lane.counts[set].load(std::memory_order_acquire));
    }
    fields["counts"] = counts;
    fields["launches"] = lane.head.load(std::memory_order_acquire);
    return fields;
}

nb::dict snapshot(const Reader& self) {
    const Header& head = self.head();
    nb::dict fields;
    nb::list processes, sets, keys, findings;
    for (std::uint32_t i = 0, n = self.taken(); i < n; ++i) processes.append(process(self, i));
    for (const Set& set : head.sets) {
        const std::uint64_t key = set.key.load(std::memory_order_acquire);
        if (key == 0) break;
        keys.append(key);
        sets.append(set.named.load(std::memory_order_acquire) != 0 ? text(set.name) : nb::object(nb::str("")));
    }
    for (std::uint32_t i = 0, n = std::min(head.found.load(std::memory_order_acquire), kFindings); i < n; ++i) {
        const Finding& one = head.findings[i];
        if (one.state.load(std::memory_order_acquire) == 0) break;
        nb::dict found;
        found["kind"] = kKinds[static_cast<std::size_t>(one.kind)];
        found["lane"] = one.lane;
        found["set"] = one.set;
        found["sequence"] = one.sequence;
        findings.append(found);
    }
    fields["expected"] = head.expected;
    fields["job"] = text(head.job);
    fields["host"] = text(head.host);
    fields["library"] = text(head.library);
    fields["overtaken"] = head.overtaken.load(std::memory_order_relaxed);
    fields["unagreed"] = head.unagreed.load(std::memory_order_relaxed);
    fields["unrecorded"] = head.unrecorded.load(std::memory_order_relaxed);
    fields["processes"] = processes;
    fields["sets"] = sets;
    fields["keys"] = keys;
    fields["findings"] = findings;
    return fields;
}

nb::object program(const Lane& lane, std::uint32_t index) {
    if (index >= kPrograms || lane.program[index].state.load(std::memory_order_acquire) == 0) return nb::none();
    const Program& one = lane.program[index];
    nb::dict fields;
    nb::list partners;
    for (std::uint32_t i = 0; i < kProcesses; ++i)
        if ((one.partners[i / 64] >> i % 64 & 1) != 0) partners.append(i);
    fields["place"] = index;
    fields["name"] = text(one.name);
    fields["signature"] = one.signature;
    fields["program"] = one.program;
    fields["partners"] = partners;
    return fields;
}

nb::object item(const Lane& lane, std::uint32_t index) {
    if (index >= kItems || lane.item[index].state.load(std::memory_order_acquire) == 0) return nb::none();
    return nb::make_tuple(text(lane.item[index].text), lane.item[index].choices);
}

// The last launches of a process, the newest last.
nb::list history(const Reader& self, std::uint32_t i, std::uint64_t count) {
    const Lane& lane = self.lane(i);
    nb::list records;
    const std::uint64_t head = lane.head.load(std::memory_order_acquire);
    const std::uint64_t most = std::min<std::uint64_t>({head, count, kHistory});
    for (std::uint64_t serial = head - most + 1; serial <= head; ++serial) {
        const Record& slot = lane.history[(serial - 1) % kHistory];
        if (slot.serial.load(std::memory_order_acquire) != serial) continue;
        const std::uint64_t sequence = slot.sequence, when = slot.when;
        const std::uint32_t set = slot.set, place = slot.program, where = slot.site, held = slot.held;
        const std::uint32_t chosen = slot.item;
        std::atomic_thread_fence(std::memory_order_acquire);
        if (slot.serial.load(std::memory_order_relaxed) != serial) continue;
        nb::dict fields;
        fields["sequence"] = sequence;
        fields["when"] = static_cast<double>(when) * 1e-9;
        fields["set"] = set;
        fields["program"] = program(lane, place);
        fields["site"] = site(lane, where);
        fields["item"] = item(lane, chosen);
        fields["held"] = held != 0;
        records.append(fields);
    }
    return records;
}

// What was launched on a set from `first` on: for each the hash of the collectives (48 bits), that of the program and
// the word of the item, 0 where it is not known (any more).
nb::bytes launched(const Reader& self, std::uint32_t number, std::uint64_t first, std::uint32_t count) {
    const Set& set = self.head().sets[number % kSets];
    std::vector<std::uint64_t> words;
    for (std::uint64_t sequence = first; sequence < first + std::min(count, kSlots); ++sequence) {
        const Slot& slot = set.slots[sequence % kSlots];
        for (const Shared<std::uint64_t>* word : {&slot.signature, &slot.program, &slot.item}) {
            const std::uint64_t seen = word->load(std::memory_order_acquire);
            const bool is_this =
                static_cast<std::uint16_t>(seen >> 48) == static_cast<std::uint16_t>(sequence / kSlots + 1);
            words.push_back(is_this ? seen & 0xffff'ffff'ffff : 0);
        }
    }
    return nb::bytes(words.data(), words.size() * sizeof words[0]);
}

nb::object stacks(Reader& self, std::uint32_t i, double seconds) {
    return self.ask_stacks(i, seconds) ? text(self.lane(i).stacks) : nb::none();
}

}  // namespace
}  // namespace jaxmpi::launches

namespace jaxmpi {

void bind_launch_ledger(nb::module_& m) {
    using namespace launches;
    nb::class_<Reader>(m, "LaunchLedger", "The launches of a job on this host, as its monitor sees them.")
        .def(nb::init<const std::string&>(), "path"_a)
        .def("claim", &Reader::claim)
        .def("wait", &Reader::wait, "seconds"_a)
        .def("snapshot", &snapshot)
        .def("history", &history, "lane"_a, "count"_a)
        .def("launched", &launched, "set"_a, "first"_a, "count"_a)
        .def("stacks", &stacks, "lane"_a, "seconds"_a)
        .def("alive", &Reader::alive, "lane"_a)
        .def("count_alive", &Reader::count_alive)
        .def("mark", &Reader::mark, "lane"_a, "state"_a)
        .def("answer_abort", &Reader::answer_abort, "lane"_a, "ends"_a)
        .def("tell", &Reader::tell, "count"_a)
        .def("suppress", &Reader::suppress, "index"_a)
        .def("begin_end", &Reader::begin_end, "exit_code"_a)
        .def("still", &Reader::still, "lane"_a)
        .def("end", &Reader::end, "lane"_a)
        .def("remove", &Reader::remove)
        .def_prop_ro("options", [](const Reader& self) { return text(self.head().options); })
        .def_prop_ro("path", &Reader::path);
}

}  // namespace jaxmpi
