#include "monitor.hpp"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "core.hpp"
#include "files.hpp"
#include "findings.hpp"
#include "identity.hpp"
#include "output.hpp"
#include "thread.hpp"

extern char** environ;

namespace jaxmpi {
namespace {

constexpr std::array kCleared{
    "PMI", "PMIX", "OMPI_", "PRTE_", "HYDI_", "HYDRA_", "MPI_LOCAL", "JAXMPI_SANITIZE=", "LD_PRELOAD="};
// The monitor's output: the standard error of the launcher if it can be opened, else that of this rank. Hydra waits for
// the end of every rank's output before it reads their exit statuses, so a process that holds that output open changes
// the job's exit code; the launcher of Open MPI does not wait, and the end of a report would be lost.
Descriptor launcher_output() {
    const std::int32_t pid = launched().total > 0 ? front_launcher(own_process()) : 0;
    if (pid == 0) return {};
#if defined(SYS_pidfd_open) && defined(SYS_pidfd_getfd)
    if (const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))); process)
        if (Descriptor same(static_cast<int>(syscall(SYS_pidfd_getfd, process.number(), STDERR_FILENO, 0))); same)
            return same;
#endif
    Descriptor file(
        open(("/proc/" + std::to_string(pid) + "/fd/2").c_str(), O_WRONLY | O_APPEND | O_NOCTTY | O_CLOEXEC));
    struct stat status{};
    // A regular file has one position for each opening: two writers would overwrite each other.
    if (file && fstat(file.number(), &status) == 0 && !S_ISREG(status.st_mode)) return file;
    return {};
}

constexpr std::size_t kStack = std::size_t{256} << 10;

struct Start {
    std::vector<std::string> words, variables;
    std::vector<char*> arguments, environment;
    posix_spawnattr_t attributes;
    std::vector<std::int32_t> watched;  // the ranks of this host, and the launcher
    int report = 2;
    pid_t pid = -1;
    int error = 0;
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> result;
    for (std::string& text : texts) result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find('\x1f'));
        words.emplace_back(word);
        text.remove_prefix(std::min(text.size(), word.size() + 1));
    }
    return words;
}

std::vector<std::string> clean_environment() {
    std::vector<std::string> kept;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        const auto cleared = [text](const char* prefix) { return text.starts_with(prefix); };
        if (std::none_of(kCleared.begin(), kCleared.end(), cleared)) kept.emplace_back(text);
    }
    return kept;
}

// Descriptors from 3 on; all others are closed. Their owner can read the status of these processes even if they ended
// before it first looked.
void open_watched(const Start& start) {
    for (const std::int32_t process : start.watched) {
        int number = -1;
#ifdef SYS_pidfd_open
        if (process > 0) number = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#endif
        if (number >= 0)
            fcntl(number, F_SETFD, 0);
        else if (dup(STDIN_FILENO) < 0)  // it keeps the place
            return;
    }
}

void close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
    for (int i = first; i < 65536; ++i) close(i);
}

// Runs in the memory of the rank while the calling thread is stopped, with separate descriptors and CPU binding:
// system calls only. It ends at once, so that the monitor is not a child of the rank.
int between(void* argument) {
    Start& start = *static_cast<Start*>(argument);
    cpu_set_t everywhere;
    std::memset(&everywhere, 0xff, sizeof everywhere);
    sched_setaffinity(0, sizeof everywhere, &everywhere);
    const int nothing = open("/dev/null", O_RDWR);
    if (start.report != STDERR_FILENO) dup2(start.report, STDERR_FILENO);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close_from(3);
    open_watched(start);
    start.error = posix_spawnp(&start.pid, start.arguments[0], nullptr, &start.attributes, start.arguments.data(),
                               start.environment.data());
    return 0;
}

bool spawn(Start& start) {
    void* const stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED) return false;
    sigset_t all, none, before;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_init(&start.attributes);
    posix_spawnattr_setsigdefault(&start.attributes, &all);
    posix_spawnattr_setsigmask(&start.attributes, &none);
    posix_spawnattr_setflags(&start.attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    // No signal at its end: the program's handler of SIGCHLD and its os.wait() see nothing of it.
    const pid_t child = clone(between, static_cast<char*>(stack) + kStack, CLONE_VM | CLONE_VFORK, &start);
    if (child > 0)
        while (waitpid(child, nullptr, __WCLONE) < 0 && errno == EINTR) {
        }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    posix_spawnattr_destroy(&start.attributes);
    munmap(stack, kStack);
    return child > 0 && start.error == 0 && start.pid > 0;
}

}  // namespace

std::int32_t start_detached(std::vector<std::string> words, std::vector<std::int32_t> watched, std::string& why) {
    Start start;
    start.words = std::move(words);
    start.watched = std::move(watched);
    start.variables = clean_environment();
    start.arguments = pointers(start.words);
    start.environment = pointers(start.variables);
    const Descriptor launcher = launcher_output();
    start.report = launcher ? launcher.number() : report_descriptor();
    if (spawn(start)) return start.pid;
    why = start.words.front() + ": " + std::strerror(start.error);
    return -1;
}

void start_monitor(const std::string& ledger) {
    Header& header = process().ledger.header();
    std::vector<std::string> words = split(process().options.monitor);
    if (words.empty()) return;
    words.push_back(ledger);
    std::vector<std::int32_t> watched;
    for (std::uint32_t i = 0; i < header.local_ranks; ++i) watched.push_back(process().ledger.rank(i).process);
    words.push_back(std::to_string(watched.size()));
    watched.push_back(front_launcher(process().process));
    std::string why;
    const std::int32_t pid = start_detached(std::move(words), std::move(watched), why);
    std::int32_t nobody = 0;
    header.monitor.compare_exchange_strong(nobody, pid, std::memory_order_acq_rel);
    if (pid < 0)
        say(("cannot start the monitor (" + why + "): only collectives are compared, reports are short").c_str());
}

}  // namespace jaxmpi
