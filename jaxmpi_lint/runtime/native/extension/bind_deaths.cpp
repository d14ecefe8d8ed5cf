// `_native.Deaths`: which rank died first, and how.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "deaths.hpp"

namespace nb = nanobind;

namespace jaxmpi {

void bind_deaths(nb::module_& m) {
    nb::class_<Deaths>(m, "Deaths", "Watches processes until they end.")
        .def(nb::init<const Deaths::Processes&, const std::string&, std::size_t>(), nb::arg("processes"),
             nb::arg("folder") = "", nb::arg("inherited") = 0, "(rank, pid) of each.")
        .def("seen",
             [](const Deaths& self) {
                 nb::list deaths;
                 for (const Death& one : self.seen())
                     deaths.append(nb::make_tuple(one.rank, one.noticed, one.ahead, one.over, one.status));
                 return deaths;
             })
        .def("launcher_ended", &Deaths::launcher_ended, "Seconds on the monotonic clock; None: it runs, or is unknown.")
        .def("ending", &Deaths::ending, "Ranks that have ended or are ending.");
}

}  // namespace jaxmpi
