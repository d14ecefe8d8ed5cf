#include <new>
#include <utility>

#include "agreement.hpp"
#include "completion.hpp"

namespace jaxmpi {
namespace {

Numbered collective(const Request& request) { return {request.wait.communicator, request.wait.ordinal}; }

}  // namespace

[[gnu::hot]] Batch::Batch(Word array, std::size_t size) : array_(array), size_(size), requests_(few_) {
    if (size > kFew) {
        many_.reset(new (std::nothrow) Request*[size]);
        requests_ = many_.get();
        if (requests_ == nullptr) size_ = 0;
    }
    for (std::size_t i = 0; i < size_; ++i) {
        const Word request = handle_at(array, i);
        requests_[i] = nullptr;
        if (request == process().request_null) continue;
        requests_[i] = requests().claim(request, array + i * process().abi->handle_size);
        if (requests_[i] == nullptr) ++unknown_;
    }
}

[[gnu::hot]] Batch::~Batch() {
    for (std::size_t i = 0; i < size_; ++i)
        if (requests_[i] != nullptr) requests().release(requests_[i]);
}

[[gnu::hot]] bool Batch::need_statuses() const {
    for (std::size_t i = 0; i < size_; ++i)
        if (requests_[i] != nullptr && needs_status(*requests_[i])) return true;
    return false;
}

[[gnu::hot]] bool Batch::may_wait() const {
    if (unknown_ != 0) return true;
    for (std::size_t i = 0; i < size_; ++i)
        if (requests_[i] != nullptr && jaxmpi::may_wait(*requests_[i])) return true;
    return false;
}

[[gnu::hot]] void Batch::add_waits(StateWriter& state, bool all) const {
    state->any_of = !all;
    for (std::size_t i = 0; i < size_; ++i) {
        const Request* request = requests_[i];
        if (request == nullptr) continue;
        if (all && size_ > kFew && satisfied(*request)) continue;
        jaxmpi::add_waits(state, *request);
    }
    if (unknown_ != 0) add_wait(state, Wait{WaitKind::kUnknown, 0, 0, 0, kNobody, kAny, kNone, 0});
}

bool Batch::withheld() const {
    for (std::size_t i = 0; i < size_; ++i)
        if (requests_[i] != nullptr && is_withheld(*requests_[i])) return true;
    return false;
}

void Batch::await_agreements() const {
    for (std::size_t i = 0; i < size_; ++i)
        if (requests_[i] != nullptr && is_withheld(*requests_[i])) await_agreement(collective(*requests_[i]));
}

void Batch::keep_going() const {
    for (std::size_t i = 0; i < size_; ++i)
        if (requests_[i] != nullptr && is_withheld(*requests_[i])) jaxmpi::keep_going(collective(*requests_[i]));
}

Masked::Masked(const Batch& batch) : batch_(batch) {
    for (std::size_t i = 0; i < batch.size_; ++i) {
        if (batch.requests_[i] == nullptr || !is_withheld(*batch.requests_[i])) continue;
        places_.push_back(i);
        store_handle_at(batch.array_, i, process().request_null);
    }
}

Masked::~Masked() {
    for (const std::size_t i : places_) store_handle_at(batch_.array_, i, batch_.requests_[i]->handle);
}

[[gnu::hot]] Word Batch::finish(std::size_t i, const Completion& completion, const Status* status, Word outcome) {
    if (requests_[i] == nullptr) return outcome;
    return completion.finish(std::exchange(requests_[i], nullptr), status, outcome);
}

bool Batch::gone(std::size_t i) const { return handle_at(array_, i) == process().request_null; }

namespace {

[[gnu::hot]] Word finish(Batch& batch, std::size_t i, const StatusArgument& status, const Completion& completion) {
    const Status seen = status.status();
    return batch.finish(i, completion, status.known() ? &seen : nullptr, completion.result);
}

}  // namespace

[[gnu::hot]] Word finish_one(Batch& batch, const StatusArgument& status, const Completion& completion) {
    return finish(batch, 0, status, completion);
}

Word finish_any(Batch& batch, const StatusArgument& status, const Completion& completion) {
    const std::int32_t index = *reinterpret_cast<const std::int32_t*>(completion.call[Role::kIndex]);
    if (index < 0 || static_cast<std::size_t>(index) >= batch.size()) return completion.result;
    return finish(batch, static_cast<std::size_t>(index), status, completion);
}

[[gnu::hot]] Word finish_all(Batch& batch, const StatusArray& statuses, const Completion& completion) {
    const Word result = completion.result;
    Word seen = result;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (!batch.knows(i)) continue;
        const Status status = statuses[i];
        Word outcome = result;
        if (integer(result) != 0) {
            if (!batch.gone(i) && !batch.persistent(i)) continue;
            outcome = statuses.known() ? static_cast<Word>(status.error()) : result;
            if (!batch.gone(i) && integer(outcome) != 0 && !is_truncation(outcome)) continue;
        }
        outcome = batch.finish(i, completion, statuses.known() ? &status : nullptr, outcome);
        if (integer(seen) == 0) seen = outcome;
    }
    return seen;
}

Word finish_some(Batch& batch, const StatusArray& statuses, const Completion& completion) {
    const Word result = completion.result;
    Word seen = result;
    const std::int32_t complete = *reinterpret_cast<const std::int32_t*>(completion.call[Role::kOutcount]);
    const auto* indices = reinterpret_cast<const std::int32_t*>(completion.call[Role::kIndices]);
    for (std::int32_t k = 0; k < complete; ++k) {
        const auto i = static_cast<std::size_t>(indices[k]);
        if (indices[k] < 0 || i >= batch.size()) continue;
        const Status status = statuses[static_cast<std::size_t>(k)];
        Word outcome = integer(result) != 0 && statuses.known() ? static_cast<Word>(status.error()) : result;
        outcome = batch.finish(i, completion, statuses.known() ? &status : nullptr, outcome);
        if (integer(seen) == 0) seen = outcome;
    }
    return seen;
}

[[gnu::hot]] StatusArray::StatusArray(Word& argument, std::size_t size, bool needed) : at_(argument) {
    if (argument != process().abi->statuses_ignore && argument != process().abi->status_ignore) return;
    at_ = 0;
    if (!needed) return;
    own_.reset(new (std::nothrow) std::byte[size * process().abi->status_size]);
    at_ = reinterpret_cast<Word>(own_.get());
    if (own_ != nullptr) argument = at_;
}

}  // namespace jaxmpi
