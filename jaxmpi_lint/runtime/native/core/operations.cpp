#include "operations.hpp"

#include <algorithm>
#include <cstdio>
#include <unordered_map>
#include <utility>

#include "communicators.hpp"
#include "findings.hpp"
#include "freeing.hpp"
#include "handle_table.hpp"
#include "labels.hpp"
#include "ordering.hpp"
#include "preflight.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

HandleTable<KnownOperation>& operations() {
    static auto* const table = new HandleTable<KnownOperation>(HandleTable<KnownOperation>::Changes::kUncounted);
    return *table;
}

bool active() {
    return process().phase.load(std::memory_order_relaxed) == Phase::kActive && process().process == own_process();
}

template <std::size_t N>
void copy(const std::string& text, char (&to)[N]) {
    const std::size_t length = std::min(text.size(), N - 1);
    std::copy_n(text.data(), length, to);
    to[length] = 0;
}

std::uint32_t written(const Place& place, const std::string& operand, std::uint32_t caller) {
    const std::uint32_t index = claim_site();
    if (index == kNone) return kNone;
    Site& site = process().ledger.sites(process().local)[index];
    copy(place.file, site.file);
    copy(place.function, site.function);
    copy(operand, site.operand);
    site.line = place.line;
    site.caller = caller;
    site.state.store(1, std::memory_order_release);
    return index;
}

std::uint32_t written(const Operation& what) {
    std::uint32_t site = kNone;
    for (std::size_t depth = what.places.size(); depth-- > 0;)
        site = written(what.places[depth], depth == 0 ? what.operand : "", site);
    if (site == kNone || what.callers.empty()) return site;
    Route route{site};
    for (const Place& caller : what.callers) route.add(written(caller, "", kNone), kCallers);
    return write_path(route);
}

bool is_line(const Place& place, std::uint32_t site) {
    const Site* const known = process().ledger.site(process().local, site);
    return known != nullptr && known->line == place.line && place.file == known->file;
}

// The way to an operation whose function was started at `launch`; kManyLaunches: the part that is in the function.
Route reached(const Operation& what, std::uint32_t own, std::uint32_t launch) {
    const Ledger& ledger = process().ledger;
    const CallPath* const compiled = ledger.path(process().local, own);
    const CallPath* const started = ledger.path(process().local, launch);
    Route route{compiled == nullptr ? own : compiled->site};
    const std::size_t most = process().options.callers;
    for (std::size_t i = 0; i < what.traced && compiled != nullptr && i < kCallers; ++i)
        route.add(compiled->callers[i], most);
    if (started == nullptr) return route;
    route.handled = started->handled;
    bool begins = !what.is_traced;  // then its own line is that of the launch
    for (const std::uint32_t line : started->callers) {
        if (begins && !is_line(what.places.back(), line)) route.site = kNone;  // compiled for another line
        if (!begins || route.site == kNone) route.add(line, most);
        begins = false;
    }
    return route;
}

// Operations on one line with one operand and the same callers share their site, whatever their communicators are.
std::uint32_t write_site(const Operation& what) {
    static auto* const mutex = new std::mutex;
    static auto* const sites = new std::unordered_map<std::string, std::uint32_t>;
    std::string name = what.operand;
    for (const std::vector<Place>* const places : {&what.places, &what.callers})
        for (const Place& place : *places)
            name += '\n' + place.file + '\n' + std::to_string(place.line) + '\n' + place.function;
    const std::lock_guard lock(*mutex);
    const auto [at, is_new] = sites->try_emplace(name, kNone);
    if (is_new) at->second = written(what);
    return at->second;
}

void fill(Finding& finding, KnownOperation& known, FindingKind kind, const std::string& text) {
    finding.kind = kind;
    finding.difference = Difference::kNothing;
    finding.communicator = finding.other = finding.other_site = kNone;
    finding.rank = process().local;
    finding.site = known.own_site();
    finding.when = ticks();
    std::snprintf(finding.text, sizeof finding.text, "%s %s", known.what.name.c_str(), text.c_str());
}

// Handles are constants of the compiled program: once freed, one may stand for another communicator by now.
void check_communicator(const KnownOperation& known) {
    if (known.what.communicator == 0) return;
    const Communicator* const now = communicator(known.what.comm);
    if (now == nullptr || now->id == known.what.communicator) return;
    report_stale_use(known.what.name, *now);
}

}  // namespace

std::uint32_t KnownOperation::own_site() {
    std::call_once(written, [this] { site.store(write_site(what), std::memory_order_release); });
    return site.load(std::memory_order_acquire);
}

std::uint32_t KnownOperation::site_of(const ThreadContext& by) {
    static auto* const mutex = new std::mutex;
    static auto* const known = new std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>;
    const std::uint32_t own = own_site();
    const std::uint32_t launch = by.launching != 0 ? by.launched_at : launched_at.load(std::memory_order_acquire);
    if (own == kNone || launch == kNone) return own;
    if (launch != kManyLaunches && process().ledger.path(process().local, launch) == nullptr) return own;
    const std::lock_guard lock(*mutex);
    const auto [at, is_new] = known->try_emplace({own, launch}, own);
    if (!is_new) return at->second;
    const Route route = reached(what, own, launch);
    return at->second = route.is_site() ? route.site : write_path(route);
}

void KnownOperation::launch(const ThreadContext& by, bool alone) {
    const std::uint32_t before = launched_at.load(std::memory_order_relaxed);
    const bool is_of_same = launched_by.exchange(&by, std::memory_order_relaxed) == &by;
    const bool known = before == kNone || before == by.launched_at || (alone && is_of_same);
    launched_at.store(known ? by.launched_at : kManyLaunches, std::memory_order_release);
}

std::uint32_t know_operation(std::uint64_t key, Operation what) {
    KnownOperation* known = operations().find(key);
    if (known == nullptr) {
        auto made = std::make_unique<KnownOperation>();
        made->label = label_of(what.name);
        made->what = std::move(what);
        known = operations().insert_if_absent(key, std::move(made));
    }
    return known->compiled.fetch_add(1, std::memory_order_relaxed) + 1;
}

void report_recompiled(std::uint64_t key) {
    KnownOperation* const known = operation(key);
    if (!active() || known == nullptr) return;
    Finding finding{};
    const std::string times = std::to_string(known->compiled.load(std::memory_order_relaxed));
    fill(finding, *known, FindingKind::kRecompiled,
         "is called outside jit and is recompiled at each call, " + times + " times so far");
    report(finding);
}

void report_device_memory(std::uint64_t key) {
    KnownOperation* const known = operation(key);
    if (!active() || known == nullptr) return;
    Finding finding{};
    fill(finding, *known, FindingKind::kDeviceMemory,
         "would pass device pointers to MPI (MPI4JAX_USE_CUDA_MPI is set), but this MPI library reports that it does "
         "not "
         "support them");
    report_and_hold(finding);
}

KnownOperation* operation(std::uint64_t key) { return operations().find(key); }

std::uint64_t communicator_id(std::int64_t raw) {
    if (!active()) return 0;
    const Reading reading(this_thread().reader);
    const Communicator* const known = communicator(handle(static_cast<Word>(raw)));
    return known == nullptr ? 0 : known->id;
}

InOperation::InOperation(std::uint64_t key)
    : thread_(this_thread()), label_(thread_.label), site_(thread_.site), before_(thread_.operation) {
    if (!active()) return;
    known_ = operation(key);
    if (known_ == nullptr) return;
    known_->running.fetch_add(1, std::memory_order_acq_rel);
    thread_.label = known_->label;
    thread_.site = known_->site_of(thread_);
    thread_.operation = known_;
    const Reading reading(thread_.reader);
    check_communicator(*known_);
    check_overtaken(*known_, thread_);
    if (known_->leads.load(std::memory_order_relaxed)) [[unlikely]]
        begin_announced(*known_, thread_);
}

InOperation::~InOperation() {
    if (known_ == nullptr) return;
    known_->running.fetch_sub(1, std::memory_order_acq_rel);
    thread_.label = label_;
    thread_.site = site_;
    thread_.operation = before_;
}

}  // namespace jaxmpi
