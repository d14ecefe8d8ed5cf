// `_native.call_sites_missing`, `_native.stacks()`, `_native.set_folders()`.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <memory>
#include <string>
#include <utility>

#include "frames.hpp"
#include "ownership.hpp"
#include "thread_state.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

nb::object local_variable(nb::handle frame, nb::str name, nb::object none) {
    if (!PyFrame_Check(frame.ptr())) throw nb::type_error("expected a frame");
    PyObject* found = jaxmpi::python::local_variable(reinterpret_cast<PyFrameObject*>(frame.ptr()), name.ptr());
    return found == nullptr ? none : nb::steal(found);
}

// Encoded as the names of files in frames are, so that they can be compared.
jaxmpi::python::Paths paths_of(const nb::iterable& texts, const char* separator = "") {
    jaxmpi::python::Paths paths;
    for (const nb::handle text : texts) {
        char path[jaxmpi::python::kLongestPath];
        jaxmpi::python::copy_text(text.ptr(), path, sizeof path);
        if (*path != '\0') paths.push_back(std::string(path) + separator);
    }
    return paths;
}

void set_folders(const nb::iterable& libraries, const nb::iterable& mpi, const nb::iterable& jax,
                 const nb::iterable& own) {
    jaxmpi::python::publish({paths_of(libraries), paths_of(mpi), paths_of(jax), paths_of(own)});
}

// Until `set_folders` is called only the sanitizer's own files are known.
void publish_own() {
    const nb::object package = nb::module_::import_("jaxmpi_lint.runtime");  // imported: this is a submodule of it
    jaxmpi::python::publish({{}, {}, {}, paths_of(package.attr("__path__"), "/")});
}

}  // namespace

void bind_frames(nb::module_& m) {
    m.def("local_variable", &local_variable, "frame"_a, "name"_a, "default"_a.none(),
          "The value of a local variable in a running frame of this thread.");
    m.def("set_folders", &set_folders, "libraries"_a, "mpi"_a, "jax"_a, "own"_a,
          "The folders to which frames belong that are not the program's; each ends with a separator.");
    publish_own();
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
