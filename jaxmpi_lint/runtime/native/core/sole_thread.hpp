// Most processes call MPI from one thread. Until a second one comes, what that thread alone touches needs no lock.
#pragma once

#include <atomic>

namespace jaxmpi {

class SoleThread {
  public:
    // Each thread says so before it touches anything for the first time.
    static void arrive();
    // True: nobody else is at it, nor will be before `leave`. False: take a lock.
    static bool enter() {
        inside_.store(true, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);  // the barrier is made by who arrives second
        if (mode_.load(std::memory_order_relaxed) == Mode::kSole) [[likely]]
            return true;
        inside_.store(false, std::memory_order_release);
        return false;
    }
    static void leave() { inside_.store(false, std::memory_order_release); }

    // Adds to a counter that no other process writes; what it was.
    template <class T>
    static T add(std::atomic<T>& counter, T amount) {
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
