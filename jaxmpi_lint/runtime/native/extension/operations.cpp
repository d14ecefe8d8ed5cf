// Relays in front of mpi4jax's handlers: each informs the core of the operation that it executes.
//
// The compiled program carries a number for each operation, as an attribute more than mpi4jax's handler knows. The
// relay takes it out of the call and passes the rest on.
#include "operations.hpp"

#include "device_memory.hpp"
#include "ordering.hpp"
#include "preflight.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "xla_ffi.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

constexpr char kAttribute[] = "jaxmpi_operation";
constexpr std::size_t kRelays = 72;  // twelve operations of mpi4jax on three platforms, twelve of ours on two, and some
constexpr std::size_t kMost = 16;    // attributes of an operation

std::array<xla::Handler, kRelays> real{};
std::size_t used = 0;
std::atomic<bool> fits{false};  // XLA's structures are those that the relay was written for

bool is_ours(const xla::Text& name) {
    return name.length == sizeof kAttribute - 1 && std::memcmp(name.begin, kAttribute, name.length) == 0;
}

std::int64_t find(const xla::Attributes& attributes) {
    for (std::int64_t i = 0; i < attributes.count; ++i)
        if (is_ours(*attributes.names[i])) return i;
    return -1;
}

template <class T>
void copy_without(const T* from, std::int64_t left_out, std::int64_t count, T* to) {
    for (std::int64_t i = 0; i < count; ++i)
        if (i != left_out) *to++ = from[i];
}

void* pass_on(xla::CallFrame& frame, xla::Handler handler) {
    if (frame.extension != nullptr) {  // a question: before any call, and with the structures of every call
        fits.store(frame.size == sizeof(xla::CallFrame), std::memory_order_relaxed);
        return handler(&frame);
    }
    const std::int64_t place = find(frame.attributes);
    if (place < 0 || frame.attributes.count > static_cast<std::int64_t>(kMost)) return handler(&frame);
    const xla::Attributes whole = frame.attributes;
    std::array<std::int32_t, kMost> kinds;
    std::array<const xla::Text*, kMost> names;
    std::array<void*, kMost> values;
    copy_without(whole.kinds, place, whole.count, kinds.data());
    copy_without(whole.names, place, whole.count, names.data());
    copy_without(whole.values, place, whole.count, values.data());
    std::uint64_t key = 0;
    std::memcpy(&key, static_cast<const xla::Scalar*>(whole.values[place])->value, sizeof key);
    frame.attributes.count = whole.count - 1;
    frame.attributes.kinds = kinds.data();
    frame.attributes.names = names.data();
    frame.attributes.values = values.data();
    const InOperation inside(key);
    void* const error = handler(&frame);
    if (error != nullptr) [[unlikely]]
        operation_failed();
    frame.attributes = whole;
    return error;
}

template <std::size_t Number>
void* relay(xla::CallFrame* frame) {
    return pass_on(*frame, real[Number]);
}

template <std::size_t... Numbers>
constexpr std::array<xla::Handler, kRelays> all_relays(std::index_sequence<Numbers...>) {
    return {&relay<Numbers>...};
}
constexpr auto kAll = all_relays(std::make_index_sequence<kRelays>());

// A capsule like the given one, with a handler that passes on to the given one's; None if there is no room.
nb::object relayed(const nb::handle& capsule) {
    const char* const name = PyCapsule_GetName(capsule.ptr());
    void* const handler = PyCapsule_GetPointer(capsule.ptr(), name);
    if (handler == nullptr) throw nb::python_error();
    if (used == kRelays) return nb::none();
    real[used] = reinterpret_cast<xla::Handler>(handler);
    Py_INCREF(capsule.ptr());  // it owns the handler, and perhaps the name
    return nb::steal(PyCapsule_New(reinterpret_cast<void*>(kAll[used++]), name, nullptr));
}

using PlaceOf = std::tuple<std::string, std::uint32_t, std::string>;

// So many of the `callers` were `traced`, -1: nor was the innermost line of the program. `fixed` are the arguments that
// the compiled call has, `arguments` those that it will give to MPI.
std::uint32_t know(std::uint64_t key, const std::string& name, const std::vector<PlaceOf>& places,
                   const std::vector<PlaceOf>& callers, int traced, const std::string& operand,
                   std::uint64_t communicator, const std::map<std::string, std::int64_t>& fixed,
                   const std::map<std::string, std::int64_t>& arguments) {
    Operation what;
    what.name = name;
    what.is_traced = traced >= 0;
    what.traced = static_cast<std::size_t>(std::max(traced, 0));
    what.operand = operand;
    for (const auto& [file, line, function] : places) what.places.push_back({file, function, line});
    for (const auto& [file, line, function] : callers) what.callers.push_back({file, function, line});
    const auto given = [&](const char* argument) {
        const auto at = fixed.find(argument);
        return at == fixed.end() ? std::int64_t{0} : at->second;
    };
    const auto end = [&](const char* peer, const char* tag) {
        const std::int64_t its = fixed.count(tag) != 0 ? given(tag) : given("tag");
        return End{fixed.count(peer) != 0, static_cast<std::int32_t>(given(peer)), static_cast<std::int32_t>(its)};
    };
    what.comm = handle(static_cast<Word>(given("comm")));
    what.communicator = communicator;
    what.sends = end("dest", "sendtag");
    what.receives = end("source", "recvtag");
    what.arguments = arguments;
    return know_operation(key, std::move(what));
}

}  // namespace

void bind_operations(nb::module_& m) {
    m.attr("operation_attribute") = kAttribute;
    m.def("relayed", &relayed);
    m.def("relays_fit", [] { return fits.load(std::memory_order_relaxed); });
    m.def("know_operation", &know);
    m.def("communicator_id", &communicator_id);
    m.def("report_recompiled", &report_recompiled);
    m.def("report_device_memory", &report_device_memory, nb::call_guard<nb::gil_scoped_release>());
    m.def("takes_device_memory", &takes_device_memory);
    m.def("launch_begins", &launch_begins);
    m.def("launch_ends", &launch_ends);
    m.def("announce", &announce);
}

}  // namespace jaxmpi
