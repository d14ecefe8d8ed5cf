// The notice board of a job on one host: a small file in a private folder on which the ranks find each other and agree,
// all or none, whether the job is checked. Its byte locks show which ranks are alive.
#pragma once

#include <string>
#include <vector>

#include "files.hpp"
#include "ledger.hpp"

namespace jaxmpi {

enum class Seat : std::uint32_t { kFree, kTaken, kAttached, kRefused };
enum class Agreement : std::uint32_t { kOpen, kActive, kPassive };

struct Board {
    struct Place {
        Shared<Seat> state;
        std::int32_t world_rank, world_size, process;
        std::uint64_t started, options;
    };
    std::uint64_t magic;
    Shared<Agreement> agreement;
    Shared<std::uint32_t> proposal;  // counted up with each segment that is proposed
    Shared<std::uint64_t> said[kSaid];
    char segment[256];  // its path
    char reason[256];   // why passive
    Place places[kLocalRanks];

    static constexpr const char* kName = "board";
    // Bytes that are locked: one while joining, one by the monitor, one for each place and one for each rank.
    static constexpr std::size_t kDoor = 0, kMonitor = 1, kPlaces = 1024, kRanks = kPlaces + kLocalRanks;
    static constexpr std::size_t kLocks = kRanks + kLocalRanks;
};

// A folder 0700 below the folder of this user; "" and a reason if there is none.
std::string job_folder(const std::string& identity, std::string& why);
// The folder of this user, in which there is one for each job.
JAXMPI_EXPORT std::string user_folder();

// All folders of jobs of this user, live and stale.
JAXMPI_EXPORT std::vector<std::string> job_folders();
// The path of the ledger of a job, "" if there is none.
JAXMPI_EXPORT std::string ledger_of(const std::string& folder);

// The board in the folder of a job; false if there is none.
Descriptor open_board(const std::string& folder);

// Is this rank alive, and is there a monitor? Opens the board anew each time unless one is at hand.
JAXMPI_EXPORT bool rank_alive(const Descriptor& board, std::uint32_t local);
JAXMPI_EXPORT bool monitor_alive(const Descriptor& board);
JAXMPI_EXPORT bool anyone_alive(const Descriptor& board);

// Removes the files of a job; the caller guarantees that no process uses them.
JAXMPI_EXPORT void remove_job(const std::string& folder);
// The same if no process of the job is alive, neither a rank nor the monitor.
void remove_if_dead(const std::string& folder);
// Removes the jobs of this user of which no process is alive.
void reap_stale(const std::string& except);

}  // namespace jaxmpi
