#include "requests.hpp"

#include <sched.h>

#include <new>
#include <utility>

#include "sole_thread.hpp"
#include "thread.hpp"

namespace jaxmpi {

class RequestTable::Locked {
  public:
    explicit Locked(Shard& shard) : shard_(shard), alone_(SoleThread::enter()) {
        if (alone_) return;
        for (int spins = 0; shard_.busy.exchange(1, std::memory_order_acquire) != 0; ++spins)
            if (spins > 100) sched_yield();
    }
    ~Locked() { alone_ ? SoleThread::leave() : shard_.busy.store(0, std::memory_order_release); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;

  private:
    Shard& shard_;
    const bool alone_;
};

RequestTable::~RequestTable() {
    const auto free_all = [](Request* first) {
        while (first != nullptr) delete std::exchange(first, first->next);
    };
    for (Shard& shard : shards_) {
        free_all(shard.spare);
        for (Bucket& bucket : shard.buckets) free_all(bucket.first);
    }
}

void Request::assign(const Request& made) {
    handle = made.handle;
    storage = made.storage;
    next = nullptr;
    serial = made.serial;
    site = made.site;
    function = made.function;
    persistent = made.persistent;
    active = made.active;
    claimed = cancelled = false;
    sends = made.sends;
    receives = made.receives;
    collective = made.collective;
    awaits_agreement = made.awaits_agreement;
    if (sends) out = made.out;
    if (receives) in = made.in;
    if (!collective) return;
    wait = made.wait;
    completed = made.completed;
}

Request* RequestTable::insert(const Request& made) {
    Shard& shard = shard_of(made.handle);
    const Locked locked(shard);
    Request* request = shard.spare;
    if (request != nullptr) {
        shard.spare = request->next;
    } else {
        if (made_.fetch_add(1, std::memory_order_relaxed) >= kOpen) return nullptr;
        request = new (std::nothrow) Request;
        if (request == nullptr) return nullptr;
    }
    request->assign(made);
    Bucket& bucket = bucket_of(shard, made.handle);
    (bucket.last == nullptr ? bucket.first : bucket.last->next) = request;
    bucket.last = request;
    return request;
}

Request* RequestTable::claim(Word handle, Word storage) {
    constexpr int kLooks = 64;  // past so many of one handle any will do
    Shard& shard = shard_of(handle);
    const Locked locked(shard);
    Request* found = nullptr;
    int looks = 0;
    for (Request* r = bucket_of(shard, handle).first; r != nullptr; r = r->next) {
        if (r->handle != handle || r->claimed) continue;
        if (found == nullptr || r->storage == storage) found = r;
        if (r->storage == storage || ++looks > kLooks) break;
    }
    if (found != nullptr) found->claimed = true;
    return found;
}

void RequestTable::release(Request* request) {
    const Locked locked(shard_of(request->handle));
    request->claimed = false;
}

void RequestTable::remove(Request* claimed) {
    Shard& shard = shard_of(claimed->handle);
    const Locked locked(shard);
    Bucket& bucket = bucket_of(shard, claimed->handle);
    Request* before = nullptr;
    for (Request* r = bucket.first; r != nullptr && r != claimed; r = r->next) before = r;
    (before == nullptr ? bucket.first : before->next) = claimed->next;
    if (bucket.last == claimed) bucket.last = before;
    if (claimed->completed) claimed->completed = nullptr;
    claimed->next = shard.spare;
    shard.spare = claimed;
}

void RequestTable::each(const std::function<void(const Request&)>& visit) {
    for (Shard& shard : shards_) {
        const Locked locked(shard);
        for (const Bucket& bucket : shard.buckets)
            for (const Request* r = bucket.first; r != nullptr; r = r->next) visit(*r);
    }
}

RequestTable& requests() {
    static RequestTable* const table = new RequestTable;  // never destroyed: threads may outlive main
    return *table;
}

RequestTable& matched_messages() {
    static RequestTable* const table = new RequestTable;
    return *table;
}

void track_collective(Tracked&& tracked) {
    Request made;
    made.handle = handle(tracked.request);
    made.site = tracked.site;
    made.persistent = tracked.persistent;
    made.active = !tracked.persistent;
    made.collective = true;
    made.awaits_agreement = tracked.awaits_agreement;
    made.wait = tracked.wait;
    made.completed = std::move(tracked.completed);
    if (made.handle == process().request_null) return;
    if (requests().insert(made) == nullptr && process().block != nullptr)
        process().block->uncertain.store(1, std::memory_order_relaxed);
}

}  // namespace jaxmpi
