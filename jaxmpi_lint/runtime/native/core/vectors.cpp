#include "vectors.hpp"

#include "datatypes.hpp"
#include "distant_parts.hpp"
#include "hashing.hpp"

namespace jaxmpi {
namespace {

// One side of the arguments: a count for each peer, or one for all; a type for each, or one.
class SideOf {
  public:
    SideOf(const Call& call, bool sending)
        : call_(call),
          counts_(sending ? Role::kSendcounts : Role::kRecvcounts),
          count_(sending ? Role::kSendcount : Role::kRecvcount),
          types_(sending ? Role::kSendtypes : Role::kRecvtypes) {
        const Role type = sending ? Role::kSendtype : Role::kRecvtype;
        if (call.has(type)) one_ = type_signature(handle(call[type]));
    }

    std::int64_t elements(std::size_t peer) const {
        return call_.has(counts_) ? count_at(call_.info, call_[counts_], peer) : count(call_.info, call_[count_]);
    }
    Part part(std::size_t peer) const {
        const TypeSignature type = call_.has(types_) ? type_signature(handle_at(call_[types_], peer)) : one_;
        const std::int64_t many = elements(peer);
        Part part;
        if (many > 0) part.bytes = static_cast<std::uint32_t>(type.bytes * static_cast<std::uint64_t>(many));
        const bool told = type.known && !type.mixed() && type.base >= Base::kSigned;
        if (told) part.type = coded(type.base, type.width, type.hash);
        return part;
    }

  private:
    const Call& call_;
    Role counts_, count_, types_;
    TypeSignature one_;
};

bool in_place(const Call& call) { return call[Role::kSendbuf] == process().abi->in_place; }

// Of what this rank sends to each other in a collective, or receives from it.
class Keys {
  public:
    Keys(const Communicator& comm, std::uint64_t ordinal) : comm_(comm), base_(combine(comm.id, ordinal)) {}

    // Whether the other is one with whom there is anything to compare.
    bool has(std::int32_t peer) const {
        return peer != comm_.rank && process().local_of_world(comm_.world[static_cast<std::size_t>(peer)]) != kNone;
    }
    std::uint64_t of(std::int32_t peer, bool sending) const {
        const auto source = static_cast<std::uint64_t>(sending ? comm_.rank : peer);
        const auto destination = static_cast<std::uint64_t>(sending ? peer : comm_.rank);
        return mix(base_ ^ (source << 32 | (destination + 1)));
    }

  private:
    const Communicator& comm_;
    std::uint64_t base_;
};

class Comparison {
  public:
    Comparison(const Communicator& comm, std::uint64_t ordinal, Disagreement& found)
        : found_(found), keys_(comm, ordinal) {}

    // Compares what this rank sends to `peer`, or receives from it.
    bool differs(const SideOf& side, std::int32_t peer, bool sending) const {
        if (!keys_.has(peer)) return false;
        const Part mine = side.part(static_cast<std::size_t>(peer));
        Part theirs;
        if (offer(process().ledger.parts(), keys_.of(peer, sending), mine, theirs) != Offer::kDiffers) return false;
        found_ = {peer, sending, mine, theirs};
        return true;
    }

  private:
    Disagreement& found_;
    Keys keys_;
};

// Calls `visit(side, peer, sending)` for each part that this rank sends or receives, until one returns true.
template <class Visit>
bool any_part(const Call& call, const Communicator& comm, std::int32_t root, const Visit& visit) {
    const auto any = [&](const SideOf& side, bool sending) {
        bool found = false;
        for (std::int32_t peer = 0; peer < comm.size && !found; ++peer) found = visit(side, peer, sending);
        return found;
    };
    const bool at_root = comm.rank == root;
    switch (call.info.flow) {
        case Flow::kToRoot:
            return at_root ? any(SideOf(call, false), false) : visit(SideOf(call, true), root, true);
        case Flow::kFromRoot:
            return at_root ? any(SideOf(call, true), true) : visit(SideOf(call, false), root, false);
        default: {
            const SideOf receiving(call, false);
            const SideOf sending(call, !in_place(call));
            return any(sending, true) || any(receiving, false);
        }
    }
}

}  // namespace

bool parts_differ(const Call& call, const Communicator& comm, std::int32_t root, std::uint64_t ordinal,
                  Disagreement& found) {
    if (comm.inter) return false;
    if (call.info.data == Data::kGathered) {
        // The arrays of counts are compared as such; this rank's own contribution with its place in its own array.
        if (in_place(call)) return false;
        const Part sent = SideOf(call, true).part(0);
        const Part expected = SideOf(call, false).part(static_cast<std::size_t>(comm.rank));
        found = {comm.rank, true, sent, expected};
        return !sent.agrees(expected);
    }
    Comparison comparison(comm, ordinal, found);
    return any_part(call, comm, root, [&](const SideOf& side, std::int32_t peer, bool sending) {
        return comparison.differs(side, peer, sending);
    });
}

void keep_distant_parts(const Call& call, const Communicator& comm, std::int32_t root, std::uint64_t ordinal) {
    if (comm.inter || call.info.data == Data::kGathered) return;
    DistantParts parts(comm, ordinal);
    if (!parts.kept()) return;
    any_part(call, comm, root, [&](const SideOf& side, std::int32_t peer, bool sending) {
        parts.add(peer, sending, side.part(static_cast<std::size_t>(peer)));
        return false;
    });
    parts.finish();
}

void take_back_parts(Function blocking, const Communicator& comm, std::uint64_t ordinal) {
    if (comm.inter || !is_vector(blocking)) return;
    const Keys keys(comm, ordinal);
    for (std::int32_t peer = 0; peer < comm.size; ++peer) {
        if (!keys.has(peer)) continue;
        take_back(process().ledger.parts(), keys.of(peer, true));
        take_back(process().ledger.parts(), keys.of(peer, false));
    }
}

bool receives_from_all(const Call& call, const Communicator& comm, std::int32_t root) {
    if (!is_vector(call.info.blocking)) return true;
    if (comm.inter) return false;  // what is significant depends on the group, and nothing is certain there anyway
    if (call.info.flow == Flow::kFromRoot) return comm.rank != root && SideOf(call, false).elements(0) > 0;
    if (call.info.flow == Flow::kToRoot && comm.rank != root) return false;
    const SideOf side(call, false);
    for (std::int32_t peer = 0; peer < comm.size; ++peer)
        if (peer != comm.rank && side.elements(static_cast<std::size_t>(peer)) <= 0) return false;
    return true;
}

}  // namespace jaxmpi
