// What the numbers in a compiled program stand for. Python fills these tables, the handlers read them.
#pragma once

#include <atomic>
#include <string>

#include "library.hpp"

namespace jaxmpi::collectives {

// Element types, in the order of `TYPES` in dtypes.py.
enum class Type : int {
    kBool,
    kInt8,
    kInt16,
    kInt32,
    kInt64,
    kUint8,
    kUint16,
    kUint32,
    kUint64,
    kFloat16,
    kBfloat16,
    kFloat32,
    kFloat64,
    kComplex64,
    kComplex128,
    kByte,
    kUnknown
};

struct Communicator {
    Word handle = 0;
    Count size = 0, rank = 0;
    std::string name;
    std::atomic<bool> freed{false};
    std::atomic<int> running{0};
};

// A communicator for the length of a call; empty if the program may not use it any more.
class Use {
  public:
    explicit Use(Count number);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    explicit operator bool() const { return usable_; }
    const Communicator& operator*() const { return *communicator_; }
    const Communicator* operator->() const { return communicator_; }

  private:
    Communicator* communicator_;
    bool usable_ = false;
};

Word datatype(Type type);
// The reduction operator, 0 if it was freed.
Word reduction(Count number);
// Whether it is one of MPI's own, not a function of the program.
bool is_predefined(Count number);
// Where the program wants the status of this number, nullptr if it does not.
constexpr Count kNoStatus = -1;
void* status_address(Count number);
Count status_bytes();

}  // namespace jaxmpi::collectives
