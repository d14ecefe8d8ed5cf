// Collective operations that move data and leave it as it is.
#include "call.hpp"
#include "operations.hpp"

namespace jaxmpi::collectives {
namespace {

void expect(const Call& call, bool fits) {
    if (!fits) throw call.problem("the shapes of argument and result do not match for this number of ranks");
}

Word type_of(const Array& array) { return datatype(array.type); }

}  // namespace

void barrier(Count communicator) {
    const Call call("barrier", communicator);
    call.check(library().barrier(call.communicator().handle));
}

void bcast(Count communicator, Count root, const Array& sent, const Array& received) {
    const Call call("bcast", communicator);
    const Array& used = call.communicator().rank == root ? sent : received;
    call(library().bcast, used.count, used.data, used.count, type_of(used), root, call.communicator().handle);
}

void allgather(Count communicator, const Array& sent, const Array& received) {
    const Call call("allgather", communicator);
    expect(call, sent.type == received.type && sent.count * call.communicator().size == received.count);
    call(library().allgather, sent.count, sent.data, sent.count, type_of(sent), received.data, sent.count,
         type_of(sent), call.communicator().handle);
}

void alltoall(Count communicator, const Array& sent, const Array& received) {
    const Call call("alltoall", communicator);
    const Count each = sent.count / call.communicator().size;
    expect(call,
           sent.type == received.type && sent.count == received.count && each * call.communicator().size == sent.count);
    call(library().alltoall, each, sent.data, each, type_of(sent), received.data, each, type_of(sent),
         call.communicator().handle);
}

void gather(Count communicator, Count root, const Array& sent, const Array& received) {
    const Call call("gather", communicator);
    expect(call, call.communicator().rank != root ||
                     (sent.type == received.type && sent.count * call.communicator().size == received.count));
    call(library().gather, sent.count, sent.data, sent.count, type_of(sent), received.data, sent.count, type_of(sent),
         root, call.communicator().handle);
}

void scatter(Count communicator, Count root, const Array& sent, const Array& received) {
    const Call call("scatter", communicator);
    expect(call, call.communicator().rank != root ||
                     (sent.type == received.type && received.count * call.communicator().size == sent.count));
    call(library().scatter, received.count, sent.data, received.count, type_of(received), received.data, received.count,
         type_of(received), root, call.communicator().handle);
}

}  // namespace jaxmpi::collectives
