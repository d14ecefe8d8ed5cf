#include "thread_state.hpp"

#include <nanobind/nanobind.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace jaxmpi::python {

void keep_thread_state() {
    const bool main_thread = syscall(SYS_gettid) == getpid();
    if (!main_thread || PyInterpreterState_Get() != PyInterpreterState_Main()) return;
    const auto forget = nanobind::cpp_function([] { lasting_state = nullptr; });
    nanobind::module_::import_("atexit").attr("register")(forget);
    lasting_state = PyGILState_GetThisThreadState();
}

}  // namespace jaxmpi::python
