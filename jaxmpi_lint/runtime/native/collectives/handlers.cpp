// What XLA calls. Operands are the arrays and a token, results as well; everything static is an attribute.
#include <algorithm>
#include <exception>

#include "library.hpp"
#include "operations.hpp"
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
    return {count == 0 ? nothing : buffer.untyped_data(), count, type_of(buffer.element_type())};
}

struct Frame {
    ffi::RemainingArgs arguments;
    ffi::RemainingRets results;
    ffi::Dictionary attributes;

    Count operator[](std::string_view name) const { return attributes.get<std::int64_t>(name).value(); }

    Array sent(std::size_t index = 0) const {
        return array_of(arguments.get<ffi::AnyBuffer>(index).value(), &nothing_sent);
    }

    // The last result is the token.
    Array received() const {
        if (results.size() < 2) return {};
        return array_of(*results.get<ffi::AnyBuffer>(0).value(), &nothing_received);
    }
};

using Operation = void (*)(const Frame&);

template <Operation operation>
ffi::Error handled(ffi::RemainingArgs arguments, ffi::RemainingRets results, ffi::Dictionary attributes) {
    try {
        operation({arguments, results, attributes});
        return ffi::Error::Success();
    } catch (const std::exception& problem) {
        return ffi::Error::Internal(problem.what());
    }
}

Envelope to(const Frame& frame) { return {frame["dest"], frame["sendtag"]}; }
Envelope from(const Frame& frame) { return {frame["source"], frame["recvtag"]}; }

// What follows the sent array of an operation that receives: the template, only where nobody sends and it therefore is
// the result, and the number of the status, only if the program wants one. The last operand is the token.
Count receive_into(const Frame& frame, std::size_t index) {
    if (frame["source"] == library().proc_null) {
        const ffi::AnyBuffer original = frame.arguments.get<ffi::AnyBuffer>(index++).value();
        const auto* bytes = static_cast<const unsigned char*>(original.untyped_data());
        std::copy_n(bytes, original.size_bytes(), static_cast<unsigned char*>(frame.received().data));
    }
    if (index + 1 == frame.arguments.size()) return kNoStatus;
    return *frame.arguments.get<ffi::AnyBuffer>(index).value().typed_data<std::uint32_t>();
}

void on_allreduce(const Frame& f) { allreduce(f["communicator"], f["operator"], f.sent(), f.received()); }
void on_scan(const Frame& f) { scan(f["communicator"], f["operator"], f.sent(), f.received()); }
void on_reduce(const Frame& f) { reduce(f["communicator"], f["operator"], f["root"], f.sent(), f.received()); }
void on_bcast(const Frame& f) { bcast(f["communicator"], f["root"], f.sent(), f.received()); }
void on_allgather(const Frame& f) { allgather(f["communicator"], f.sent(), f.received()); }
void on_alltoall(const Frame& f) { alltoall(f["communicator"], f.sent(), f.received()); }
void on_gather(const Frame& f) { gather(f["communicator"], f["root"], f.sent(), f.received()); }
void on_scatter(const Frame& f) { scatter(f["communicator"], f["root"], f.sent(), f.received()); }
void on_barrier(const Frame& f) { barrier(f["communicator"]); }
void on_send(const Frame& f) { send(f["communicator"], to(f), f.sent()); }
void on_recv(const Frame& f) {
    const Count status = receive_into(f, 0);
    recv(f["communicator"], from(f), status, f.received());
}
void on_sendrecv(const Frame& f) {
    const Count status = receive_into(f, 1);
    sendrecv(f["communicator"], to(f), f.sent(), from(f), status, f.received());
}

auto binding() { return ffi::Ffi::Bind().RemainingArgs().RemainingRets().Attrs(); }

}  // namespace
}  // namespace jaxmpi::collectives

#define JAXMPI_HANDLER(operation)                                                                                   \
    extern "C" __attribute__((visibility("default"))) XLA_FFI_Error* jaxmpi_##operation(XLA_FFI_CallFrame* frame) { \
        using namespace jaxmpi::collectives;                                                                        \
        static const auto handler = binding().To(handled<on_##operation>);                                          \
        return handler->Call(frame);                                                                                \
    }

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
