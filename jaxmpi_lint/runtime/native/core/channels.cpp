#include "channels.hpp"

#include <sched.h>

#include <chrono>

namespace jaxmpi {
namespace {

constexpr std::uint32_t kProbes = 256;  // neighbours looked at before the table counts as full
constexpr int kLooks = 1 << 10;         // at a slot that is being filled, before yielding the processor
constexpr auto kPatience = std::chrono::seconds(1);
constexpr std::uint32_t kFree = 0, kClaimed = 1, kInUse = 2, kGivenUp = 3;

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
    std::uint32_t free = kFree;
    if (!channel.state.compare_exchange_strong(free, kClaimed, std::memory_order_acquire)) return false;
    channel.communicator = key.communicator;
    channel.communicator_id = key.communicator_id;
    channel.source = key.source;
    channel.destination = key.destination;
    channel.tag = key.tag;
    channel.site.store(kNone, std::memory_order_relaxed);
    channel.state.store(kInUse, std::memory_order_release);
    return true;
}

// The state once it is not being filled any more. Who fills it may have to wait for a processor, or has died.
std::uint32_t settled(Channel& channel) {
    std::uint32_t state = channel.state.load(std::memory_order_acquire);
    const auto begin = std::chrono::steady_clock::now();
    for (int look = 0; state == kClaimed; ++look) {
        if (look >= kLooks) sched_yield();
        const bool enough = look >= kLooks && std::chrono::steady_clock::now() - begin > kPatience;
        if (enough && channel.state.compare_exchange_strong(state, kGivenUp, std::memory_order_acq_rel))
            return kGivenUp;
        state = channel.state.load(std::memory_order_acquire);
    }
    return state;
}

}  // namespace

Channel* find_channel(const Ledger& ledger, const ChannelKey& key) {
    Channel* const channels = ledger.channels();
    const std::uint32_t home = home_of(key);
    for (std::uint32_t i = 0; i < kProbes; ++i) {
        Channel& channel = channels[(home + i) % kChannels];
        const std::uint32_t state = channel.state.load(std::memory_order_acquire);
        if (state == kFree && claim(channel, key)) return &channel;
        if (state != kInUse && settled(channel) != kInUse) break;  // whether the key is there cannot be known any more
        if (has(channel, key)) return &channel;
    }
    ledger.header().channels_overflow.store(1, std::memory_order_relaxed);
    return nullptr;
}

}  // namespace jaxmpi
