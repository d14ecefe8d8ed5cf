#include "series.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>

#include "core.hpp"

namespace jaxmpi {
namespace {

constexpr std::uint32_t kLeast = 16, kMost = 256;  // times in a row before a rank joins a series
constexpr auto kPatience = std::chrono::seconds(1);
constexpr int kLooks = 1024;  // before yielding the processor

struct SeriesWord {
    std::uint32_t number, joined, fingerprint;

    static constexpr std::uint32_t kNumbers = 1 << 28;
    static_assert(kLocalRanks < 1 << 12);

    constexpr std::uint64_t packed() const {
        return std::uint64_t{number} << 36 | std::uint64_t{joined} << 24 | fingerprint;
    }
    static constexpr SeriesWord unpacked(std::uint64_t word) {
        return {static_cast<std::uint32_t>(word >> 36), static_cast<std::uint32_t>(word >> 24 & 0xfff),
                static_cast<std::uint32_t>(word & 0xffffff)};
    }
    static SeriesWord of(const CommunicatorEntry& entry) {
        return unpacked(entry.series.load(std::memory_order_seq_cst));
    }
};

bool replace(CommunicatorEntry& entry, const SeriesWord& before, const SeriesWord& after) {
    std::uint64_t expected = before.packed();
    return entry.series.compare_exchange_strong(expected, after.packed(), std::memory_order_seq_cst);
}

// Short ones are not worth their ends.
void learn_from(SeriesMember& own, std::uint64_t ordinal) {
    const bool was_short = own.from == kNever || ordinal < own.from + 4 * own.patience;
    own.patience = was_short ? std::min(own.patience * 2, kMost) : kLeast;
}

std::uint64_t past_of_others(CommunicatorEntry& entry) {
    std::uint64_t most = 0;
    for (std::uint32_t i = 0; i < process().ledger.layout().local_ranks; ++i)
        if (i != process().local && (entry.members[i / 64] >> i % 64 & 1) != 0)
            most = std::max(most, entry.lanes()[i].series.past.load(std::memory_order_seq_cst));
    return most;
}

void raise(Shared<std::uint64_t>& least, std::uint64_t to) {
    std::uint64_t now = least.load(std::memory_order_seq_cst);
    while (now < to && !least.compare_exchange_weak(now, to, std::memory_order_seq_cst)) {
    }
}

// A member of one that has begun without it may still come; one of which others repeat something else is none for it.
void join(CommunicatorEntry& entry, SeriesMember& own, std::uint32_t fingerprint, std::uint64_t ordinal) {
    for (SeriesWord word = SeriesWord::of(entry); word.number == own.seen; word = SeriesWord::of(entry)) {
        if (word.joined != 0 && word.fingerprint != fingerprint) return;
        raise(entry.series_from, ordinal + 1);  // before the others can see that all ranks have joined
        if (!replace(entry, word, {word.number, word.joined + 1, fingerprint})) continue;
        own.joined = word.number;
        return;
    }
}

}  // namespace

void end_series(CommunicatorEntry& entry) {
    SeriesWord word = SeriesWord::of(entry);
    while (!replace(entry, word, {(word.number + 1) % SeriesWord::kNumbers, 0, 0})) word = SeriesWord::of(entry);
}

void reset(SeriesMember& own) {
    own.past.store(0, std::memory_order_relaxed);
    own.recorded.store(0, std::memory_order_relaxed);
    own.whole = own.others_past = 0;
    own.from = kNever;
    own.fingerprint = own.length = own.seen = 0;
    own.patience = kLeast;
    own.joined = kNone;
}

void look_at_series(CommunicatorEntry& entry, SeriesMember& own, std::uint32_t fingerprint, std::uint64_t ordinal) {
    SeriesWord word = SeriesWord::of(entry);
    while (word.number == own.joined && word.fingerprint != fingerprint) {
        replace(entry, word, {(word.number + 1) % SeriesWord::kNumbers, 0, 0});
        word = SeriesWord::of(entry);
    }
    if (word.number == own.seen) return;
    if (own.joined == own.seen) learn_from(own, ordinal);
    own.seen = word.number;
    own.from = kNever;
    own.length = 0;
    own.others_past = past_of_others(entry);
}

void follow_series(CommunicatorEntry& entry, SeriesMember& own, std::uint32_t members, std::uint32_t fingerprint,
                   std::uint64_t ordinal) {
    own.length = fingerprint == own.fingerprint ? own.length + 1 : 1;
    own.fingerprint = fingerprint;
    if (own.length < own.patience || own.from != kNever) return;
    if (own.joined != own.seen) join(entry, own, fingerprint, ordinal);
    const SeriesWord word = SeriesWord::of(entry);
    if (word.number != own.joined || word.joined != members) return;
    own.whole = word.packed();
    own.from = entry.series_from.load(std::memory_order_seq_cst);
}

void retract(SeriesMember& own, std::uint64_t ordinal) {
    own.recorded.store(ordinal, std::memory_order_seq_cst);
    if (own.past.load(std::memory_order_relaxed) > ordinal) own.past.store(ordinal, std::memory_order_seq_cst);
}

bool went_on(const SeriesMember& other, std::uint64_t ordinal) {
    std::chrono::steady_clock::time_point begin;
    for (int turn = 0; other.past.load(std::memory_order_seq_cst) > ordinal; ++turn) {
        if (other.recorded.load(std::memory_order_acquire) > ordinal) return true;
        if (turn < kLooks) continue;
        if (turn == kLooks) begin = std::chrono::steady_clock::now();
        if (std::chrono::steady_clock::now() - begin > kPatience) return false;  // it died in between
        sched_yield();
    }
    return false;
}

}  // namespace jaxmpi
