// What XLA calls. Operands are the arrays and a token, results as well; everything static is an attribute.
#include <array>
#include <cstring>
#include <exception>
#include <string>

#include "half.hpp"
#include "library.hpp"
#include "operations.hpp"
#include "problem.hpp"
#include "staging.hpp"
#include "xla/ffi/api/ffi.h"

namespace jaxmpi::collectives {
namespace {

namespace ffi = xla::ffi;

Type type_of(ffi::DataType type) {
    switch (type) {
        case ffi::DataType::PRED:
            return Type::kBool;
        case ffi::DataType::S8:
            return Type::kInt8;
        case ffi::DataType::S16:
            return Type::kInt16;
        case ffi::DataType::S32:
            return Type::kInt32;
        case ffi::DataType::S64:
            return Type::kInt64;
        case ffi::DataType::U8:
            return Type::kUint8;
        case ffi::DataType::U16:
            return Type::kUint16;
        case ffi::DataType::U32:
            return Type::kUint32;
        case ffi::DataType::U64:
            return Type::kUint64;
        case ffi::DataType::F16:
            return Type::kFloat16;
        case ffi::DataType::BF16:
            return Type::kBfloat16;
        case ffi::DataType::F32:
            return Type::kFloat32;
        case ffi::DataType::F64:
            return Type::kFloat64;
        case ffi::DataType::C64:
            return Type::kComplex64;
        case ffi::DataType::C128:
            return Type::kComplex128;
        default:
            return Type::kByte;  // 8-bit floating point; Python lets nothing smaller pass
    }
}

// Memory of an empty array: some libraries want two addresses even for nothing.
unsigned char nothing_sent, nothing_received;

Array array_of(const ffi::AnyBuffer& buffer, unsigned char* nothing) {
    const auto count = static_cast<Count>(buffer.element_count());
    return {count == 0 ? nothing : buffer.untyped_data(), count, type_of(buffer.element_type()), buffer.size_bytes()};
}

// What an operation is given: the arrays, without the tokens that are the last operand and the last result.
struct Frame {
    static constexpr std::size_t kMost = 3;  // what is sent, the template, the number of the status

    Frame(const ffi::RemainingArgs& given, const ffi::RemainingRets& results, const ffi::Dictionary& attributes)
        : count(given.size() - 1), attributes_(attributes) {
        if (count > kMost) throw Problem("too many operands for an operation");
        for (std::size_t i = 0; i < count; ++i)
            arguments[i] = array_of(given.get<ffi::AnyBuffer>(i).value(), &nothing_sent);
        if (results.size() > 1) received = array_of(*results.get<ffi::AnyBuffer>(0).value(), &nothing_received);
    }

    Count operator[](std::string_view name) const { return attributes_.get<std::int64_t>(name).value(); }
    bool has(std::string_view name) const { return attributes_.contains(name); }
    const Array& sent() const { return arguments[0]; }

    std::array<Array, kMost> arguments;
    std::size_t count;
    Array received;

  private:
    ffi::Dictionary attributes_;
};

struct Operation {
    const char* name;
    void (*carry_out)(const Frame&);
};

template <const Operation& operation>
ffi::Error handled(ffi::RemainingArgs arguments, ffi::RemainingRets results, ffi::Dictionary attributes) {
    try {
        operation.carry_out({arguments, results, attributes});
        return ffi::Error::Success();
    } catch (const std::exception& problem) {
        return ffi::Error::Internal(problem.what());
    }
}

Envelope to(const Frame& frame) { return {frame["dest"], frame["sendtag"]}; }
Envelope from(const Frame& frame) { return {frame["source"], frame["recvtag"]}; }

// If no rank sends, the template is the result and therefore an operand.
bool has_template(const Frame& frame) { return frame.has("source") && frame["source"] == library().proc_null; }

// What follows the sent array of an operation that receives: the template, where there is one, and the number of the
// status, only if the program wants one.
Count receive_into(const Frame& frame, std::size_t index) {
    if (has_template(frame)) {
        const Array& original = frame.arguments[index++];
        std::memcpy(frame.received.data, original.data, original.bytes);
    }
    if (index == frame.count) return kNoStatus;
    return *static_cast<const std::uint32_t*>(frame.arguments[index].data);
}

void receive(const Frame& f) {
    const Count status = receive_into(f, 0);
    recv(f["communicator"], from(f), status, f.received);
}

void exchange(const Frame& f) {
    const Count status = receive_into(f, 1);
    sendrecv(f["communicator"], to(f), f.sent(), from(f), status, f.received);
}

#define JAXMPI_OPERATION(name, call) constexpr Operation on_##name{#name, [](const Frame& f) { call; }};
JAXMPI_OPERATION(allgather, allgather(f["communicator"], f.sent(), f.received))
JAXMPI_OPERATION(allreduce, allreduce(f["communicator"], f["operator"], f.sent(), f.received))
JAXMPI_OPERATION(alltoall, alltoall(f["communicator"], f.sent(), f.received))
JAXMPI_OPERATION(barrier, barrier(f["communicator"]))
JAXMPI_OPERATION(bcast, bcast(f["communicator"], f["root"], f.sent(), f.received))
JAXMPI_OPERATION(gather, gather(f["communicator"], f["root"], f.sent(), f.received))
JAXMPI_OPERATION(recv, receive(f))
JAXMPI_OPERATION(reduce, reduce(f["communicator"], f["operator"], f["root"], f.sent(), f.received))
JAXMPI_OPERATION(scan, scan(f["communicator"], f["operator"], f.sent(), f.received))
JAXMPI_OPERATION(scatter, scatter(f["communicator"], f["root"], f.sent(), f.received))
JAXMPI_OPERATION(send, send(f["communicator"], to(f), f.sent()))
JAXMPI_OPERATION(sendrecv, exchange(f))

bool overlap(const Array& one, const Array& other) {
    const auto begin = [](const Array& array) { return reinterpret_cast<std::uintptr_t>(array.data); };
    return one.bytes != 0 && other.bytes != 0 && begin(one) < begin(other) + other.bytes &&
           begin(other) < begin(one) + one.bytes;
}

// On a GPU MPI gets the arrays themselves where it says that it takes them. It does not for what the host has to read:
// numbers that are reduced in another type or by a function of the program, templates. Nor for arrays that share
// memory.
bool is_for_the_device(const Frame& frame) {
    if (frame.has("operator") && (is_half(frame.sent().type) || !is_predefined(frame["operator"]))) return false;
    return !has_template(frame) && !overlap(frame.sent(), frame.received) && takes_device_memory();
}

// The operands that MPI reads itself come first, and then the number of the status.
std::size_t count_of_sent(const Frame& frame) { return frame.has("source") && !frame.has("dest") ? 0 : 1; }

template <const Operation& operation>
ffi::Error handled_on_gpu(Stream stream, ffi::RemainingArgs arguments, ffi::RemainingRets results,
                          ffi::Dictionary attributes) {
    try {
        Frame frame(arguments, results, attributes);
        Staging staging(stream);
        const bool direct = is_for_the_device(frame);
        for (std::size_t i = direct ? count_of_sent(frame) : 0; i < frame.count; ++i)
            frame.arguments[i] = staging.copied(frame.arguments[i]);
        if (!direct) frame.received = staging.result(frame.received);
        staging.arrive();
        operation.carry_out(frame);
        staging.bring_back();
        return ffi::Error::Success();
    } catch (const DeviceProblem& problem) {
        return ffi::Error::Internal(std::string(operation.name) + ": " + problem.what());
    } catch (const std::exception& problem) {
        return ffi::Error::Internal(problem.what());
    }
}

}  // namespace
}  // namespace jaxmpi::collectives

#define JAXMPI_ENTRY(name, ...)                                                                                \
    extern "C" __attribute__((visibility("default"))) XLA_FFI_Error* jaxmpi_##name(XLA_FFI_CallFrame* frame) { \
        using namespace jaxmpi::collectives;                                                                   \
        static const auto handler = ffi::Ffi::Bind() __VA_ARGS__;                                              \
        return handler->Call(frame);                                                                           \
    }

#define JAXMPI_HANDLER(operation)                                                                                  \
    JAXMPI_ENTRY(operation, .RemainingArgs().RemainingRets().Attrs().To(handled<on_##operation>))                  \
    JAXMPI_ENTRY(cuda_##operation, .Ctx<ffi::PlatformStream<Stream>>().RemainingArgs().RemainingRets().Attrs().To( \
                                       handled_on_gpu<on_##operation>))

JAXMPI_HANDLER(allgather)
JAXMPI_HANDLER(allreduce)
JAXMPI_HANDLER(alltoall)
JAXMPI_HANDLER(barrier)
JAXMPI_HANDLER(bcast)
JAXMPI_HANDLER(gather)
JAXMPI_HANDLER(recv)
JAXMPI_HANDLER(reduce)
JAXMPI_HANDLER(scan)
JAXMPI_HANDLER(scatter)
JAXMPI_HANDLER(send)
JAXMPI_HANDLER(sendrecv)
