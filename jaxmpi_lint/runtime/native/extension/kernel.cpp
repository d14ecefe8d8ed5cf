#include "kernel.hpp"

#include <cstdlib>
#include <string>

#include "files.hpp"

namespace jaxmpi {

KernelView kernel_view(std::int32_t process, std::int32_t thread) {
    const std::string folder = "/proc/" + std::to_string(process) + "/task/" + std::to_string(thread);
    KernelView view;
    const std::string stat = read_text(folder + "/stat");
    const std::size_t name_end = stat.rfind(')');
    if (name_end == std::string::npos || name_end + 2 >= stat.size()) return view;
    const char state = stat[name_end + 2];
    view.sleeping = state == 'S' || state == 'D';
    view.stopped = state == 'T' || state == 't';
    // Nanoseconds on a processor; utime and stime of `stat` only count ticks of 10 ms.
    view.cpu_seconds = std::strtod(read_text(folder + "/schedstat").c_str(), nullptr) * 1e-9;
    return view;
}

}  // namespace jaxmpi
