// A collective enters: numbered on its communicator, recorded, compared with what came first.
#pragma once

#include "communicators.hpp"
#include "findings.hpp"
#include "thread.hpp"

namespace jaxmpi {

// One collective of this rank, from its number on. `communicator` must be checked.
class Entering {
  public:
    Entering(ThreadContext& thread, Function function, Communicator& communicator, const Signature& signature,
             std::uint32_t site);
    // Compares; may hold the thread. kRaise: the call is not to be forwarded.
    Decision compare();
    std::uint64_t ordinal() const { return ordinal_; }
    // The call is over. A local failure gives the number back, if no other collective has been counted meanwhile.
    void leave(Word result);
    // What waiting for this collective means to this rank.
    Wait wait() const;

  private:
    Decision differs(std::uint32_t first, std::uint32_t position);
    Communicator& communicator_;
    Signature signature_;
    std::uint32_t site_;
    Recording recording_;
    std::uint64_t ordinal_, hash_, rolling_before_;
    Function function_;
};

}  // namespace jaxmpi
