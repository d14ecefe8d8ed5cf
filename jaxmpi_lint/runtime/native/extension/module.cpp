// The Python extension `_native`: reading ledgers, and switching the rank's side on.
#include <nanobind/nanobind.h>

#include "core.hpp"

namespace nb = nanobind;

void bind_frames(nb::module_& m);

NB_MODULE(_native, m) {
    m.attr("layout_version") = jaxmpi::kMagic;
    bind_frames(m);
}
