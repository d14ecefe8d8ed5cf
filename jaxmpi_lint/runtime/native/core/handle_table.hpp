// Map from an MPI handle to its description: read without a lock by every call, written rarely.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "core.hpp"
#include "reading.hpp"

namespace jaxmpi {

// Incremented whenever a communicator, datatype or operator gets or loses a handle; never 0.
inline std::atomic<std::uint64_t> handle_changes{1};

// Open addressing with linear probing. A key keeps its place permanently, only its value is removed, so a reader needs
// no lock; a larger table replaces one that is half full. Removed values and old tables are retired (reading.hpp).
template <class Value>
class HandleTable {
  public:
    enum class Changes { kCounted, kUncounted };  // in `handle_changes`
    explicit HandleTable(Changes changes = Changes::kCounted) : changes_(changes) { grow(64); }
    ~HandleTable() {
        for (std::size_t i = 0; i <= table_->mask; ++i) delete table_->cells[i].value.load();
    }
    HandleTable(const HandleTable&) = delete;
    HandleTable& operator=(const HandleTable&) = delete;

    // The value is valid until the caller's turn as a reader ends.
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
        return put(handle, std::move(value));
    }

    // The value that is already there, else the new one.
    Value* insert_if_absent(Word handle, std::unique_ptr<Value> value) {
        const std::lock_guard lock(mutex_);
        Value* const present = cell_of(*table_, handle).value.load(std::memory_order_relaxed);
        return present != nullptr ? present : put(handle, std::move(value));
    }

    void erase(Word handle) {
        const std::lock_guard lock(mutex_);
        remove(cell_of(*table_, handle).value.exchange(nullptr, std::memory_order_acq_rel));
    }

    template <class Visit>
    void each(Visit&& visit) const {
        const std::lock_guard lock(mutex_);
        for (std::size_t i = 0; i <= table_->mask; ++i)
            if (Value* value = table_->cells[i].value.load(std::memory_order_acquire))
                visit(table_->cells[i].key.load(std::memory_order_relaxed), *value);
    }

  private:
    static constexpr Word kEmpty = ~Word{0};

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

    Value* put(Word handle, std::unique_ptr<Value> value) {
        if (2 * (used_ + 1) > table_->mask) grow(live_ * 4 + 64);
        Value* const kept = value.get();
        Cell& cell = cell_of(*table_, handle);
        Value* const before = cell.value.exchange(value.release(), std::memory_order_acq_rel);
        ++live_;
        if (cell.key.load(std::memory_order_relaxed) == kEmpty) {
            ++used_;
            cell.key.store(handle, std::memory_order_release);
        }
        remove(before);
        return kept;
    }

    void grow(std::size_t least) {
        std::size_t size = 64;
        while (size < least) size *= 2;
        auto table = std::make_unique<Table>(size);
        used_ = 0;
        if (table_ != nullptr) {
            for (std::size_t i = 0; i <= table_->mask; ++i) {
                const Cell& from = table_->cells[i];
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
        if (std::unique_ptr<Table> before = std::exchange(table_, std::move(table))) retire(std::move(before));
    }

    // After each change; `before` is what cannot be found any more.
    void remove(Value* before) {
        if (changes_ == Changes::kCounted) handle_changes.fetch_add(1, std::memory_order_acq_rel);
        if (before == nullptr) return;
        --live_;
        retire(std::unique_ptr<Value>(before));
    }

    const Changes changes_;
    mutable std::mutex mutex_;
    std::atomic<Table*> current_{nullptr};
    std::unique_ptr<Table> table_;
    std::size_t used_ = 0, live_ = 0;
};

}  // namespace jaxmpi
