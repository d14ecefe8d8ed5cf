// Data of each thread that every MPI call looks at.
#pragma once

#include <features.h>

namespace jaxmpi {

// At a fixed distance from the thread pointer, instead of behind a call of the loader: for a few bytes only, because
// glibc has little room there for libraries that are loaded late.
#if defined(__GLIBC__)
#define JAXMPI_NEAR __attribute__((tls_model("initial-exec")))
#else
#define JAXMPI_NEAR
#endif

template <class T>
class PerThread {
  public:
    static T& get() {
        if (here == nullptr) [[unlikely]]
            make();
        return *here;
    }

  private:
    struct Keeper {
        T* kept = nullptr;
        ~Keeper() {
            delete kept;
            here = nullptr;  // a call in the thread's last moments gets a new one, which is never freed
        }
    };
    [[gnu::noinline]] static void make() {
        static thread_local Keeper keeper;
        here = keeper.kept = new T;
    }
    constinit static inline thread_local T* here JAXMPI_NEAR = nullptr;
};

// The calling thread's own T, made on first use and gone with the thread.
template <class T>
T& per_thread() {
    return PerThread<T>::get();
}

}  // namespace jaxmpi
