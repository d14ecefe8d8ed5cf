// Map from an MPI handle to its description: read without a lock by every call, written rarely.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

// Incremented whenever a handle changes its meaning; never 0.
inline std::atomic<std::uint64_t> handle_changes{1};

// Open addressing with linear probing. A key keeps its place permanently, only its value is removed, so a reader needs
// no lock; a larger table replaces one that is half full, and the old ones are kept for readers that still use them.
// Removed values are kept for some time, because a different thread may just have found them.
template <class Value>
class HandleTable {
  public:
    HandleTable() { grow(64); }

    Value* find(Word handle) const {
        const Table& table = *current_.load(std::memory_order_acquire);
        for (std::size_t i = place(handle, table.mask);; i = (i + 1) & table.mask) {
            const Word key = table.cells[i].key.load(std::memory_order_acquire);
            if (key == handle) return table.cells[i].value.load(std::memory_order_acquire);
            if (key == kEmpty) return nullptr;
        }
    }

    // Replaces the previous value.
    Value* insert(Word handle, std::unique_ptr<Value> value) {
        const std::lock_guard lock(mutex_);
        if (2 * (used_ + 1) > tables_.back()->mask) grow(live_ * 4 + 64);
        Value* const kept = value.get();
        Cell& cell = cell_of(*tables_.back(), handle);
        retire(cell.value.exchange(value.release(), std::memory_order_acq_rel));
        ++live_;
        if (cell.key.load(std::memory_order_relaxed) == kEmpty) {
            ++used_;
            cell.key.store(handle, std::memory_order_release);
        }
        handle_changes.fetch_add(1, std::memory_order_acq_rel);
        return kept;
    }

    void erase(Word handle) {
        const std::lock_guard lock(mutex_);
        Cell& cell = cell_of(*tables_.back(), handle);
        retire(cell.value.exchange(nullptr, std::memory_order_acq_rel));
        handle_changes.fetch_add(1, std::memory_order_acq_rel);
    }

    template <class Visit>
    void each(Visit&& visit) const {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i <= tables_.back()->mask; ++i)
            if (Value* value = tables_.back()->cells[i].value.load(std::memory_order_acquire))
                visit(tables_.back()->cells[i].key.load(std::memory_order_relaxed), *value);
    }

  private:
    static constexpr Word kEmpty = ~Word{0};
    static constexpr std::size_t kRetired = 256;

    struct Cell {
        std::atomic<Word> key{kEmpty};
        std::atomic<Value*> value{nullptr};
    };
    struct Table {
        explicit Table(std::size_t size) : mask(size - 1), cells(new Cell[size]) {}
        std::size_t mask;
        std::unique_ptr<Cell[]> cells;
    };

    static std::size_t place(Word handle, std::size_t mask) {
        return static_cast<std::size_t>((std::uint64_t{handle} * 0x9e3779b97f4a7c15) >> 32) & mask;
    }

    static Cell& cell_of(Table& table, Word handle) {
        for (std::size_t i = place(handle, table.mask);; i = (i + 1) & table.mask) {
            const Word key = table.cells[i].key.load(std::memory_order_relaxed);
            if (key == handle || key == kEmpty) return table.cells[i];
        }
    }

    void grow(std::size_t least) {
        std::size_t size = 64;
        while (size < least) size *= 2;
        auto table = std::make_unique<Table>(size);
        used_ = 0;
        if (!tables_.empty()) {
            for (std::size_t i = 0; i <= tables_.back()->mask; ++i) {
                const Cell& from = tables_.back()->cells[i];
                Value* const value = from.value.load(std::memory_order_relaxed);
                if (value == nullptr) continue;
                Cell& to = cell_of(*table, from.key.load(std::memory_order_relaxed));
                to.value.store(value, std::memory_order_relaxed);
                to.key.store(from.key.load(std::memory_order_relaxed), std::memory_order_relaxed);
                ++used_;
            }
        }
        live_ = used_;
        current_.store(table.get(), std::memory_order_release);
        tables_.push_back(std::move(table));
        // Bounded, because programs may create and free handles forever. A reader uses a table for one lookup only,
        // which is far shorter than eight replacements, so no reader still uses the ninth table.
        if (tables_.size() > 8) tables_.erase(tables_.begin());
    }

    void retire(Value* value) {
        if (value == nullptr) return;
        --live_;
        std::unique_ptr<Value> owned(value);
        if (retired_.size() < kRetired)
            retired_.push_back(std::move(owned));
        else
            retired_[next_++ % kRetired] = std::move(owned);
    }

    mutable std::mutex mutex_;
    std::atomic<Table*> current_{nullptr};
    std::vector<std::unique_ptr<Table>> tables_;
    std::vector<std::unique_ptr<Value>> retired_;
    std::size_t used_ = 0, live_ = 0, next_ = 0;
};

}  // namespace jaxmpi
