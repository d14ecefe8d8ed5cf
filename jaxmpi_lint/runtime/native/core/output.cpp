#include "output.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "findings.hpp"
#include "hashing.hpp"
#include "rendezvous.hpp"

namespace jaxmpi {
namespace {

struct Kept {
    bool known = false;
    dev_t device = 0;
    ino_t inode = 0;
} kept;

}  // namespace

int report_descriptor() {
    const int number = process().report_descriptor;
    struct stat now{};
    if (fstat(number, &now) != 0) return STDERR_FILENO;
    if (!kept.known) kept = {true, now.st_dev, now.st_ino};
    return kept.device == now.st_dev && kept.inode == now.st_ino ? number : STDERR_FILENO;
}

void write_report(const std::string& text) {
    const int to = report_descriptor();
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = write(to, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR) return;
        if (n > 0) done += static_cast<std::size_t>(n);
    }
}

void say(const char* line) {
    if (first_to_say(hash_text(line))) write_report("jaxmpi-sanitize: " + std::string(line) + "\n");
}

}  // namespace jaxmpi
