#include "thread.hpp"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "findings.hpp"
#include "native_sites.hpp"
#include "per_thread.hpp"

namespace jaxmpi {
namespace {

std::atomic<SiteReader> site_reader{nullptr};
std::atomic<StackReader> stack_reader{nullptr};

constinit thread_local ThreadContext own JAXMPI_NEAR;

// Gives the slot back when the thread ends; its history remains.
struct Ending {
    ThreadBlock* block = nullptr;
    ~Ending() {
        if (block != nullptr && own_process() == process().process)
            block->activity.store(Activity::kEnded, std::memory_order_release);
    }
};
thread_local Ending ending;

void note_process() { process().running.store(static_cast<std::int32_t>(getpid()), std::memory_order_relaxed); }

[[gnu::cold, gnu::noinline]] std::int32_t ask_process() {
    note_process();
    static const int registered = pthread_atfork(nullptr, nullptr, note_process);
    (void)registered;
    return process().running.load(std::memory_order_relaxed);
}

// Unlike a destructor of C++, it is called again for a thread that has called MPI since; and not for the main thread.
void unregister(void* thread) {
    auto& ended = *static_cast<ThreadContext*>(thread);
    remove_reader(ended.reader);
    ended.attached = false;
}

void register_reader(ThreadContext& thread) {
    static const pthread_key_t key = [] {
        pthread_key_t made{};
        pthread_key_create(&made, unregister);
        return made;
    }();
    add_reader(thread.reader);
    pthread_setspecific(key, &thread);
}

[[gnu::cold]] void attach(ThreadContext& thread) {
    thread.attached = true;
    SoleThread::arrive();
    register_reader(thread);
    if (thread.block != nullptr) return;  // it has ended, but for its last destructors
    RankBlock& rank = *process().block;
    for (std::uint32_t i = 0; i < kThreads; ++i) {
        ThreadBlock& block = rank.threads[i];
        for (const Activity reusable : {Activity::kFree, Activity::kEnded}) {
            Activity expected = reusable;
            if (!block.activity.compare_exchange_strong(expected, Activity::kRunning)) continue;
            block.kernel_id = static_cast<std::int32_t>(syscall(SYS_gettid));
            thread.slot = i;
            thread.block = ending.block = &block;
            return;
        }
    }
    rank.uncertain.store(1, std::memory_order_relaxed);
}

}  // namespace

[[gnu::hot]] ThreadContext& this_thread() {
    if (!own.attached && process().block != nullptr) [[unlikely]]
        attach(own);
    return own;
}

[[gnu::hot]] std::int32_t own_process() {
    const std::int32_t known = process().running.load(std::memory_order_relaxed);
    return known != 0 ? known : ask_process();
}

void set_site_reader(SiteReader reader) { site_reader.store(reader, std::memory_order_release); }

[[gnu::hot]] std::uint32_t call_site() {
    if (own.site != kNone) [[unlikely]]
        return own.site;
    const SiteReader reader = site_reader.load(std::memory_order_acquire);
    if (own.depth == 0) return reader == nullptr ? kNone : reader();
    return reader == nullptr ? native_site(own.caller) : native_site_in_python(own.caller, reader());
}

std::uint32_t claim_site() {
    const std::uint32_t index = process().block->site_count.fetch_add(1, std::memory_order_relaxed);
    if (index < kSites) return index;
    if (process().ledger.header().sites_overflow.exchange(1) == 0)
        say("more lines with MPI calls than the ledger can hold: reports about further lines do not name them");
    return kNone;
}

std::uint32_t write_path(const Route& route) {
    const std::uint32_t index = process().block->path_count.fetch_add(1, std::memory_order_relaxed);
    if (index >= kPaths) {
        if (process().ledger.header().paths_overflow.exchange(1) == 0)
            say("more ways to reach MPI calls than the ledger can hold: further ones are reported without callers");
        return route.site;
    }
    CallPath& path = process().ledger.paths(process().local)[index];
    path.site = route.site;
    std::ranges::copy(route.callers, std::begin(path.callers));
    path.handled = route.handled;
    path.state.store(1, std::memory_order_release);
    return kSites + index;
}

void set_stack_reader(StackReader reader) { stack_reader.store(reader, std::memory_order_release); }

std::size_t read_stacks(char* out, std::size_t size, std::uint32_t* python_threads) {
    const StackReader reader = stack_reader.load(std::memory_order_acquire);
    return reader == nullptr ? 0 : reader(out, size, python_threads);
}

}  // namespace jaxmpi
