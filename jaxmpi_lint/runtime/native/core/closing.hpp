// Leaving: MPI_Finalize together, or the end of the job by the sanitizer.
#pragma once

#include "dispatch.hpp"

namespace jaxmpi {

// Wakes the monitor.
void ring_alarm();

// Whether no monitor will ever look: none was asked for, it died, or it does not move.
bool monitor_gone();

// Holds a rank in MPI_Finalize, with progress for messages in flight, until all ranks of the host are there or gone and
// the monitor has looked, or until it ends the job.
void hold_finalise(const Call& call);

// After MPI_Finalize, with the option `fail_on`: until the monitor has judged what was found there.
void await_judgement();

// Before MPI ends the job, whose output may end with it: until the monitor has said where the ranks are.
void await_release();

// Every rank of the host ends with `code`; comes back at once. Works from any process that maps the ledger.
JAXMPI_EXPORT void end_job(const Ledger& ledger, std::int32_t code, bool everywhere = false);

// This process ends: streams are flushed as far as that takes no time.
[[noreturn]] JAXMPI_EXPORT void end_process(std::int32_t code);

// Flushes the interpreter's streams; registered by the Python extension. May block.
using Flusher = void (*)();
JAXMPI_EXPORT void set_flusher(Flusher flusher);

// Called first when the sanitizer ends this process: what else watches it need not wonder.
using LastWord = void (*)();
JAXMPI_EXPORT void set_last_word(LastWord word);

// Waits for the end that has been decided.
[[noreturn]] void wait_for_the_end();

}  // namespace jaxmpi
