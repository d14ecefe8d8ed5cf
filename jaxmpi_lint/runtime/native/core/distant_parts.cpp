#include "distant_parts.hpp"

#include <algorithm>

#include "hashing.hpp"

namespace jaxmpi {
namespace {

constexpr std::uint64_t kOfKinds = 0x9e3779b97f4a7c15;

bool may_have_any(const Communicator& comm) {
    const Process& p = process();
    return p.ledger.layout().other_hosts && comm.lane != nullptr && comm.size > static_cast<int>(comm.members_here) &&
           2 * static_cast<std::uint64_t>(comm.size) <= p.ledger.layout().history;
}

std::uint64_t base_of(const Communicator& comm, std::uint64_t ordinal) { return combine(comm.id, ordinal); }

// What a part adds to the sums: equal on both sides but for the sign. Where there is nothing its type means nothing.
struct Terms {
    std::uint64_t size, kind;

    Terms(std::uint64_t base, std::int32_t own, std::int32_t peer, bool sending, const Part& part) {
        const auto source = static_cast<std::uint32_t>(sending ? own : peer);
        const auto destination = static_cast<std::uint32_t>(sending ? peer : own);
        const std::uint64_t pair = combine(base, std::uint64_t{source} << 32 | destination);
        const std::uint64_t type = part.bytes == 0 ? 0 : part.type;
        size = combine(pair, part.bytes);
        kind = combine(pair ^ kOfKinds, type << 32 | part.bytes);
        if (!sending) size = -size, kind = -kind;
    }
};

void add_to(Shared<std::uint64_t>& sum, std::uint64_t terms) {
    sum.store(sum.load(std::memory_order_relaxed) + terms, std::memory_order_relaxed);
}

void write(const Communicator& comm, std::uint64_t ordinal, std::int32_t peer, bool sending, const Part& part) {
    const Process& p = process();
    const std::uint64_t position = p.block->distant.fetch_add(1, std::memory_order_relaxed);
    DistantPart& at = p.ledger.distant_parts(p.local)[position % p.ledger.layout().history];
    at.serial.store(0, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    at.ordinal = ordinal;
    at.communicator = comm.index;
    at.peer = comm.world[static_cast<std::size_t>(peer)];
    at.bytes = part.bytes;
    at.type = part.type;
    at.sending = sending ? 1 : 0;
    at.serial.store(position + 1, std::memory_order_release);
}

// The place of a rank of the world in the communicator.
std::int32_t place_of_world(const Communicator& comm, std::int32_t world) {
    const auto found = std::ranges::find(comm.world, world);
    return static_cast<std::int32_t>(found - comm.world.begin());
}

}  // namespace

DistantParts::DistantParts(const Communicator& comm, std::uint64_t ordinal)
    : comm_(comm), ordinal_(ordinal), base_(base_of(comm, ordinal)), kept_(may_have_any(comm)) {}

void DistantParts::add(std::int32_t peer, bool sending, const Part& part) {
    const std::int32_t world = comm_.world[static_cast<std::size_t>(peer)];
    if (peer == comm_.rank || process().local_of_world(world) != kNone) return;
    const Terms terms(base_, comm_.rank, peer, sending, part);
    sizes_ += terms.size;
    kinds_ += terms.kind;
    write(comm_, ordinal_, peer, sending, part);
}

void DistantParts::finish() const {
    add_to(comm_.lane->sizes, sizes_);
    add_to(comm_.lane->kinds, kinds_);
}

void take_back_distant(const Communicator& comm, std::uint64_t ordinal) {
    if (!may_have_any(comm)) return;
    const Process& p = process();
    const std::uint64_t head = p.block->distant.load(std::memory_order_relaxed), history = p.ledger.layout().history;
    const std::uint64_t base = base_of(comm, ordinal);
    for (std::uint64_t at = head; at > 0 && head - at < history; --at) {
        DistantPart& one = p.ledger.distant_parts(p.local)[(at - 1) % history];
        if (one.serial.load(std::memory_order_relaxed) != at) continue;
        if (one.communicator != comm.index || one.ordinal != ordinal) continue;
        const Part part{one.type, one.bytes};
        const Terms terms(base, comm.rank, place_of_world(comm, one.peer), one.sending != 0, part);
        add_to(comm.lane->sizes, -terms.size);
        add_to(comm.lane->kinds, -terms.kind);
        one.serial.store(0, std::memory_order_release);
    }
}

}  // namespace jaxmpi
