// `_native.Launch` and what goes with it: recording the launches of this process.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "bindings.hpp"
#include "launch_items.hpp"
#include "launches.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace jaxmpi::launches {
namespace {

// The layout of an array: asking for it is how JAX says that it launches.
struct Hook {
    nb::object owner;  // keeps the launch alive
    Launch& launch;
    nb::object layout;

    nb::object ask(nb::handle) const {
        launch.begin();
        return layout;
    }
};

// The function of Python that is asked, for the life of the process.
nb::object& asked() {
    static auto* one = new nb::object;
    return *one;
}

Word ask_python(std::uint64_t set, std::uint64_t sequence, std::uint64_t signature, std::uint64_t program,
                std::uint64_t item, const std::vector<std::uint32_t>& partners) {
    return static_cast<Word>(nb::cast<std::uint32_t>(asked()(set, sequence, signature, program, item, partners)));
}

void ask_others_from_python(nb::object function) {
    ask_others(function.is_none() ? nullptr : ask_python);
    asked() = std::move(function);
}

std::uint32_t join_from_python(const std::string& identity, std::int32_t index, std::uint32_t expected,
                               const std::string& job, const std::string& library, const std::string& options,
                               const std::vector<std::string>& monitor, const std::string& on_error,
                               std::int32_t exit_code, bool strict, double patience) {
    return launches::join({identity, index, expected, job, library, options, monitor, on_error == "continue", strict,
                           patience, exit_code});
}

}  // namespace
}  // namespace jaxmpi::launches

namespace jaxmpi {

void bind_launches(nb::module_& m) {
    using namespace launches;
    m.def("join_launches", &join_from_python, "identity"_a, "index"_a, "expected"_a, "job"_a, "library"_a, "options"_a,
          "monitor"_a, "on_error"_a, "exit_code"_a, "strict"_a, "patience"_a);
    m.def("launches_here", &launches::here);
    m.def("launches_over", &launches::over);
    m.def("begin_unagreed", &launches::begin_unagreed);
    m.def("ask_before_launches", &ask_others_from_python, "function"_a.none());
    m.def("look_for_items", &look_for_items, "function"_a.none());
    m.def("launches_attached", &launches::attached);
    m.def("ring_launches", [] {
        if (joined()) ring();
    });
    m.def("launches_checked", &launches::checked);
    m.def("launches_folder", &launches::folder);
    m.def("leave_launches", &launches::leave);
    m.def("farewell_to_launches", &launches::farewell, "traceback"_a);
    m.def("launches_recorded", &launches::recorded);
    m.def("give_up_launches", &launches::give_up);
    nb::class_<Launch>(m, "Launch", "An executable whose launches are recorded.")
        .def(nb::init<std::uint64_t, const std::string&, std::uint64_t, std::uint64_t,
                      const std::vector<std::uint32_t>&, const std::string&>(),
             "set"_a, "devices"_a, "signature"_a, "program"_a, "partners"_a, "name"_a)
        .def("begin", &Launch::begin)
        .def(
            "hook",
            [](nb::object self, nb::object layout) { return Hook{self, nb::cast<Launch&>(self), std::move(layout)}; },
            "layout"_a)
        .def_prop_ro("place", &Launch::place);
    nb::class_<Hook>(m, "LaunchHook").def("ask", &Hook::ask, nb::arg("dtype").none());
}

}  // namespace jaxmpi
