// The part of XLA's foreign function interface (xla/ffi/api/c_api.h) that passing a call on needs. It is a C interface
// whose structures say their own size: a call frame of this size has members of these sizes.
#pragma once

#include <cstddef>
#include <cstdint>

namespace jaxmpi::xla {

struct Text {
    const char* begin;
    std::size_t length;
};

struct Scalar {
    std::int32_t type;
    const void* value;
};
inline constexpr std::int32_t kScalarAttribute = 3;
inline constexpr std::int32_t kSigned64 = 5;

// Operands, or results: what each is, and where.
struct Buffers {
    std::size_t size;
    void* extension;
    std::int64_t count;
    const std::int32_t* kinds;
    void* const* values;
};

struct Attributes {
    std::size_t size;
    void* extension;
    std::int64_t count;
    const std::int32_t* kinds;
    const Text* const* names;  // in alphabetical order
    void* const* values;
};

struct CallFrame {
    std::size_t size;  // up to and with `attributes`; a member added later comes after them
    void* extension;   // set when XLA asks about the handler instead of calling it
    const void* interface;
    void* context;
    std::int32_t stage;
    Buffers operands;
    Buffers results;
    Attributes attributes;
};
static_assert(sizeof(CallFrame) == 168);

using Handler = void* (*)(CallFrame*);  // nullptr, or an error

}  // namespace jaxmpi::xla
