#include "call.hpp"
#include "half.hpp"

namespace jaxmpi::collectives {
namespace {

constexpr Count kEverybody = -1;

// Carries out `reduce(call, sent, received, count, datatype, operator)` in a type that MPI can reduce.
template <class Reduce>
void reduced(const char* operation, Count communicator, Count number, const Array& sent, const Array& received,
             Count root, const Reduce& reduce) {
    const Call call(operation, communicator);
    const bool has_result = root == kEverybody || root == call.communicator().rank;
    if (has_result && (sent.count != received.count || sent.type != received.type))
        throw call.problem("argument and result do not have the same shape and dtype");
    const Word op = reduction(number);
    if (op == 0) throw call.problem("the reduction operator was freed, but this program was compiled for it");
    if (!is_half(sent.type)) {
        if (sent.type == Type::kByte) throw call.problem("8-bit floating-point numbers cannot be reduced");
        reduce(call, sent.data, received.data, sent.count, datatype(sent.type), op);
        return;
    }
    const std::vector<float> wide = widened(sent);
    std::vector<float> result(has_result ? wide.size() : 0);
    reduce(call, wide.data(), result.data(), sent.count, datatype(Type::kFloat32), op);
    if (has_result) narrow(result, received);
}

}  // namespace

void allreduce(Count communicator, Count number, const Array& sent, const Array& received) {
    reduced("allreduce", communicator, number, sent, received, kEverybody,
            [](const Call& call, const void* from, void* to, Count count, Word type, Word op) {
                call(library().allreduce, count, from, to, count, type, op, call.communicator().handle);
            });
}

void scan(Count communicator, Count number, const Array& sent, const Array& received) {
    reduced("scan", communicator, number, sent, received, kEverybody,
            [](const Call& call, const void* from, void* to, Count count, Word type, Word op) {
                call(library().scan, count, from, to, count, type, op, call.communicator().handle);
            });
}

void reduce(Count communicator, Count number, Count root, const Array& sent, const Array& received) {
    reduced("reduce", communicator, number, sent, received, root,
            [root](const Call& call, const void* from, void* to, Count count, Word type, Word op) {
                call(library().reduce, count, from, to, count, type, op, root, call.communicator().handle);
            });
}

}  // namespace jaxmpi::collectives
