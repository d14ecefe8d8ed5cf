#include "process_stat.hpp"

#include <signal.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "files.hpp"

namespace jaxmpi {
namespace {

constexpr std::uint64_t kExiting = 4;  // PF_EXITING

template <class Number>
void read_number(std::string_view text, Number& value) {
    std::from_chars(text.data(), text.data() + text.size(), value);
}

}  // namespace

bool ProcessStat::ends() const {
    const bool stopped = state == 'T' || state == 't';  // `ending` is then why it was stopped
    return state == 'X' || state == 'Z' || (flags & kExiting) != 0 || (ending != 0 && !stopped) ||
           (pending >> (SIGKILL - 1) & 1) != 0;
}

ProcessStat process_stat(std::int32_t pid) {
    const std::string text = read_text("/proc/" + std::to_string(pid) + "/stat");
    const std::size_t open = text.find('('), close = text.rfind(')');
    ProcessStat found;
    if (open == std::string::npos || close == std::string::npos) return found;
    found.name = text.substr(open + 1, close - open - 1);
    std::string_view rest = std::string_view(text).substr(close + 1);
    for (int field = 3; !rest.empty(); ++field) {  // numbered as in proc(5)
        rest.remove_prefix(std::min(rest.size(), rest.find_first_not_of(" \n")));
        const std::string_view word = rest.substr(0, rest.find_first_of(" \n"));
        if (field == 3 && !word.empty()) found.state = word[0];
        if (field == 4) read_number(word, found.parent);
        if (field == 9) read_number(word, found.flags);
        if (field == 22) read_number(word, found.started);
        if (field == 31) read_number(word, found.pending);
        if (field == 52) read_number(word, found.ending);
        rest.remove_prefix(word.size());
    }
    return found;
}

}  // namespace jaxmpi
