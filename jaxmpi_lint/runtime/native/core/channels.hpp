// The ledger's table of message channels.
#pragma once

#include "core.hpp"

namespace jaxmpi {

struct ChannelKey {
    std::uint64_t communicator_id;
    std::uint32_t communicator;
    std::int32_t source, destination, tag;
};

// The channel of a key, created if needed; nullptr once the table is full (flagged in the ledger). Without locks: any
// number of processes may ask for the same new key at once and get the same channel.
Channel* find_channel(const Ledger& ledger, const ChannelKey& key);

}  // namespace jaxmpi
