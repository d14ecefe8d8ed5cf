// Counting without locks goes on exactly when a second thread comes in the midst of it.
#include "sole_thread.hpp"

#include <cstdint>
#include <thread>

#include "expect.hpp"

using jaxmpi::SoleThread;

int main() {
    std::atomic<std::uint64_t> counter{0};
    std::atomic<bool> halfway{false};
    constexpr std::uint64_t kEach = 2'000'000;
    SoleThread::arrive();
    std::thread second([&] {
        while (!halfway.load()) std::this_thread::yield();
        SoleThread::arrive();
        for (std::uint64_t i = 0; i < kEach; ++i) SoleThread::add(counter, std::uint64_t{1});
    });
    for (std::uint64_t i = 0; i < kEach; ++i) {
        SoleThread::add(counter, std::uint64_t{1});
        if (i == kEach / 8) halfway.store(true);
    }
    second.join();
    expect_equal(static_cast<long long>(counter.load()), 2 * kEach);
    expect(!SoleThread::enter());
}
