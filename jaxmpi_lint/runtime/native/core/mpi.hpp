// Calls of ours to the MPI library: always to PMPI_ functions, by name, looked up once for each place of use.
#pragma once

#include "core.hpp"

namespace jaxmpi {

inline Word address(const void* at) { return reinterpret_cast<Word>(at); }

// One function of the library; a call answers its error code, -1 if the library lacks it.
class MpiFunction {
  public:
    explicit MpiFunction(const char* name) : function_(symbol(name)) {}
    explicit operator bool() const { return function_ != nullptr; }
    template <class... A>
    std::int32_t operator()(A... arguments) const {
        if (function_ == nullptr) return -1;
        return static_cast<std::int32_t>(
            reinterpret_cast<Word (*)(decltype(static_cast<Word>(arguments))...)>(function_)(static_cast<Word>(arguments)...));
    }

  private:
    void* function_;
};

}  // namespace jaxmpi
