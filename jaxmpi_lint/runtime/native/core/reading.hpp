// Frees what threads read without a lock, when no thread can still be reading it: epoch-based reclamation, in which
// a thread counts its turns, and whoever frees waits for the turns that had begun when the value was removed.
//
// The argument. A reader (1) makes its turn odd and (2) loads pointers. Whoever frees (3) removes the pointer, (4) has
// the kernel execute a full memory barrier on each thread of the process and (5) loads the turns. A reader executes (1)
// before that barrier, and then (5) sees it, or it executes (2) after the barrier and does not find the pointer. So
// the reader needs no fence between (1) and (2), only the compiler's order.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace jaxmpi {

// One for each thread that reads.
struct Reader {
    std::atomic<std::uint64_t> turn{0};  // odd while it may hold pointers
    std::uint32_t nested = 0;
};

// While one of them lives, nothing that its thread finds is freed.
class Reading {
  public:
    explicit Reading(Reader& reader) : reader_(reader) {
        if (reader_.nested++ == 0) next_turn();
    }
    ~Reading() {
        if (--reader_.nested == 0) next_turn();
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;

  private:
    void next_turn() {
        reader_.turn.store(reader_.turn.load(std::memory_order_relaxed) + 1, std::memory_order_release);
#if defined(__SANITIZE_THREAD__)  // it does not know barriers made by the kernel
        reader_.turn.exchange(reader_.turn.load(std::memory_order_relaxed), std::memory_order_seq_cst);
#else
        std::atomic_signal_fence(std::memory_order_seq_cst);
#endif
    }

    Reader& reader_;
};

// A thread registers before its first turn that may find something, and is unregistered when it ends, with no turn
// open.
void add_reader(Reader& reader);
void remove_reader(Reader& reader);

// Destroys a value, which no longer can be found, when no reader uses it. Without the kernel's barrier (before
// Linux 4.14, or where it is forbidden) values that are retired while there are several readers are kept.
void retire(std::shared_ptr<void> value);

}  // namespace jaxmpi
