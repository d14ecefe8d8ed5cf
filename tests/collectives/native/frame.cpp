// Calls a handler as XLA does on a GPU: with a call frame of buffers and attributes, and a stream.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "xla/ffi/api/c_api.h"

struct XLA_FFI_Error {
    std::string text;
};

namespace {

struct Context {  // to XLA's headers a structure without members, whose name depends on their version
    void* stream;
};

XLA_FFI_Error* create_error(XLA_FFI_Error_Create_Args* args) { return new XLA_FFI_Error{args->message}; }
XLA_FFI_Error* get_stream(XLA_FFI_Stream_Get_Args* args) {
    args->stream = reinterpret_cast<Context*>(args->ctx)->stream;
    return nullptr;
}

const XLA_FFI_Api& api() {
    static const XLA_FFI_Api one = [] {
        XLA_FFI_Api made{};
        made.struct_size = XLA_FFI_Api_STRUCT_SIZE;
        made.api_version = {XLA_FFI_Api_Version_STRUCT_SIZE, nullptr, XLA_FFI_API_MAJOR, XLA_FFI_API_MINOR};
        made.XLA_FFI_Error_Create = create_error;
        made.XLA_FFI_Stream_Get = get_stream;
        return made;
    }();
    return one;
}

XLA_FFI_DataType type_of(const char* name) {
    static const std::map<std::string, XLA_FFI_DataType> types = {
        {"bool", XLA_FFI_DataType_PRED},       {"int8", XLA_FFI_DataType_S8},
        {"int16", XLA_FFI_DataType_S16},       {"int32", XLA_FFI_DataType_S32},
        {"int64", XLA_FFI_DataType_S64},       {"uint8", XLA_FFI_DataType_U8},
        {"uint16", XLA_FFI_DataType_U16},      {"uint32", XLA_FFI_DataType_U32},
        {"uint64", XLA_FFI_DataType_U64},      {"float16", XLA_FFI_DataType_F16},
        {"bfloat16", XLA_FFI_DataType_BF16},   {"float32", XLA_FFI_DataType_F32},
        {"float64", XLA_FFI_DataType_F64},     {"complex64", XLA_FFI_DataType_C64},
        {"complex128", XLA_FFI_DataType_C128}, {"float8_e4m3fn", XLA_FFI_DataType_F8E4M3FN},
        {"token", XLA_FFI_DataType_TOKEN}};
    return types.at(name);
}

}  // namespace

// An array: the shape is `rank` numbers.
struct Described {
    const char* type;
    void* data;
    std::int64_t rank;
    std::int64_t* shape;
};

namespace {

// Buffers as a frame has them, with a token after them.
struct Buffers {
    Buffers(const Described* arrays, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            add(type_of(arrays[i].type), arrays[i].data, arrays[i].rank, arrays[i].shape);
        add(XLA_FFI_DataType_TOKEN, nullptr, 0, nullptr);
        for (XLA_FFI_Buffer& buffer : all) addresses.push_back(&buffer);
    }

    void add(XLA_FFI_DataType type, void* data, std::int64_t rank, std::int64_t* shape) {
        all.push_back({XLA_FFI_Buffer_STRUCT_SIZE, nullptr, type, data, rank, shape});
    }

    std::vector<XLA_FFI_Buffer> all;
    std::vector<void*> addresses;
};

}  // namespace

// Attributes are given in the order of their names. Returns whether it succeeded; else `text` says why not.
extern "C" __attribute__((visibility("default"))) bool frame_call(XLA_FFI_Handler* handler, void* stream,
                                                                  const Described* operands, std::int64_t operand_count,
                                                                  const Described* results, std::int64_t result_count,
                                                                  const char* const* names, std::int64_t* values,
                                                                  std::int64_t attribute_count, char* text,
                                                                  std::size_t room) {
    Buffers given(operands, operand_count), wanted(results, result_count);
    std::vector<XLA_FFI_ArgType> given_kinds(given.all.size(), XLA_FFI_ArgType_BUFFER);
    std::vector<XLA_FFI_RetType> wanted_kinds(wanted.all.size(), XLA_FFI_RetType_BUFFER);
    const auto count = static_cast<std::size_t>(attribute_count);
    std::vector<XLA_FFI_AttrType> kinds(count, XLA_FFI_AttrType_SCALAR);
    std::vector<XLA_FFI_ByteSpan> spans;
    std::vector<XLA_FFI_Scalar> scalars;
    for (std::size_t i = 0; i < count; ++i) {
        spans.push_back({names[i], std::strlen(names[i])});
        scalars.push_back({XLA_FFI_DataType_S64, &values[i]});
    }
    std::vector<XLA_FFI_ByteSpan*> name_addresses;
    std::vector<void*> value_addresses;
    for (std::size_t i = 0; i < count; ++i) {
        name_addresses.push_back(&spans[i]);
        value_addresses.push_back(&scalars[i]);
    }
    Context context{stream};
    XLA_FFI_CallFrame frame{};
    frame.struct_size = XLA_FFI_CallFrame_STRUCT_SIZE;
    frame.api = &api();
    frame.ctx = reinterpret_cast<decltype(frame.ctx)>(&context);
    frame.stage = XLA_FFI_ExecutionStage_EXECUTE;
    frame.args = {XLA_FFI_Args_STRUCT_SIZE, nullptr, static_cast<std::int64_t>(given.all.size()), given_kinds.data(),
                  given.addresses.data()};
    frame.rets = {XLA_FFI_Rets_STRUCT_SIZE, nullptr, static_cast<std::int64_t>(wanted.all.size()), wanted_kinds.data(),
                  wanted.addresses.data()};
    frame.attrs = {XLA_FFI_Attrs_STRUCT_SIZE, nullptr, attribute_count, kinds.data(), name_addresses.data(),
                   value_addresses.data()};
    XLA_FFI_Error* const error = handler(&frame);
    if (error == nullptr) return true;
    std::snprintf(text, room, "%s", error->text.c_str());
    delete error;
    return false;
}
