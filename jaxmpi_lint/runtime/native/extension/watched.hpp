// A ledger seen from outside: by the monitor, by `status`, or as a copy that was kept.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "files.hpp"
#include "ledger.hpp"

namespace jaxmpi {

class Watched {
  public:
    explicit Watched(const std::string& path);  // throws std::runtime_error: not a ledger of this version

    const Ledger& ledger() const { return ledger_; }
    const std::string& path() const { return path_; }
    bool alive(std::uint32_t local) const;
    std::uint32_t count_alive() const;
    std::uint32_t local_of(std::int32_t world) const;  // throws std::out_of_range
    double seconds(std::uint64_t ticks) const;         // on the monotonic clock
    double now() const;

    // Becomes the monitor of the job; false if there is one.
    bool claim();
    void beat();

    // Sleeps until an event: "alarm" (raised by a rank), "left" (a rank has ended), "quiet" (a rank waits and no rank
    // has made progress; repeated at growing intervals), or "timeout".
    const char* wait(double seconds);

    // The Python stacks of a rank; false if it does not respond in time.
    bool ask_stacks(std::uint32_t local, double seconds);

    void copy(const std::string& to) const;
    void remove();

  private:
    using Clock = std::chrono::steady_clock;
    struct Movement {
        std::uint64_t digest;
        bool waiting;
    };
    Movement look() const;
    void calibrate();

    std::string path_;
    Mapping mapping_;
    Ledger ledger_;
    Descriptor board_;
    bool claimed_ = false;
    double rate_ = 1e-9;  // seconds of a tick
    std::uint64_t base_ticks_ = 0;
    double base_seconds_ = 0;
    std::uint32_t alarm_ = 0, alive_ = 0;
    std::uint64_t digest_ = 0;
    Clock::time_point changed_ = Clock::now();
    std::chrono::milliseconds patience_{20};
};

}  // namespace jaxmpi
