// The handlers of the categories of functions.table.
#pragma once

#include "dispatch.hpp"

namespace jaxmpi {

// lifecycle.cpp
Word on_initialise(const Call&);
Word on_finalise(const Call&);
Word on_abort(const Call&);
Word on_session(const Call&);

// collectives.cpp, constructors.cpp, objects.cpp
Word on_collective(const Call&);
Word on_communicator(const Call&);
Word on_foreign_communicator(const Call&);
Word on_free_communicator(const Call&);
Word on_operator(const Call&);
Word on_window(const Call&);
Word on_window_collective(const Call&);
Word on_file(const Call&);
Word on_file_collective(const Call&);
Word on_one_sided(const Call&);

// refusals.cpp
Word on_error_handler(const Call&);

// point_to_point.cpp, completion.cpp
Word on_send(const Call&);
Word on_receive(const Call&);
Word on_exchange(const Call&);
Word on_probe(const Call&);
Word on_matched_receive(const Call&);
Word on_start(const Call&);
Word on_wait(const Call&);
Word on_test(const Call&);
Word on_request(const Call&);
Word on_generalised_request(const Call&);
Word on_partition(const Call&);

}  // namespace jaxmpi
