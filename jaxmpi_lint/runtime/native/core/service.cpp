#include "service.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>

#include "closing.hpp"
#include "futex.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kStack = std::size_t{512} << 10;

void answer_stacks(RankBlock& block) {
    std::uint32_t threads = 0;
    const std::size_t length = read_stacks(block.stacks, sizeof block.stacks, &threads);
    block.stacks[std::min(length, sizeof block.stacks - 1)] = 0;
    block.python_threads.store(threads, std::memory_order_relaxed);
}

void* serve(void*) {
    RankBlock& block = *process().block;
    for (std::uint32_t seen = 0;;) {
        const std::uint32_t command = block.command.load(std::memory_order_acquire);
        if (command == seen) {
            futex_wait(block.command, seen);
            continue;
        }
        seen = command;
        switch (static_cast<Command>(command & 0xff)) {
            case Command::kStacks:
                answer_stacks(block);
                break;
            case Command::kEnd:
                end_process(static_cast<std::int32_t>(process().ledger.header().exit_code.load()));
            case Command::kNothing:
                break;
        }
        block.answered.store(command >> 8, std::memory_order_release);
        futex_wake(block.answered);
    }
}

}  // namespace

void start_service() {
    sigset_t all, before;  // the program's signals are for the program's threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStack);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread{};
    if (pthread_create(&thread, &attributes, serve, nullptr) == 0) pthread_setname_np(thread, "jaxmpi-sanitize");
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

std::uint32_t send_command(RankBlock& rank, Command command) {
    std::uint32_t before = rank.command.load(std::memory_order_acquire), after = 0;
    do {
        if (static_cast<Command>(before & 0xff) == Command::kEnd) return before >> 8;  // nothing comes after it
        after = ((before >> 8) + 1) << 8 | static_cast<std::uint32_t>(command);
    } while (!rank.command.compare_exchange_weak(before, after, std::memory_order_acq_rel));
    futex_wake(rank.command);
    return after >> 8 & 0xffffff;
}

}  // namespace jaxmpi
