#include "watched.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "board.hpp"
#include "core.hpp"
#include "futex.hpp"
#include "hashing.hpp"
#include "segment.hpp"
#include "service.hpp"

namespace jaxmpi {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kPatience{20}, kMostPatience{1000};
constexpr double kSlice = 0.02;  // seconds between checks which ranks are alive

double monotonic() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// A stored copy may be read by every user with permission to read the file, and is never changed.
Mapping open_copy(const std::string& path) {
    const Descriptor file = open_file(path, O_RDONLY);
    if (!file) return {};
    const off_t size = lseek(file.number(), 0, SEEK_END);
    if (size < static_cast<off_t>(sizeof(Header))) return {};
    return Mapping(file, static_cast<std::size_t>(size), false);
}

bool sound(const Mapping& map) {
    const auto& header = *static_cast<const Header*>(map.base());
    const Layout layout = layout_of(header);
    return header.magic == kMagic && header.size == map.size() && header.local_ranks <= kLocalRanks &&
           header.history > 0 && layout.size() == map.size();
}

}  // namespace

Watched::Watched(const std::string& path) : path_(path), mapping_(open_segment(path)) {
    const bool live = static_cast<bool>(mapping_);
    if (!live) mapping_ = open_copy(path);
    if (!mapping_) throw std::runtime_error(path + ": cannot be read");
    if (!sound(mapping_)) throw std::runtime_error(path + ": not a ledger of this version of the sanitizer");
    ledger_ = Ledger(mapping_.base());
    if (live) board_ = open_file(std::string(ledger_.header().directory) + "/" + Board::kName, O_RDWR);
    alarm_ = 0;
    alive_ = count_alive();
    calibrate();
}

void Watched::calibrate() {
    const Header& header = ledger_.header();
    base_ticks_ = header.ticks_at_start;
    base_seconds_ = static_cast<double>(header.monotonic_at_start) * 1e-9;
    const std::uint64_t passed = ticks() - base_ticks_;
    const double elapsed = monotonic() - base_seconds_;
    if (passed > 0 && elapsed > 0) rate_ = elapsed / static_cast<double>(passed);
}

double Watched::seconds(std::uint64_t at) const {
    return base_seconds_ + static_cast<double>(static_cast<std::int64_t>(at - base_ticks_)) * rate_;
}

double Watched::now() const { return monotonic(); }

bool Watched::alive(std::uint32_t local) const { return board_ && rank_alive(board_, local); }

std::uint32_t Watched::count_alive() const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < ledger_.layout().local_ranks; ++i) count += alive(i) ? 1 : 0;
    return count;
}

std::uint32_t Watched::local_of(std::int32_t world) const {
    for (std::uint32_t i = 0; i < ledger_.layout().local_ranks; ++i)
        if (ledger_.rank(i).world_rank == world) return i;
    throw std::out_of_range("no such rank on this host: " + std::to_string(world));
}

bool Watched::claim() {
    claimed_ = board_ && lock_byte(board_, Board::kMonitor);
    if (claimed_) ledger_.header().monitor.store(static_cast<std::int32_t>(getpid()), std::memory_order_release);
    beat();
    return claimed_;
}

void Watched::beat() {
    if (claimed_) ledger_.header().monitor_beat.store(ticks(), std::memory_order_release);
}

Watched::Movement Watched::look() const {
    Movement movement{0, false};
    for (std::uint32_t i = 0; i < ledger_.layout().local_ranks; ++i) {
        const RankBlock& rank = ledger_.rank(i);
        movement.digest =
            combine(movement.digest, static_cast<std::uint64_t>(rank.state.load(std::memory_order_relaxed)));
        for (const ThreadBlock& thread : rank.threads) {
            const Activity activity = thread.activity.load(std::memory_order_relaxed);
            if (activity == Activity::kFree) continue;
            movement.waiting |= activity == Activity::kBlocked || activity == Activity::kPolling;
            movement.digest = combine(movement.digest, thread.calls.load(std::memory_order_relaxed) << 3 |
                                                           static_cast<std::uint64_t>(activity));
        }
    }
    return movement;
}

const char* Watched::wait(double limit) {
    Header& header = ledger_.header();
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
    for (;;) {
        beat();
        if (const std::uint32_t alarm = header.alarm.load(std::memory_order_acquire); alarm != alarm_) {
            alarm_ = alarm;
            return "alarm";
        }
        if (const std::uint32_t alive = count_alive(); alive != alive_) {
            const bool fewer = alive < alive_;
            alive_ = alive;
            if (fewer) return "left";
        }
        const auto now = Clock::now();
        if (const Movement movement = look(); movement.digest != digest_ || !movement.waiting) {
            digest_ = movement.digest;
            changed_ = now;
            patience_ = kPatience;
        } else if (now - changed_ >= patience_) {
            changed_ = now;
            patience_ = std::min(patience_ * 2, kMostPatience);
            return "quiet";
        }
        const double left = std::chrono::duration<double>(until - now).count();
        if (left <= 0) return "timeout";
        futex_wait(header.alarm, alarm_, std::min(left, kSlice));
    }
}

bool Watched::ask_stacks(std::uint32_t local, double limit) {
    RankBlock& rank = ledger_.rank(local);
    if (!alive(local)) return false;
    const std::uint32_t serial = send_command(rank, Command::kStacks);
    const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
    for (;;) {
        const std::uint32_t answered = rank.answered.load(std::memory_order_acquire);
        if (answered >= serial) return true;
        const double left = std::chrono::duration<double>(until - Clock::now()).count();
        if (left <= 0 || !alive(local)) return false;
        futex_wait(rank.answered, answered, std::min(left, kSlice));
    }
}

void Watched::copy(const std::string& to) const {
    const Descriptor file = open_file(to, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file || ftruncate(file.number(), static_cast<off_t>(mapping_.size())) != 0)
        throw std::runtime_error(to + ": cannot be written");
    static constexpr std::array<char, 4096> kZeros{};
    const auto* const bytes = static_cast<const char*>(mapping_.base());
    for (std::size_t at = 0; at < mapping_.size(); at += kZeros.size()) {  // pages never written stay holes
        if (std::equal(kZeros.begin(), kZeros.end(), bytes + at)) continue;
        if (pwrite(file.number(), bytes + at, kZeros.size(), static_cast<off_t>(at)) !=
            static_cast<ssize_t>(kZeros.size()))
            throw std::runtime_error(to + ": cannot be written");
    }
}

void Watched::remove() {
    if (board_ && count_alive() == 0) remove_job(ledger_.header().directory);
}

}  // namespace jaxmpi
