// Parts that are being written.
#include "bindings.hpp"

namespace jaxmpi {

void bind_ledger(nanobind::module_&) {}

}  // namespace jaxmpi
