// `_native.Launch` and what goes with it: recording the launches of this process.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "launches.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jaxmpi::launches {
namespace {

// An executable together with the layout of its last array: asking for that is how JAX says that it launches.
struct Watched {
    Launch launch;
    nb::object layout;
};

nb::object layout_of(Watched& self, nb::handle) {
    self.launch.begin();
    return self.layout;
}

std::uint32_t join_from_python(const std::string& identity, std::int32_t index, std::uint32_t expected,
                               const std::string& job, const std::string& library, const std::string& options,
                               const std::vector<std::string>& monitor, const std::string& on_error,
                               std::int32_t exit_code) {
    return launches::join({identity, index, expected, job, library, options, monitor, on_error == "raise",
                           on_error == "continue", exit_code});
}

}  // namespace
}  // namespace jaxmpi::launches

namespace jaxmpi {

void bind_launches(nb::module_& m) {
    using namespace launches;
    m.def("join_launches", &join_from_python, "identity"_a, "index"_a, "expected"_a, "job"_a, "library"_a, "options"_a,
          "monitor"_a, "on_error"_a, "exit_code"_a);
    m.def("launches_joined", &launches::joined);
    m.def("launches_folder", &launches::folder);
    m.def("leave_launches", &launches::leave);
    m.def("farewell_to_launches", &launches::farewell, "traceback"_a);
    m.def("launches_recorded", &launches::recorded);
    m.def("launches_attached", &launches::attached);
    nb::class_<Watched>(m, "Launch", "An executable whose launches are recorded.")
        .def(
            "__init__",
            [](Watched* self, std::uint64_t set, const std::string& devices, std::uint64_t signature,
               std::uint64_t program, const std::vector<std::uint32_t>& partners, const std::string& name) {
                new (self) Watched{{set, devices, signature, program, partners, name}, nb::none()};
            },
            "set"_a, "devices"_a, "signature"_a, "program"_a, "partners"_a, "name"_a)
        .def("begin", [](Watched& self) { self.launch.begin(); })
        .def("layout_of", &layout_of, nb::arg("dtype").none())
        .def_prop_rw(
            "layout", [](Watched& self) { return self.layout; },
            [](Watched& self, nb::object layout) { self.layout = std::move(layout); })
        .def_prop_ro("place", [](const Watched& self) { return self.launch.place(); });
}

}  // namespace jaxmpi
