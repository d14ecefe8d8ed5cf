// In which order processes died, and how. A launcher kills the other ranks milliseconds after the first one died; the
// ledger's locks tell only later, and not in which order.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "files.hpp"

namespace jaxmpi {

struct Death {
    std::int32_t rank = 0;
    double noticed = 0;                  // monotonic seconds: the first sign of its end
    bool ahead = false;                  // no other process was asked to end before its end could be seen
    std::optional<double> over;          // monotonic seconds: its end
    std::optional<std::int32_t> status;  // of exit; negative: the signal that killed it
};

// Waits for the ends of processes in a native thread, because what can be seen then is gone within microseconds.
class Deaths {
  public:
    using Processes = std::vector<std::pair<std::int32_t, std::int32_t>>;  // rank, pid
    // `folder` is that of the job, whose board shows which ranks have released its files; processes come in the order
    // of its places. `inherited` is the number of processes that have a descriptor at hand, in this order, from 3 on;
    // the launcher's is the next.
    explicit Deaths(const Processes& processes, const std::string& folder = "", std::size_t inherited = 0);
    ~Deaths();
    Deaths(const Deaths&) = delete;
    Deaths& operator=(const Deaths&) = delete;

    std::vector<Death> seen() const;
    // When the program that started the job ended; nothing: it runs, or there is none on this host.
    std::optional<double> launcher_ended() const;
    // Ranks that have ended or are ending, as the kernel reports now.
    std::vector<std::int32_t> ending() const;

  private:
    struct Watch {
        std::uint32_t place;
        std::int32_t rank, process;
        Descriptor end, sign;  // the process; its native thread, which ends at the first sign
        std::optional<Death> death{};
    };
    void wait();
    void note(const std::vector<Watch*>& signs, const std::vector<Watch*>& ends);
    bool others_live(const Watch& one) const;
    bool holds_files(const Watch& one) const;

    std::vector<Watch> watched_;
    Descriptor board_, launcher_, stop_;
    bool answered_ = false;  // another process has died after the first
    std::optional<double> launcher_ended_;
    mutable std::mutex mutex_;
    std::thread thread_;
};

}  // namespace jaxmpi
