// Functions of the MPI library that the sanitizer itself calls, always by their PMPI name.
#pragma once

#include <atomic>

#include "core.hpp"

namespace jaxmpi {

inline constexpr int kNoSuchRoutine = -1;

// `static const Routine size{"PMPI_Comm_size"}; size(comm, &n)`: arguments are passed in registers as they are, so
// handles go as Word and integers as int. kNoSuchRoutine if the library lacks it.
class Routine {
  public:
    explicit constexpr Routine(const char* name) : name_(name) {}

    template <class... Arguments>
    int operator()(Arguments... arguments) const {
        void* const function = address();
        if (function == nullptr) return kNoSuchRoutine;
        return reinterpret_cast<int (*)(Arguments...)>(function)(arguments...);
    }

    // Of a function that answers with a handle.
    template <class... Arguments>
    Word answer(Arguments... arguments) const {
        void* const function = address();
        return function == nullptr ? 0 : handle(reinterpret_cast<Word (*)(Arguments...)>(function)(arguments...));
    }

    explicit operator bool() const { return address() != nullptr; }

  private:
    void* address() const {
        void* function = address_.load(std::memory_order_acquire);
        if (function == nullptr) {
            function = symbol(name_);
            address_.store(function, std::memory_order_release);
        }
        return function;
    }

    const char* name_;
    mutable std::atomic<void*> address_{nullptr};
};

// A handle that a function of the library writes: 4 or 8 bytes of it.
struct HandleCell {
    Word raw = 0;
    Word* address() { return &raw; }
    Word value() const { return handle(raw); }
};

}  // namespace jaxmpi
