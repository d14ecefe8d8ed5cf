#include "options.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>

#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr int kLowestDescriptor = 100;  // out of the way of programs that count on small numbers

template <class T>
T number(std::string_view text) {
    T value{};
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

struct Key {
    std::string_view name;
    void (*set)(Options&, std::string_view);
};

constexpr std::array kKeys{
    Key{"strict", [](Options& o, std::string_view v) { o.strict = v == "1"; }},
    Key{"on_error",
        [](Options& o, std::string_view v) {
            o.on_error = v == "raise"      ? Options::OnError::kRaise
                         : v == "continue" ? Options::OnError::kContinue
                                           : Options::OnError::kAbort;
        }},
    Key{"exitcode", [](Options& o, std::string_view v) { o.exit_code = number<std::int32_t>(v); }},
    Key{"history", [](Options& o, std::string_view v) { o.history = number<std::uint32_t>(v); }},
    Key{"communicators", [](Options& o, std::string_view v) { o.communicators = number<std::uint32_t>(v); }},
    Key{"callers", [](Options& o, std::string_view v) { o.callers = number<std::uint32_t>(v); }},
    Key{"fail_on", [](Options& o, std::string_view v) { o.fails_on_warnings = !v.empty(); }},
    Key{"attach_seconds", [](Options& o, std::string_view v) { o.attach_seconds = number<double>(v); }},
    Key{"hold_ms", [](Options& o, std::string_view v) { o.hold_seconds = number<double>(v) / 1000; }},
};

}  // namespace

Options parse_options(std::string_view text) {
    Options options;
    options.text = text;
    while (!text.empty()) {
        const std::string_view item = text.substr(0, text.find(':'));
        text.remove_prefix(std::min(text.size(), item.size() + 1));
        const std::size_t equals = item.find('=');
        if (equals == std::string_view::npos) continue;
        for (const Key& key : kKeys)
            if (key.name == item.substr(0, equals)) key.set(options, item.substr(equals + 1));
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
