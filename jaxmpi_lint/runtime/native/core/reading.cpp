#include "reading.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>
#include <vector>

#include "kernel_barrier.hpp"

namespace jaxmpi {
namespace {

using Values = std::vector<std::shared_ptr<void>>;

constexpr std::size_t kBatch = 64;  // the barrier interrupts all processors that run threads of this process

// A turn that had begun when values were removed.
struct Turn {
    const Reader* reader;
    std::uint64_t number;

    bool is_over() const { return reader->turn.load(std::memory_order_acquire) != number; }
};

struct Batch {
    Values values;
    std::vector<Turn> turns;
};

struct State {
    std::mutex mutex;
    std::vector<const Reader*> readers;
    Values removed;  // since the last batch
    std::vector<Batch> batches;
};

State& state() {
    static auto* const one = new State;  // never destroyed: MPI is called until the very end
    return *one;
}

std::vector<Turn> open_turns(const std::vector<const Reader*>& readers) {
    std::vector<Turn> open;
    for (const Reader* const reader : readers) {
        const std::uint64_t turn = reader->turn.load(std::memory_order_acquire);
        if (turn % 2 != 0) open.push_back({reader, turn});
    }
    return open;
}

// Moves the values of batches whose turns are over to `free`.
void collect(std::vector<Batch>& batches, Values& free) {
    std::erase_if(batches, [&free](Batch& batch) {
        std::erase_if(batch.turns, [](const Turn& turn) { return turn.is_over(); });
        if (!batch.turns.empty()) return false;
        std::ranges::move(batch.values, std::back_inserter(free));
        return true;
    });
}

}  // namespace

void add_reader(Reader& reader) {
    const std::lock_guard lock(state().mutex);
    state().readers.push_back(&reader);
}

void remove_reader(Reader& reader) {
    const std::lock_guard lock(state().mutex);
    std::erase(state().readers, &reader);
    for (Batch& batch : state().batches)
        std::erase_if(batch.turns, [&](const Turn& turn) { return turn.reader == &reader; });
}

void retire(std::shared_ptr<void> value) {
    Values free;  // destroyed without the lock
    const std::lock_guard lock(state().mutex);
    State& all = state();
    all.removed.push_back(std::move(value));
    if (all.removed.size() < kBatch) return;
    if (all.readers.size() > 1 && !kernel_barrier()) return;
    all.batches.push_back({std::exchange(all.removed, {}), open_turns(all.readers)});
    collect(all.batches, free);
}

}  // namespace jaxmpi
