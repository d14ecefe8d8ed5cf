// Programs without Python: `jaxmpi-sanitize run` preloads the interposers and leaves what it found in the environment.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "library.hpp"
#include "lifecycle.hpp"
#include "options.hpp"
#include "relocations.hpp"

namespace jaxmpi {
namespace {

constexpr const char* kNote = "JAXMPI_SANITIZE_PRELOADED";
constexpr char kBetweenParts = '\x1e';

// Written by run_program.py, in this order.
struct Note {
    std::string options, monitor, preload_before;
};

Note read(std::string_view text) {
    Note note;
    for (std::string* part : {&note.options, &note.monitor, &note.preload_before}) {
        const std::string_view here = text.substr(0, text.find(kBetweenParts));
        *part = here;
        text.remove_prefix(std::min(text.size(), here.size() + 1));
    }
    return note;
}

// What the program starts is its own affair: it gets the environment as it was.
void restore_environment(const Note& note) {
    unsetenv(kNote);
    if (note.preload_before.empty())
        unsetenv("LD_PRELOAD");
    else
        setenv("LD_PRELOAD", note.preload_before.c_str(), 1);
}

void refuse(const std::string& why) {
    const std::string line = "jaxmpi-sanitize: NOT CHECKING: " + why + "\n";
    (void)!write(STDERR_FILENO, line.data(), line.size());
}

__attribute__((constructor)) void begin_preloaded() {
    const char* text = std::getenv(kNote);
    if (text == nullptr) return;
    try {
        const Note note = read(text);
        restore_environment(note);
        std::string problem = use_library("");
        if (problem.empty()) problem = load_interposers();
        if (!problem.empty()) return refuse(problem);
        configure(note.options, note.monitor, "");
        watch_start();
        rewrite_slots();
    } catch (...) {  // no memory: the program finds out by itself
    }
}

}  // namespace
}  // namespace jaxmpi
