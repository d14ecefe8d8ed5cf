// Most processes call MPI from one thread. Until a second thread calls MPI, that thread's data need no lock.
#pragma once

#include <atomic>

namespace jaxmpi {

class SoleThread {
  public:
    // Each thread registers before its first access.
    static void arrive();
    // True: no other thread has access before `leave`. False: take a lock.
    static bool enter() {
        inside_.store(true, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);  // the second thread to register executes the barrier
        if (mode_.load(std::memory_order_relaxed) == Mode::kSole) [[likely]]
            return true;
        inside_.store(false, std::memory_order_release);
        return false;
    }
    static void leave() { inside_.store(false, std::memory_order_release); }

    // Adds to a counter that no other process writes; returns its previous value.
    template <class T>
    [[gnu::always_inline]] static T add(std::atomic<T>& counter, T amount) {
        if (!enter()) [[unlikely]]
            return counter.fetch_add(amount, std::memory_order_release);
        const T before = counter.load(std::memory_order_relaxed);
        counter.store(before + amount, std::memory_order_release);
        leave();
        return before;
    }

  private:
    enum class Mode : unsigned char { kUnknown, kSole, kCrowded };
    static inline std::atomic<bool> inside_{false};
    static inline std::atomic<Mode> mode_{Mode::kUnknown};
    static inline std::atomic<bool> somebody_{false};
};

}  // namespace jaxmpi
