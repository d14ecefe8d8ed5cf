// Recording launches and comparing them, each before it executes.
#include "launches.hpp"

#include <nanobind/nanobind.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>
#include <stdexcept>
#include <thread>

#include "closing.hpp"
#include "files.hpp"
#include "futex.hpp"
#include "hashing.hpp"
#include "launch_items.hpp"
#include "launch_own.hpp"
#include "site_reading.hpp"
#include "thread.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace jaxmpi::launches {
namespace {

constexpr auto kLate = std::chrono::seconds(20);  // in which a monitor that lives has long answered
constexpr double kSlice = 0.1;
constexpr unsigned kTurnBits = 16;
constexpr std::uint32_t kSuppressed = 3;  // state of a finding that is not to be reported

// Lines of the program, for the records of launches: frames of JAX are left out.
struct LaunchSites {
    static constexpr bool kProgramOnly = true;
    static constexpr bool kWithCallers = false;
    static bool ready() { return self().lane != nullptr; }
    static bool is_ours(const char* file) {
        return python::lies_in(file, python::folders().jax) || python::is_machinery(file);
    }
    static Site* claim(std::uint32_t& index) {
        index = self().lane->sites.fetch_add(1, std::memory_order_acq_rel);
        return index < kSites ? &self().lane->site[index] : nullptr;
    }
};

enum class Meeting { kFirst, kSame, kDiffers, kOvertaken };

bool not_equal(std::uint64_t one, std::uint64_t other) { return one != other; }

// Publishes `hash` for this turn of the slot, or compares it with the hash of the first process.
Meeting meet(Shared<std::uint64_t>& word, std::uint64_t turn, std::uint64_t hash,
             bool (*differ)(std::uint64_t, std::uint64_t) = not_equal) {
    const std::uint64_t mine = turn << (64 - kTurnBits) | hash >> kTurnBits;
    std::uint64_t seen = word.load(std::memory_order_acquire);
    for (;;) {
        if (seen == mine) return Meeting::kSame;
        const auto ahead =
            static_cast<std::int16_t>(static_cast<std::uint16_t>(turn) - static_cast<std::uint16_t>(seen >> 48));
        if (seen != 0 && ahead == 0) return differ(seen, mine) ? Meeting::kDiffers : Meeting::kSame;
        if (seen != 0 && ahead < 0) return Meeting::kOvertaken;
        if (word.compare_exchange_weak(seen, mine, std::memory_order_acq_rel)) return Meeting::kFirst;
    }
}

// The set with this key, made if it is new; kNone: there are too many.
std::uint32_t find_set(std::uint64_t key, const std::string& name) {
    for (std::uint32_t i = 0; i < kSets; ++i) {
        Set& set = self().header->sets[i];
        std::uint64_t free = 0;
        const bool is_new = set.key.compare_exchange_strong(free, key, std::memory_order_acq_rel);
        if (!is_new && free != key) continue;
        if (is_new) {
            std::memcpy(set.name, name.c_str(), std::min(name.size() + 1, sizeof set.name - 1));
            set.named.store(1, std::memory_order_release);
        }
        return i;
    }
    return kNone;
}

std::uint64_t now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

// Tells the monitor; the number of the finding, kNone if there are too many to be told.
std::uint32_t find(Kind kind, std::uint32_t set, std::uint64_t sequence) {
    const std::uint32_t index = self().header->found.fetch_add(1, std::memory_order_acq_rel);
    if (index >= kFindings) return kNone;
    Finding& finding = self().header->findings[index];
    finding.kind = kind;
    finding.lane = self().place;
    finding.set = set;
    finding.sequence = sequence;
    finding.state.store(1, std::memory_order_release);
    ring();
    return index;
}

Ask ask = nullptr;

Lane& lane_of(std::uint32_t i) { return lane(self().header, i); }

[[noreturn]] void await_the_end() {
    std::this_thread::sleep_for(std::chrono::seconds(5));
    end_process(static_cast<std::int32_t>(self().header->exit_code.load()));  // no monitor ended the process
}

// A launch that differs waits until the monitor has reported it; whether it may go on.
bool hold(std::uint32_t finding) {
    Header& head = *self().header;
    const auto begun = std::chrono::steady_clock::now();
    for (;;) {
        if (head.over.load(std::memory_order_acquire) != 0) await_the_end();
        const std::uint32_t told = head.told.load(std::memory_order_acquire);
        if (finding < told) break;
        if (std::chrono::steady_clock::now() - begun > kLate && !monitored()) {
            constexpr char kAlone[] =
                "jaxmpi-sanitize: error: this launch differs from that of another process (monitor not running: no "
                "further details)\n";
            (void)!write(STDERR_FILENO, kAlone, sizeof kAlone - 1);
            end_process(static_cast<std::int32_t>(head.exit_code.load()));
        }
        futex_wait(head.told, told, kSlice);
    }
    return self().goes_on || head.findings[finding].state.load(std::memory_order_acquire) == kSuppressed;
}

[[noreturn]] void refuse(Kind kind) {
    throw std::runtime_error(
        std::string(kind == Kind::kItem ? "JS507" : "JS501") +
        ": this launch differs from that of another process of the job; see the report of jaxmpi-sanitize");
}

// A launch that differs from that of another process waits until that is reported, and ends with an exception unless it
// may go on all the same.
void stop(Kind kind, Record& record, std::uint32_t set, std::uint64_t sequence) {
    record.held = 1;
    bool goes_on = self().goes_on;
    {
        const nanobind::gil_scoped_release released;
        if (const std::uint32_t finding = find(kind, set, sequence); finding != kNone) goes_on = hold(finding);
    }
    if (!goes_on) refuse(kind);
}

// Throws if a difference in this launch has been reported, so that no process begins it.
void refuse_if_told(std::uint32_t set, std::uint64_t sequence) {
    Header& head = *self().header;
    const std::uint32_t told = std::min(head.told.load(std::memory_order_acquire), kFindings);
    for (const Finding* one = head.findings; !self().goes_on && one != head.findings + told; ++one)
        if (one->kind != Kind::kProgram && one->set == set && one->sequence == sequence &&
            one->state.load(std::memory_order_acquire) != kSuppressed)
            refuse(one->kind);
}

// Whether all processes of this host without which a launch cannot finish have come to it.
bool have_come(std::uint32_t set, std::uint64_t sequence, const std::vector<std::uint32_t>& partners) {
    for (std::uint32_t i = 0; i < kLanes; ++i) {
        const Lane& one = lane_of(i);
        const State state = one.state.load(std::memory_order_acquire);
        if (state == State::kAbsent) break;
        const bool needed = std::find(partners.begin(), partners.end(), one.index) != partners.end();
        if (needed && state != State::kBlind && one.met[set].load(std::memory_order_acquire) <= sequence) return false;
    }
    return true;
}

// With `strict`: waits until all processes on this host that the launch needs have reached it with the same program. A
// process that does not reach it within some seconds may itself wait for a later action of this process.
void agree(std::uint32_t set, std::uint64_t sequence, const std::vector<std::uint32_t>& partners) {
    Header& head = *self().header;
    Shared<std::uint32_t>& arrivals = head.sets[set].arrivals;
    self().lane->met[set].store(sequence + 1, std::memory_order_release);
    arrivals.fetch_add(1, std::memory_order_acq_rel);
    futex_wake(arrivals);
    const auto begun = std::chrono::steady_clock::now();
    for (;;) {
        const std::uint32_t seen = arrivals.load(std::memory_order_acquire);
        if (have_come(set, sequence, partners)) return;
        refuse_if_told(set, sequence);
        {
            const nanobind::gil_scoped_release released;
            if (head.over.load(std::memory_order_acquire) != 0) await_the_end();
            futex_wait(arrivals, seen, kSlice);
        }
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - begun;
        if (waited.count() > self().patience) return begin_unagreed();
    }
}

}  // namespace

bool monitored() {
    const Descriptor file = open_file(self().folder + "/ledger", O_RDWR);
    return file && is_locked(file, kMonitor);
}

void ring() {
    self().header->alarm.fetch_add(1, std::memory_order_acq_rel);
    futex_wake(self().header->alarm);
}

bool over() { return joined() && self().header->over.load(std::memory_order_acquire) != 0; }

void begin_unagreed() {
    if (joined()) self().header->unagreed.fetch_add(1, std::memory_order_acq_rel);
}

std::vector<std::int32_t> here() {
    std::vector<std::int32_t> found;
    for (std::uint32_t i = 0; joined() && i < kLanes; ++i) {
        const State state = lane_of(i).state.load(std::memory_order_acquire);
        if (state == State::kAbsent) break;
        if (state != State::kBlind) found.push_back(lane_of(i).index);
    }
    return found;
}

void ask_others(Ask function) { ask = function; }
std::uint32_t attached() { return joined() ? self().header->attached.load(std::memory_order_acquire) : 0; }
const std::string& folder() { return self().folder; }
std::uint64_t recorded() { return joined() ? self().lane->head.load(std::memory_order_relaxed) : 0; }
bool checked() { return joined() && self().lane->state.load(std::memory_order_acquire) != State::kBlind; }

void leave() {
    if (!joined()) return;
    State running = State::kRunning;
    self().lane->state.compare_exchange_strong(running, State::kLeft, std::memory_order_acq_rel);
    ring();
}

void give_up() {
    if (!joined()) return;
    self().lane->state.store(State::kBlind, std::memory_order_release);
    ring();
}

void farewell(const std::string& traceback) {
    if (!joined()) return;
    Lane& own = *self().lane;
    const std::size_t length = std::min(traceback.size(), sizeof own.farewell - 1);  // its end says more
    std::memcpy(own.farewell, traceback.data() + (traceback.size() - length), length);
    own.farewell[length] = 0;
    own.raised.store(1, std::memory_order_release);
    ring();
}

Launch::Launch(std::uint64_t set, const std::string& devices, std::uint64_t signature, std::uint64_t program,
               const std::vector<std::uint32_t>& partners, const std::string& name)
    : set_(kNone), place_(kNone), signature_(signature), program_(program), partners_(partners) {
    if (!joined()) return;
    set_ = find_set(set | 1, devices);
    place_ = self().lane->programs.fetch_add(1, std::memory_order_acq_rel);
    if (place_ >= kPrograms) return;
    Program& own = self().lane->program[place_];
    own.set = set_;
    own.signature = signature;
    own.program = program;
    for (const std::uint32_t index : partners)
        if (index < kProcesses) own.partners[index / 64] |= std::uint64_t{1} << index % 64;
    std::memcpy(own.name, name.data(), std::min(name.size(), sizeof own.name - 1));
    own.state.store(1, std::memory_order_release);
}

void Launch::begin() {
    if (!joined()) return;
    Header& head = *self().header;
    Lane& own = *self().lane;
    if (set_ == kNone) {
        head.unrecorded.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    const State state = own.state.load(std::memory_order_relaxed);
    if (state == State::kBlind) return;
    if (state == State::kLeft) own.state.store(State::kRunning, std::memory_order_release);
    const std::uint32_t site = python::read_site<LaunchSites>();
    const Chosen chosen = chosen_at(site);
    const std::uint64_t serial = own.head.fetch_add(1, std::memory_order_relaxed) + 1;
    const std::uint64_t sequence = own.counts[set_].fetch_add(1, std::memory_order_acq_rel);
    Record& record = own.history[(serial - 1) % kHistory];
    record.serial.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    record.sequence = sequence;
    record.when = now();
    record.set = set_;
    record.program = place_;
    record.site = site;
    record.item = chosen.place;
    record.held = 0;
    record.serial.store(serial, std::memory_order_release);

    Slot& slot = head.sets[set_].slots[sequence % kSlots];
    const std::uint64_t turn = sequence / kSlots + 1;
    const Meeting meeting = meet(slot.signature, turn, signature_);
    if (meeting == Meeting::kOvertaken) head.overtaken.fetch_add(1, std::memory_order_relaxed);
    static const std::vector<std::uint32_t> nobody;  // to wait for: others are only to know
    Word word = Word::kAgreed;
    if (meeting == Meeting::kDiffers) {
        word = Word::kCollectivesDiffer;
    } else if (meeting != Meeting::kOvertaken && program_ != 0) {
        if (meet(slot.program, turn, program_) == Meeting::kDiffers) word = Word::kProgramDiffers;
    }
    if (meeting == Meeting::kSame || meeting == Meeting::kFirst) {
        if (chosen.word != 0 && meet(slot.item, turn, chosen.word, Item::differ) == Meeting::kDiffers)
            word = Word::kItemDiffers;
    }
    if (const bool differs = word == Word::kCollectivesDiffer;
        ask != nullptr && (self().strict || (!asked_ && !differs))) {
        asked_ = true;
        const std::uint64_t key = head.sets[set_].key.load(std::memory_order_relaxed);
        word = std::max(word, ask(key, sequence, signature_, program_, chosen.word, differs ? nobody : partners_));
    }
    if (word == Word::kProgramDiffers && !told_) {
        told_ = true;
        find(Kind::kProgram, set_, sequence);
    }
    if (word == Word::kItemDiffers && !items_told_) {
        stop(Kind::kItem, record, set_, sequence);
        items_told_ = true;
    }
    if (word == Word::kCollectivesDiffer) stop(Kind::kCollectives, record, set_, sequence);
    if (self().strict) agree(set_, sequence, partners_);
}

}  // namespace jaxmpi::launches
