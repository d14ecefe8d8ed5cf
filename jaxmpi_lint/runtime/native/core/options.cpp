#include "options.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr int kLowestDescriptor = 100;  // out of the way of programs that count on small numbers

}  // namespace

Options parse_options(std::string_view text) {
    Options options;
    options.text = text;
    while (!text.empty()) {
        const std::string_view item = text.substr(0, text.find(':'));
        text.remove_prefix(std::min(text.size(), item.size() + 1));
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos) continue;
        const std::string_view name = item.substr(0, equals), value = item.substr(equals + 1);
        if (name == "strict") options.strict = value == "1";
        set_option(options, name, value);
    }
    return options;
}

void keep_standard_error() {
    int& kept = process().report_descriptor;
    if (kept != STDERR_FILENO) return;
    int copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, kLowestDescriptor);
    if (copy < 0) copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (copy >= 0) kept = copy;
}

void configure(std::string_view text, std::string_view monitor, std::string_view unchecked) {
    Process& self = process();
    self.options = parse_options(text);
    self.options.monitor = monitor;
    self.options.unchecked = unchecked;
    self.process = own_process();
    keep_standard_error();
    self.phase.store(Phase::kLoaded, std::memory_order_release);
}

}  // namespace jaxmpi
