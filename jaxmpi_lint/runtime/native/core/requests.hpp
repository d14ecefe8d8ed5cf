// Requests of this process: what a Wait waits for, and what happens when it is done.
#pragma once

#include <functional>

#include "messages.hpp"

namespace jaxmpi {

// One request, from the call that made it until it is seen complete (persistent ones: until they are freed).
struct Request {
    Word handle = 0;
    Word storage = 0;  // where the program kept the handle: distinguishes requests that share one
    Request* next = nullptr;
    std::uint32_t serial = 0;  // of the record of the call that made or started it
    std::uint32_t site = kNone;
    Function function = Function::kNothing;
    bool persistent = false, active = false, claimed = false, cancelled = false;
    bool sends = false, receives = false, collective = false;  // which of the following are meant
    bool awaits_agreement = false;  // with `strict`: complete only when the monitors have compared it
    Message out, in;
    Wait wait{};
    std::function<void()> completed;

    void assign(const Request& made);  // copies only what is meant
    void clear();                      // means nothing
};

// Handles to requests. Several requests may have one handle at a time: MPI libraries give all sends that completed at
// once the same. Safe for any number of threads.
class RequestTable {
  public:
    RequestTable() = default;
    ~RequestTable();
    RequestTable(const RequestTable&) = delete;
    RequestTable& operator=(const RequestTable&) = delete;

    // Takes over what is to be known of a new request; nullptr: too many are open, it stays unknown.
    Request* insert(const Request& made);
    // The same without a copy, for one that was taken out.
    void put_in(Request* made);
    // The oldest unclaimed one of that handle, preferably the one kept at `storage`; claimed until `release`.
    Request* claim(Word handle, Word storage);
    void release(Request* request);
    void remove(Request* claimed);
    // The same, but it belongs to the caller then.
    void take_out(Request* claimed);
    void give_back(Request* spare);  // one that was taken out
    // Visits all; for the end of the program.
    void each(const std::function<void(const Request&)>& visit);

  private:
    static constexpr std::size_t kShards = 256, kBuckets = 16, kOpen = 1 << 17;
    struct Bucket {
        Request* first = nullptr;
        Request* last = nullptr;
    };
    struct alignas(64) Shard {
        std::atomic<std::uint32_t> busy{0};
        Request* spare = nullptr;
        Bucket buckets[kBuckets];
    };
    class Locked;
    static std::size_t hash(Word handle) { return static_cast<std::size_t>(handle * 0x9e3779b97f4a7c15 >> 40); }
    Shard& shard_of(Word handle) { return shards_[hash(handle) % kShards]; }
    static void append(Shard& shard, Request* request);
    static void unlink(Shard& shard, const Request* request);
    static Bucket& bucket_of(Shard& shard, Word handle) { return shard.buckets[hash(handle) / kShards % kBuckets]; }

    Shard shards_[kShards];
    std::atomic<std::size_t> made_{0};
};

RequestTable& requests();
// An empty request for the thread to fill in, and to put into the table by `remember`; the same again if it does not.
Request& prepared();
// Puts a new request into the table; if that is full, the rank can no longer be judged.
void remember(Request& made);
// Removes one that is complete and claimed.
void forget(Request* request);
RequestTable& matched_messages();  // MPI_Message handles: what a matched probe found

// A request that a collective made, so that waiting for it is waiting for `wait`. `completed` (may be empty) runs once
// when the request is seen to be complete: Comm_idup names its communicator then.
struct Tracked {
    Word request;
    Wait wait;
    std::uint32_t site;
    bool persistent;
    bool awaits_agreement = false;
    std::function<void()> completed = {};
};
void track_collective(Tracked&& tracked);

}  // namespace jaxmpi
