#include "rendezvous.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "board.hpp"
#include "core.hpp"
#include "hashing.hpp"
#include "identity.hpp"
#include "segment.hpp"

namespace jaxmpi {
namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kLate = "not all ranks responded in time";

// Asks again until the answer is yes or the time is over: at once, then ever less often.
bool wait_until(const std::function<bool()>& answer, Clock::time_point deadline) {
    for (auto pause = std::chrono::microseconds(20);; pause = std::min(pause * 2, std::chrono::microseconds(2000))) {
        if (answer()) return true;
        if (Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(pause);
    }
}

std::string text_of(const char* field, std::size_t capacity) { return {field, strnlen(field, capacity)}; }

struct Joined {
    Descriptor file;
    Board* board = nullptr;
};
// The board of the job stays mapped to the end of the process: the mapping keeps its locks.
Board* joined_board = nullptr;
std::string& joined_folder = *new std::string;

class Gathering {
  public:
    explicit Gathering(const std::string& library) : library_(library) {}
    Met run();

  private:
    Clock::time_point deadline() const {
        return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(process().options.attach_seconds));
    }
    bool enter();
    bool open_board(Clock::time_point until);
    bool take_place();
    std::int32_t expected() const;
    std::vector<std::uint32_t> present() const;  // places taken by living ranks, in the order of the world
    bool decided() const { return joined_.board->agreement.load(std::memory_order_acquire) != Agreement::kOpen; }
    void decide(Agreement agreement, const std::string& reason);
    void lead(const std::vector<std::uint32_t>& places);
    bool propose(const std::vector<std::uint32_t>& places, bool in_folder, std::string& why);
    void answer();

    Board::Place& own() const { return joined_.board->places[place_]; }

    std::string library_, identity_, folder_, why_;
    Joined joined_;
    std::uint32_t place_ = 0;
    std::uint32_t answered_ = 0, local_ = 0;
    std::string mapped_path_;
    Mapping mapped_;
    Clock::time_point deadline_;
};

bool Gathering::open_board(Clock::time_point until) {
    return wait_until(
        [this] {
            folder_ = job_folder(identity_, why_);
            if (folder_.empty()) return false;
            Descriptor file = open_file(folder_ + "/" + Board::kName, O_RDWR | O_CREAT);
            if (!file || !lock_byte(file, Board::kDoor)) return false;
            struct stat status{};
            if (fstat(file.number(), &status) != 0 || status.st_nlink == 0) return false;  // just cleared away
            if (status.st_size != 0 && !anyone_alive(file)) {  // of an earlier program under the same launcher
                remove_job(folder_);
                return false;
            }
            if (status.st_size == 0 && reserve(file, sizeof(Board)) != 0) return false;
            if (!is_private(file, sizeof(Board))) return false;
            joined_.file = std::move(file);
            return true;
        },
        until);
}

bool Gathering::take_place() {
    Mapping map(joined_.file, sizeof(Board));
    if (!map) return false;
    map.hide_from_children();
    joined_.board = joined_board = static_cast<Board*>(map.base());
    map.keep();
    joined_folder = folder_;
    Board& board = *joined_.board;
    if (board.magic == 0) board.magic = kMagic;
    if (board.magic != kMagic) {
        why_ = "a different version of the sanitizer runs in this job";
        return false;
    }
    const Process& p = process();
    for (const std::uint32_t i : present())
        if (board.places[i].world_rank == p.world_rank && is_locked(joined_.file, Board::kPlaces + i)) {
            why_ = "another process of this job is already rank " + std::to_string(p.world_rank);
            return false;
        }
    for (place_ = 0; place_ < kLocalRanks; ++place_) {
        Board::Place& place = board.places[place_];
        if (place.state.load() != Seat::kFree) continue;
        place.world_rank = p.world_rank;
        place.world_size = p.world_size;
        place.process = p.process;
        place.started = started(p.process);
        place.options = hash_text(p.options.text + (p.options.strict ? "strict" : ""));
        if (!lock_byte(joined_.file, Board::kPlaces + place_)) break;
        place.state.store(Seat::kTaken, std::memory_order_release);
        return true;
    }
    why_ = "too many ranks on this host for the board in " + folder_;
    return false;
}

bool Gathering::enter() {
    identity_ = job_identity(process().world_size);
    why_ = "cannot join the other ranks in " + user_folder();
    if (!open_board(deadline_)) return false;
    const bool seated = take_place();
    unlock_byte(joined_.file, Board::kDoor);
    return seated;
}

std::int32_t Gathering::expected() const {
    const Launched said = launched();
    const std::int32_t world = process().world_size;
    return said.total == world && said.here > 0 ? std::min(said.here, world) : world;
}

std::vector<std::uint32_t> Gathering::present() const {
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < kLocalRanks; ++i)
        if (joined_.board->places[i].state.load(std::memory_order_acquire) != Seat::kFree) places.push_back(i);
    std::ranges::sort(places, {}, [this](std::uint32_t i) { return joined_.board->places[i].world_rank; });
    return places;
}

void Gathering::decide(Agreement agreement, const std::string& reason) {
    Board& board = *joined_.board;
    const bool locked = wait_until([this] { return decided() || lock_byte(joined_.file, Board::kDoor); }, deadline());
    Agreement open = Agreement::kOpen;
    if (locked && !decided()) {
        std::memcpy(board.reason, reason.data(), std::min(reason.size(), sizeof board.reason - 1));
        board.agreement.compare_exchange_strong(open, agreement, std::memory_order_acq_rel);
    }
    unlock_byte(joined_.file, Board::kDoor);
}

bool Gathering::propose(const std::vector<std::uint32_t>& places, bool in_folder, std::string& why) {
    const Process& p = process();
    Board& board = *joined_.board;
    const Plan plan{static_cast<std::uint32_t>(places.size()),
                    p.options.history,
                    p.options.communicators,
                    p.world_size,
                    identity_,
                    host_name(),
                    library_,
                    p.options.text,
                    folder_};
    const std::string path = make_segment(plan, in_folder, why);
    if (path.empty()) return false;
    {
        Mapping map = open_segment(path);
        if (!map) return false;
        const Ledger ledger(map.base());
        for (std::uint32_t i = 0; i < places.size(); ++i) {
            const Board::Place& place = board.places[places[i]];
            RankBlock& block = ledger.rank(i);
            block.world_rank = place.world_rank;
            block.process = place.process;
            block.process_started = place.started;
            block.state.store(RankState::kRunning, std::memory_order_relaxed);
        }
    }
    std::memcpy(board.segment, path.c_str(), std::min(path.size() + 1, sizeof board.segment));
    for (const std::uint32_t i : places) board.places[i].state.store(Seat::kTaken, std::memory_order_relaxed);
    board.proposal.fetch_add(1, std::memory_order_release);
    const auto all_answered = [&] {
        answer();
        return std::ranges::all_of(places, [&](std::uint32_t i) {
            return board.places[i].state.load(std::memory_order_acquire) != Seat::kTaken;
        });
    };
    if (!wait_until(all_answered, deadline())) {
        why = kLate;
    } else if (std::ranges::all_of(places,
                                   [&](std::uint32_t i) { return board.places[i].state.load() == Seat::kAttached; })) {
        return true;
    } else {
        why = "not all ranks can share memory";
    }
    unlink(path.c_str());
    return false;
}

// The lowest rank of the host decides, once all are there.
void Gathering::lead(const std::vector<std::uint32_t>& places) {
    const Board& board = *joined_.board;
    for (const std::uint32_t i : places) {
        if (board.places[i].world_size != process().world_size)
            return decide(Agreement::kPassive, "the ranks disagree on the size of the job");
        if (board.places[i].options != own().options)
            return decide(Agreement::kPassive, "JAXMPI_SANITIZE_OPTIONS differs between ranks");
    }
    std::string memory, file;
    reap_stale(folder_);
    if (propose(places, false, memory)) return decide(Agreement::kActive, "");
    if (memory == kLate) return decide(Agreement::kPassive, memory);
    if (propose(places, true, file)) return decide(Agreement::kActive, "");
    decide(Agreement::kPassive, "no ledger: " + memory + "; " + file);
}

// Tries the segment that is proposed now.
void Gathering::answer() {
    Board& board = *joined_.board;
    const std::uint32_t proposal = board.proposal.load(std::memory_order_acquire);
    if (proposal == answered_) return;
    answered_ = proposal;
    mapped_path_ = text_of(board.segment, sizeof board.segment);
    mapped_ = open_segment(mapped_path_);
    if (mapped_) {
        const Ledger ledger(mapped_.base());
        local_ = 0;
        while (local_ < ledger.layout().local_ranks && ledger.rank(local_).world_rank != process().world_rank) ++local_;
        if (local_ == ledger.layout().local_ranks || !lock_byte(joined_.file, Board::kRanks + local_)) mapped_ = {};
    }
    own().state.store(mapped_ ? Seat::kAttached : Seat::kRefused, std::memory_order_release);
}

Met Gathering::run() {
    Met met;
    met.speaks = true;
    deadline_ = deadline();
    if (!enter()) {
        met.refusal = why_;
        return met;
    }
    const auto needed = static_cast<std::size_t>(expected());
    std::vector<std::uint32_t> places;
    const auto all_here = [&] { return decided() || (places = present()).size() >= needed; };
    if (!wait_until(all_here, deadline_)) {
        std::string missing = std::to_string(needed - std::min(needed, places.size())) + " of " +
                              std::to_string(needed) +
                              " ranks on this host run without the sanitizer (is JAXMPI_SANITIZE set on all of them?)";
        decide(Agreement::kPassive, missing);
    } else if (!decided() && places.front() == place_) {
        lead(places);
    } else {
        const auto settled = [this] {
            answer();
            return decided();
        };
        if (!wait_until(settled, deadline() + (deadline() - Clock::now()) * 2))
            decide(Agreement::kPassive, "the ranks did not agree in time");
    }
    Board& board = *joined_.board;
    places = present();
    if (board.agreement.load(std::memory_order_acquire) != Agreement::kActive || !mapped_) {
        met.refusal = text_of(board.reason, sizeof board.reason);
        if (met.refusal.empty()) met.refusal = "the ranks of this job did not agree on a ledger";
        met.speaks = first_to_say(hash_text("passive"));
        return met;
    }
    met.local = local_;
    met.segment = mapped_path_;
    met.ledger = std::move(mapped_);
    return met;
}

}  // namespace

Met meet(const std::string& library) { return Gathering(library).run(); }

std::string leave_board() {
    if (Board* const board = std::exchange(joined_board, nullptr)) munmap(board, sizeof(Board));
    return joined_folder;
}

bool first_to_say(std::uint64_t hash) {
    if (joined_board == nullptr) return true;
    hash |= 1;
    for (auto& said : joined_board->said) {
        std::uint64_t free = 0;
        if (said.compare_exchange_strong(free, hash, std::memory_order_acq_rel)) return true;
        if (free == hash) return false;
    }
    return false;
}

}  // namespace jaxmpi
