#include "operations.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "handle_table.hpp"
#include "labels.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

struct Known {
    Operation what;
    std::uint32_t label;
    std::atomic<std::uint32_t> site{kNone};
    std::once_flag written;
};

HandleTable<Known>& operations() {
    static auto* const table = new HandleTable<Known>;
    return *table;
}

template <std::size_t N>
void copy(const std::string& text, char (&to)[N]) {
    const std::size_t length = std::min(text.size(), N - 1);
    std::copy_n(text.data(), length, to);
    to[length] = 0;
}

std::uint32_t write_site(const Operation& what, std::size_t depth) {
    if (depth >= what.places.size()) return kNone;
    const std::uint32_t caller = write_site(what, depth + 1);
    const std::uint32_t index = claim_site();
    if (index == kNone) return kNone;
    Site& site = process().ledger.sites(process().local)[index];
    copy(what.places[depth].file, site.file);
    copy(what.places[depth].function, site.function);
    copy(depth == 0 ? what.operand : "", site.operand);
    site.line = what.places[depth].line;
    site.caller = caller;
    site.state.store(1, std::memory_order_release);
    return index;
}

}  // namespace

void know_operation(std::uint64_t key, Operation what) {
    if (operations().find(key) != nullptr) return;
    auto known = std::make_unique<Known>();
    known->label = label_of(what.name);
    known->what = std::move(what);
    operations().insert(key, std::move(known));
}

InOperation::InOperation(std::uint64_t key) : thread_(this_thread()), label_(thread_.label), site_(thread_.site) {
    if (process().phase.load(std::memory_order_relaxed) != Phase::kActive || process().process != own_process()) return;
    Known* const known = operations().find(key);
    if (known == nullptr) return;
    std::call_once(known->written, [&] { known->site.store(write_site(known->what, 0), std::memory_order_release); });
    thread_.label = known->label;
    thread_.site = known->site.load(std::memory_order_acquire);
}

InOperation::~InOperation() {
    thread_.label = label_;
    thread_.site = site_;
}

}  // namespace jaxmpi
