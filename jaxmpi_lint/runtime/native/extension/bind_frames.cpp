// `_native.call_sites_missing`, `_native.stacks()`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>

#include "frames.hpp"
#include "thread_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

nb::object local_variable(nb::handle frame, nb::str name, nb::object none) {
    if (!PyFrame_Check(frame.ptr())) throw nb::type_error("expected a frame");
    PyObject* found = jaxmpi::python::local_variable(reinterpret_cast<PyFrameObject*>(frame.ptr()), name.ptr());
    return found == nullptr ? none : nb::steal(found);
}

}  // namespace

void bind_frames(nb::module_& m) {
    m.def("local_variable", &local_variable, "frame"_a, "name"_a, "default"_a.none(),
          "The value of a local variable in a running frame of this thread.");
    jaxmpi::python::keep_thread_state();
    m.attr("call_sites_missing") = jaxmpi::python::install_readers();
    m.def(
        "stacks",
        [] {
            std::string text(sizeof(char) << 15, '\0');
            std::uint32_t threads = 0;
            text.resize(jaxmpi::python::read_all_stacks(text.data(), text.size(), &threads));
            return std::pair{text, threads};
        },
        "The stacks of all Python threads as text, and their number; taken as the service thread takes them.");
}
