// The table of channels: found or made, by any number of processes at once; a full or broken one says so.
#include "channels.hpp"

#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "expect.hpp"
#include "ledger_memory.hpp"

using namespace jaxmpi;

namespace {

constexpr int kRanks = 4, kKeys = 3000;

ChannelKey key(int i) { return {0x1234567u + static_cast<unsigned>(i) / 1000, 0, i % 10, i / 10 % 10, i / 100}; }

void all_get_the_same() {
    const LedgerMemory memory(kRanks);
    std::vector<std::vector<Channel*>> found(kRanks, std::vector<Channel*>(kKeys));
    std::vector<std::thread> ranks;
    for (int rank = 0; rank < kRanks; ++rank)
        ranks.emplace_back([&, rank] {
            for (int i = 0; i < kKeys; ++i) {
                const int which = rank % 2 == 0 ? i : kKeys - 1 - i;
                found[rank][which] = find_channel(memory.ledger(), key(which));
                found[rank][which]->sent.fetch_add(1);
            }
        });
    for (std::thread& rank : ranks) rank.join();
    for (int i = 0; i < kKeys; ++i) {
        for (int rank = 1; rank < kRanks; ++rank) expect(found[rank][i] == found[0][i]);
        expect_equal(found[0][i]->sent.load(), kRanks);
        expect_equal(found[0][i]->tag, key(i).tag);
    }
    expect_equal(static_cast<long long>(std::set(found[0].begin(), found[0].end()).size()), kKeys);
    expect_equal(memory.ledger().header().channels_overflow.load(), 0);
}

void a_full_table_says_so() {
    const LedgerMemory memory(1);
    Channel* first = find_channel(memory.ledger(), {1, 0, 0, 0, 0});
    int tag = 1;
    while (find_channel(memory.ledger(), {1, 0, 0, 0, tag}) != nullptr)
        expect(++tag <= 2 * static_cast<int>(kChannels));
    expect_equal(memory.ledger().header().channels_overflow.load(), 1);
    expect(find_channel(memory.ledger(), {1, 0, 0, 0, 0}) == first);
}

// Who fills a slot may have to wait for a processor.
void a_slow_one_is_awaited() {
    const LedgerMemory memory(1);
    const ChannelKey wanted{1, 0, 2, 3, 4};
    Channel* const own = find_channel(memory.ledger(), wanted);
    own->state.store(1);
    std::thread slow([own] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        own->state.store(2);
    });
    expect(find_channel(memory.ledger(), wanted) == own);
    slow.join();
    expect_equal(memory.ledger().header().channels_overflow.load(), 0);
}

// A process killed while it wrote a key leaves a slot that will never be complete.
void a_broken_slot_holds_nobody_up() {
    const LedgerMemory memory(1);
    for (std::uint32_t i = 0; i < kChannels; ++i) memory.ledger().channels()[i].state.store(1);
    const auto begin = std::chrono::steady_clock::now();
    for (int turn = 0; turn < 100; ++turn) expect(find_channel(memory.ledger(), {1, 0, 0, 0, 0}) == nullptr);
    expect(std::chrono::steady_clock::now() - begin < std::chrono::seconds(20));  // not each time
    expect_equal(memory.ledger().header().channels_overflow.load(), 1);
}

}  // namespace

int main() {
    all_get_the_same();
    a_full_table_says_so();
    a_slow_one_is_awaited();
    a_broken_slot_holds_nobody_up();
}
