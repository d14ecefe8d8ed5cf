#include "channels.hpp"

namespace jaxmpi {
namespace {

constexpr std::uint32_t kProbes = 256;  // neighbours looked at before the table counts as full
constexpr int kPatience = 1 << 14;      // looks at a slot that somebody is filling

std::uint32_t home_of(const ChannelKey& key) {
    std::uint64_t h = key.communicator_id;
    for (const std::int32_t part : {key.source, key.destination, key.tag})
        h = (h ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15 ^ (h >> 29);
    return static_cast<std::uint32_t>(h >> 32) % kChannels;
}

bool has(const Channel& channel, const ChannelKey& key) {
    return channel.communicator_id == key.communicator_id && channel.source == key.source &&
           channel.destination == key.destination && channel.tag == key.tag;
}

bool claim(Channel& channel, const ChannelKey& key) {
    std::uint32_t free = 0;
    if (!channel.state.compare_exchange_strong(free, 1, std::memory_order_acquire)) return false;
    channel.communicator = key.communicator;
    channel.communicator_id = key.communicator_id;
    channel.source = key.source;
    channel.destination = key.destination;
    channel.tag = key.tag;
    channel.site.store(kNone, std::memory_order_relaxed);
    channel.state.store(2, std::memory_order_release);
    return true;
}

}  // namespace

Channel* find_channel(const Ledger& ledger, const ChannelKey& key) {
    Channel* const channels = ledger.channels();
    const std::uint32_t home = home_of(key);
    for (std::uint32_t i = 0; i < kProbes; ++i) {
        Channel& channel = channels[(home + i) % kChannels];
        std::uint32_t state = channel.state.load(std::memory_order_acquire);
        if (state == 0 && claim(channel, key)) return &channel;
        for (int look = 0; state != 2 && look < kPatience; ++look)
            state = channel.state.load(std::memory_order_acquire);
        if (state != 2) break;  // its maker died: whether the key is there cannot be known any more
        if (has(channel, key)) return &channel;
    }
    ledger.header().channels_overflow.store(1, std::memory_order_relaxed);
    return nullptr;
}

}  // namespace jaxmpi
