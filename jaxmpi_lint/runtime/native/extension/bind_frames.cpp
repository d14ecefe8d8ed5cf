// `_native.call_sites_missing`, `_native.stacks()`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>

#include "frames.hpp"

namespace nb = nanobind;

void bind_frames(nb::module_& m) {
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
