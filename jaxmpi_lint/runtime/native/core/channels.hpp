// The ledger's table of message channels.
#pragma once

#include "core.hpp"

namespace jaxmpi {

struct ChannelKey {
    std::uint64_t communicator_id;
    std::uint32_t communicator;
    std::int32_t source, destination, tag;
};

// The channel of a key, made if need be; nullptr once the table is full (the ledger says so then). Without locks: any
// number of processes may ask for the same new key at once and get the same channel.
Channel* find_channel(const Ledger& ledger, const ChannelKey& key);

}  // namespace jaxmpi
