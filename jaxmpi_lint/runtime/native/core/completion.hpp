// Requests seen to be complete.
#pragma once

#include <memory>
#include <vector>

#include "requests.hpp"

namespace jaxmpi {

// What a call that completed `request` (claimed) has to write down: counts, a record, and the request's end.
// `status`: where the message came from, needed only for wildcards; nullptr: not known.
// Counts a receive that has returned `result`.
void settle(Message& message, const Status* status, Word result);
// Compares what a receive took with what was sent; the result that the program is to see.
Word checked(const Message& message, Word result, std::uint32_t site);

struct Completion {
    ThreadContext& thread;
    const Call& call;
    std::uint32_t site;
    std::uint64_t entered;
    Word result;
    Word finish(Request* request, const Status* status, Word outcome) const;  // what the program is to see
    void write(const Request& request, const Message& message, Word outcome) const;
};

inline bool needs_status(const Request& request) {
    return request.active && ((request.receives && request.in.wildcard) || request.cancelled);
}

// What waiting for the request is waiting for.
void add_waits(StateWriter& state, const Request& request);
// Whether a call can block in it.
bool may_wait(const Request& request);
// Whether the ledger knows already that it need not: its counterpart has come.
bool satisfied(const Request& request);
// Whether it is a collective that the monitors have not compared yet, with `strict`: it is not seen complete before.
bool is_withheld(const Request& request);

// The requests of one call, claimed for as long as it lasts.
class Batch {
  public:
    Batch(Word array, std::size_t size);
    ~Batch();
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    std::size_t size() const { return size_; }
    bool need_statuses() const;
    bool may_wait() const;  // one of them, or an unknown request
    void add_waits(StateWriter& state, bool all) const;
    Word finish(std::size_t i, const Completion& completion, const Status* status, Word outcome);
    bool gone(std::size_t i) const;  // the program's handle is MPI_REQUEST_NULL now
    bool withheld() const;           // one of them
    void await_agreements() const;
    void keep_going() const;  // for a call that does not wait: asks for agreements, and messages go on
    bool knows(std::size_t i) const { return requests_[i] != nullptr; }
    bool persistent(std::size_t i) const { return requests_[i]->persistent; }

  private:
    friend class Masked;
    static constexpr std::size_t kFew = 32;
    Word array_;
    std::size_t size_;
    std::size_t unknown_ = 0;  // handles that are not null but not in the table
    Request* few_[kFew];
    std::unique_ptr<Request*[]> many_;
    Request** requests_;
};

// As long as this lives, MPI_REQUEST_NULL stands for the requests of a batch that are withheld.
class Masked {
  public:
    explicit Masked(const Batch& batch);
    ~Masked();
    Masked(const Masked&) = delete;
    Masked& operator=(const Masked&) = delete;
    explicit operator bool() const { return !places_.empty(); }

  private:
    const Batch& batch_;
    std::vector<std::size_t> places_;
};

// The program's array of statuses, or ours if it passes none but the sender must be known.
class StatusArray {
  public:
    StatusArray(Word& argument, std::size_t size, bool needed);
    bool known() const { return at_ != 0; }
    Status operator[](std::size_t i) const { return Status(at_ + i * process().abi->status_size); }

  private:
    Word at_;
    std::unique_ptr<std::byte[]> own_;
};

inline std::size_t counted(Word count) { return integer(count) > 0 ? static_cast<std::size_t>(integer(count)) : 0; }

// What follows a call on a batch; all return what the program is to see of it.
Word finish_one(Batch& batch, const StatusArgument& status, const Completion& completion);
// The one that Waitany and Testany name.
Word finish_any(Batch& batch, const StatusArgument& status, const Completion& completion);
// All of them, or as many as an error left.
Word finish_all(Batch& batch, const StatusArray& statuses, const Completion& completion);
// Those that Waitsome and Testsome name.
Word finish_some(Batch& batch, const StatusArray& statuses, const Completion& completion);

}  // namespace jaxmpi
