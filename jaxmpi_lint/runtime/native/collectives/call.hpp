// One call of MPI: which version of the function, and what becomes of its error.
#pragma once

#include <limits>
#include <string>

#include "problem.hpp"
#include "tables.hpp"

namespace jaxmpi::collectives {

// Errors come back from calls on the communicator while this lives, whatever handler the program gave it.
class ErrorsReturn {
  public:
    explicit ErrorsReturn(Word communicator);
    ~ErrorsReturn();
    ErrorsReturn(const ErrorsReturn&) = delete;
    ErrorsReturn& operator=(const ErrorsReturn&) = delete;

  private:
    Word communicator_, before_ = 0;
};

// What MPI says about an error code.
std::string error_text(int code);

// A communicator in use by an operation of the program.
class Call {
  public:
    Call(const char* operation, Count communicator);

    const Communicator& communicator() const { return *use_; }

    // Calls the plain version if `count` fits into an `int`, else the large one; throws what went wrong.
    template <class... Parameters, class... Arguments>
    void operator()(const Function<Parameters...>& function, Count count, Arguments... arguments) const {
        const bool fits = count <= std::numeric_limits<int>::max();
        if (!fits && function.large == nullptr)
            throw problem("the MPI library accepts at most 2147483647 elements per call; this call has " +
                          std::to_string(count));
        check((fits ? function.plain : function.large)(arguments...));
    }

    void check(int code) const {
        if (code != 0) throw problem(error_text(code));
    }

    Problem problem(const std::string& what) const;

  private:
    const char* operation_;
    Use use_;
    ErrorsReturn errors_;
};

}  // namespace jaxmpi::collectives
