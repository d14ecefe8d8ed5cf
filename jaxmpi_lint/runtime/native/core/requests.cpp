#include "requests.hpp"

#include <sched.h>

#include <new>
#include <utility>

#include "per_thread.hpp"
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

void Request::clear() {
    serial = 0;
    persistent = active = claimed = cancelled = sends = receives = collective = awaits_agreement = false;
}

void RequestTable::append(Shard& shard, Request* request) {
    request->next = nullptr;
    Bucket& bucket = bucket_of(shard, request->handle);
    (bucket.last == nullptr ? bucket.first : bucket.last->next) = request;
    bucket.last = request;
}

void RequestTable::unlink(Shard& shard, const Request* request) {
    Bucket& bucket = bucket_of(shard, request->handle);
    Request* before = nullptr;
    for (Request* r = bucket.first; r != nullptr && r != request; r = r->next) before = r;
    (before == nullptr ? bucket.first : before->next) = request->next;
    if (bucket.last == request) bucket.last = before;
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
    append(shard, request);
    return request;
}

[[gnu::hot]] void RequestTable::put_in(Request* made) {
    Shard& shard = shard_of(made->handle);
    const Locked locked(shard);
    append(shard, made);
}

[[gnu::hot]] Request* RequestTable::claim(Word handle, Word storage) {
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

[[gnu::hot]] void RequestTable::release(Request* request) {
    const Locked locked(shard_of(request->handle));
    request->claimed = false;
}

void RequestTable::remove(Request* claimed) {
    Shard& shard = shard_of(claimed->handle);
    const Locked locked(shard);
    unlink(shard, claimed);
    claimed->completed = nullptr;
    claimed->next = shard.spare;
    shard.spare = claimed;
}

[[gnu::hot]] void RequestTable::take_out(Request* claimed) {
    Shard& shard = shard_of(claimed->handle);
    const Locked locked(shard);
    unlink(shard, claimed);
}

void RequestTable::give_back(Request* spare) {
    Shard& shard = shard_of(spare->handle);
    const Locked locked(shard);
    spare->next = shard.spare;
    shard.spare = spare;
}

void RequestTable::each(const std::function<void(const Request&)>& visit) {
    for (Shard& shard : shards_) {
        const Locked locked(shard);
        for (const Bucket& bucket : shard.buckets)
            for (const Request* r = bucket.first; r != nullptr; r = r->next) visit(*r);
    }
}

[[gnu::hot]] RequestTable& requests() {
    static RequestTable* const table = new RequestTable;  // never destroyed: threads may outlive main
    return *table;
}

RequestTable& matched_messages() {
    static RequestTable* const table = new RequestTable;
    return *table;
}

namespace {

// Requests that a thread has seen complete, for its next ones. The first is filled in where it lies: a copy would have
// to wait for what it is made of.
class Spares {
  public:
    Spares() = default;
    ~Spares() {
        while (first_ != nullptr) requests().give_back(pop());
    }
    Spares(const Spares&) = delete;
    Spares& operator=(const Spares&) = delete;

    Request& first() { return first_ != nullptr ? *first_ : none_; }
    bool is_first(const Request& request) const { return &request == first_; }
    bool are_few() const { return count_ < kMost; }
    void push(Request* request) {
        request->next = first_;
        first_ = request;
        ++count_;
    }
    Request* pop() {
        --count_;
        return std::exchange(first_, first_->next);
    }

  private:
    static constexpr std::uint32_t kMost = 64;  // one thread may complete what others make
    Request* first_ = nullptr;
    std::uint32_t count_ = 0;
    Request none_;  // to be copied
};

}  // namespace

[[gnu::hot]] Request& prepared() {
    Request& request = per_thread<Spares>().first();
    request.clear();
    return request;
}

[[gnu::hot]] void remember(Request& made) {
    auto& spares = per_thread<Spares>();
    if (spares.is_first(made)) [[likely]]
        return requests().put_in(spares.pop());
    if (requests().insert(made) == nullptr) process().block->uncertain.store(1, std::memory_order_relaxed);
}

[[gnu::hot]] void forget(Request* request) {
    requests().take_out(request);
    if (request->collective) request->completed = nullptr;
    auto& spares = per_thread<Spares>();
    if (spares.are_few()) [[likely]]
        spares.push(request);
    else
        requests().give_back(request);
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
