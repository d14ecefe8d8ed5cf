#include "deaths.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "board.hpp"
#include "identity.hpp"
#include "process_stat.hpp"

namespace jaxmpi {
namespace {

constexpr double kMoment = 300e-6;
constexpr int kBeginning = 100, kTurn = 50;  // turns of so many ms in which ranks begin their native thread
constexpr unsigned kThread = 0200;           // PIDFD_THREAD of linux/pidfd.h, since Linux 6.9
constexpr const char* kService = "jaxmpi-sanitize";

// PIDFD_GET_INFO of linux/pidfd.h; with the exit status since Linux 6.15.
struct PidfdInfo {
    static constexpr std::uint64_t kExit = 8;
    std::uint64_t mask = kExit;
    std::uint64_t group = 0;
    std::uint32_t identities[11]{};
    std::int32_t exit_code = 0;
};
static_assert(sizeof(PidfdInfo) == 64);

double monotonic() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Descriptor pidfd(std::int32_t id, unsigned flags = 0) {
#ifdef SYS_pidfd_open
    if (id > 0) return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, id, flags)));
#endif
    (void)flags;
    return {};
}

// One that this process began with; what could not be opened then is no descriptor of a process.
Descriptor at_hand(std::size_t place) {
    constexpr int kFirst = 3;
    const int number = kFirst + static_cast<int>(place);
    struct stat status{};
    if (fstat(number, &status) != 0) return {};
    Descriptor found(number);
    if (S_ISCHR(status.st_mode)) return {};
    fcntl(number, F_SETFD, FD_CLOEXEC);
    return found;
}

// The rank's service thread has nothing to clear away: it is gone long before its process, and before the launcher
// can know.
Descriptor first_sign(std::int32_t process) {
    const std::string folder = "/proc/" + std::to_string(process) + "/task";
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(folder.c_str()), closedir);
    while (const dirent* item = listing ? readdir(listing.get()) : nullptr)
        if (read_text(folder + "/" + item->d_name + "/comm").starts_with(kService))
            return pidfd(std::atoi(item->d_name), kThread);
    return {};
}

std::int32_t decoded(std::int32_t wait_status) {
    return WIFSIGNALED(wait_status) ? -WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

// How a process ended: from what is left of it, or, once its parent has taken that away, from its descriptor.
std::optional<std::int32_t> status_of(std::int32_t process, const Descriptor& end) {
    if (const ProcessStat left = process_stat(process); left.state == 'Z') return decoded(left.ending);
    PidfdInfo info;
    if (ioctl(end.number(), _IOWR(0xff, 11, PidfdInfo), &info) == 0 && (info.mask & PidfdInfo::kExit) != 0)
        return decoded(info.exit_code);
    return {};
}

}  // namespace

Deaths::Deaths(const Processes& processes, const std::string& folder, std::size_t inherited)
    : stop_(eventfd(0, EFD_CLOEXEC)) {
    if (!folder.empty()) board_ = open_file(folder + "/" + Board::kName, O_RDWR);
    for (std::size_t i = 0; i < processes.size(); ++i) {
        const auto [rank, process] = processes[i];
        Descriptor end = i < inherited ? at_hand(i) : Descriptor{};
        if (!end) end = pidfd(process);
        if (end) watched_.push_back({static_cast<std::uint32_t>(i), rank, process, std::move(end), {}});
    }
    if (inherited > 0) launcher_ = at_hand(inherited);
    if (!launcher_ && !processes.empty()) launcher_ = pidfd(front_launcher(processes.front().second));
    thread_ = std::thread([this] { wait(); });
}

Deaths::~Deaths() {
    const std::uint64_t one = 1;
    (void)!write(stop_.number(), &one, sizeof one);
    thread_.join();
}

std::vector<Death> Deaths::seen() const {
    const std::lock_guard lock(mutex_);
    std::vector<Death> deaths;
    for (const Watch& one : watched_)
        if (one.death) deaths.push_back(*one.death);
    return deaths;
}

std::optional<double> Deaths::launcher_ended() const {
    const std::lock_guard lock(mutex_);
    return launcher_ended_;
}

std::vector<std::int32_t> Deaths::ending() const {
    std::vector<std::int32_t> ranks;
    for (const Watch& one : watched_)
        if (process_stat(one.process).ends()) ranks.push_back(one.rank);
    return ranks;
}

void Deaths::wait() {
    std::vector<pollfd> waiting{{stop_.number(), POLLIN, 0}, {launcher_.number(), POLLIN, 0}};
    for (const Watch& one : watched_) {
        waiting.push_back({one.end.number(), POLLIN, 0});
        waiting.push_back({-1, POLLIN, 0});
    }
    const auto find_signs = [this, &waiting] {
        bool all = true;
        for (std::size_t i = 0; i < watched_.size(); ++i)
            if (Watch& one = watched_[i]; !one.sign && !one.death) {
                one.sign = first_sign(one.process);
                waiting[2 * i + 3].fd = one.sign.number();
                all &= static_cast<bool>(one.sign);
            }
        return all;
    };
    const auto happened = [&waiting](std::size_t at) {
        const bool now = waiting[at].revents != 0;
        if (now) waiting[at].fd = -1;  // poll passes over negative ones
        return now;
    };
    for (int turn = 0;;) {
        const bool complete = turn >= kBeginning || find_signs();
        turn = complete ? kBeginning : turn + 1;
        if (poll(waiting.data(), waiting.size(), complete ? -1 : kTurn) < 0) {
            if (errno == EINTR) continue;
            return;
        }
        if (waiting[0].revents != 0) return;
        if (happened(1)) {
            const std::lock_guard lock(mutex_);
            launcher_ended_ = monotonic();
        }
        std::vector<Watch*> signs, ends;
        for (std::size_t i = 0; i < watched_.size(); ++i) {
            const bool end = happened(2 * i + 2), sign = happened(2 * i + 3);
            if ((sign || end) && !watched_[i].death) signs.push_back(&watched_[i]);
            if (end) ends.push_back(&watched_[i]);
        }
        note(signs, ends);
    }
}

void Deaths::note(const std::vector<Watch*>& signs, const std::vector<Watch*>& ends) {
    const double now = monotonic();
    bool ahead = signs.size() == 1 && others_live(*signs.front());
    std::vector<std::optional<std::int32_t>> statuses;
    for (const Watch* one : ends) statuses.push_back(status_of(one->process, one->end));
    // A job is ended by one signal to each process in turn, and the sender may be descheduled in between; so wait for
    // kMoment. Busily, because a sleep may last too long on a busy machine.
    while (ahead && monotonic() - now < kMoment) ahead = others_live(*signs.front());
    const std::lock_guard lock(mutex_);
    // A launcher detects a death when the connection to that process closes. If it signalled others while the dead
    // process still held its files, this death was not the reason.
    if (!signs.empty())
        for (Watch& one : watched_)
            if (one.death && one.death->ahead && !answered_) {
                one.death->ahead = !holds_files(one);
                answered_ = true;
            }
    for (Watch* one : signs) one->death = Death{one->rank, now, ahead, {}, {}};
    for (std::size_t i = 0; i < ends.size(); ++i) {
        ends[i]->death->over = now;
        ends[i]->death->status = statuses[i];
    }
}

bool Deaths::others_live(const Watch& one) const {
    return std::ranges::none_of(watched_, [&one](const Watch& other) {
        return &other != &one && (other.death || process_stat(other.process).ends());
    });
}

bool Deaths::holds_files(const Watch& one) const { return board_ && rank_alive(board_, one.place); }

}  // namespace jaxmpi
