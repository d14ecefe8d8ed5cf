// The Python extension `_native`: reading ledgers, and switching the rank's side on.
#include "bindings.hpp"
#include "core.hpp"
#include "tables_hash.hpp"

void bind_frames(nanobind::module_& m);

NB_MODULE(_native, m) {
    m.attr("layout_version") = jaxmpi::kMagic;
    m.attr("tables") = JAXMPI_TABLES;  // which ones this was built from, see generate.py
    bind_frames(m);
    jaxmpi::bind_activation(m);
    jaxmpi::bind_system_exit(m);
    jaxmpi::bind_pickled(m);
    jaxmpi::bind_operations(m);
    jaxmpi::bind_ledger(m);
    jaxmpi::bind_deaths(m);
    jaxmpi::bind_launches(m);
    jaxmpi::bind_launch_ledger(m);
    jaxmpi::install_flusher();
}
