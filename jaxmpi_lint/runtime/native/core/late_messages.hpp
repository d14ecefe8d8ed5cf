// Messages that no rank receives, which arrive while a rank is held in MPI_Finalize.
#pragma once

namespace jaxmpi {

// MPICH's MPI_Finalize fails if a message that no rank has received has arrived on MPI_COMM_WORLD, which depends on the
// progress that was made before. The progress in which a rank is held must not decide that: what arrives in it is taken
// out again. If one was there before, MPI_Finalize fails as it does without the sanitizer. Open MPI does not look.
class LateMessages {
  public:
    // Before the rank is held and makes progress.
    LateMessages();
    // When it is no longer held: no rank receives them any more.
    void take() const;

  private:
    bool taken_;  // whether those that arrive from now on are taken
};

}  // namespace jaxmpi
