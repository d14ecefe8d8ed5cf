#include <algorithm>
#include <cstring>
#include <memory>

#include "describe.hpp"

namespace nb = nanobind;

namespace jaxmpi {
namespace {

// Like a communicator of a snapshot, with the lane of one rank.
nb::dict describe_former(const Watched& watched, std::uint32_t local, const Former& one) {
    nb::dict lane;
    lane["rank"] = watched.ledger().rank(local).world_rank;
    lane["rank_in"] = one.rank;
    lane["count"] = one.count;
    lane["rolling"] = one.rolling;
    lane["fine"] = one.fine;
    lane["sizes"] = one.sizes;
    lane["kinds"] = one.kinds;
    lane["checkpoints"] = nb::list();
    lane["state"] = name_of(LaneState::kFreed);
    lane["wildcard_receives"] = 0;
    lane["site"] = describe_site(watched.ledger(), local, one.site);
    nb::list lanes;
    lanes.append(lane);
    nb::dict d;
    d["index"] = one.index;
    d["id"] = one.id;
    d["parent"] = 0;
    d["number"] = 0;
    d["size"] = one.size;
    d["kind"] = name_of(one.kind);
    d["private"] = one.private_ != 0;
    d["unchecked"] = one.unchecked != 0;
    d["failed"] = nb::none();
    d["name"] = nb::steal(
        PyUnicode_DecodeUTF8(one.name, static_cast<Py_ssize_t>(strnlen(one.name, sizeof one.name)), "replace"));
    d["lanes"] = lanes;
    d["remote"] = nb::list();
    return d;
}

}  // namespace

nb::list describe_formers(const Watched& watched, std::uint32_t local, std::size_t count) {
    const RankBlock& rank = watched.ledger().rank(local);
    const std::uint64_t head = rank.former_count.load(std::memory_order_acquire);
    const auto copy = std::make_unique<Former>();
    nb::list formers;
    for (std::uint64_t at = head - std::min<std::uint64_t>({count, head, kFormer}); at < head; ++at) {
        const Former& one = rank.former[at % kFormer];
        std::memcpy(static_cast<void*>(copy.get()), static_cast<const void*>(&one), sizeof one);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (copy->serial.load() == at + 1 && one.serial.load(std::memory_order_relaxed) == at + 1)
            formers.append(describe_former(watched, local, *copy));
    }
    return formers;
}

}  // namespace jaxmpi
