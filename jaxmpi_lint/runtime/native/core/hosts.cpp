#include "hosts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include "closing.hpp"
#include "core.hpp"
#include "exchange.hpp"
#include "files.hpp"

namespace jaxmpi {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kLongest = 250;  // characters of what is published: MPICH takes 255
constexpr milliseconds kPause{1}, kMostPause{20};
constexpr const char* kSilent = "!the monitor did not start in time";
constexpr const char* kUnnamed = "the numbers of the ranks on this host are too irregular to be published";

std::unique_ptr<Exchange>& exchange = *new std::unique_ptr<Exchange>;  // of this host; MPI may be finalised very late

std::vector<std::int32_t> own_ranks() {
    const Ledger& ledger = process().ledger;
    std::vector<std::int32_t> ranks;
    for (std::uint32_t i = 0; i < ledger.layout().local_ranks; ++i) ranks.push_back(ledger.rank(i).world_rank);
    std::ranges::sort(ranks);
    return ranks;
}

// "0-3", "1-7/2", "0-1,8-9": ranges with their steps.
std::string written(const std::vector<std::int32_t>& ranks) {
    std::string text;
    for (std::size_t first = 0; first < ranks.size();) {
        std::size_t last = first;
        const std::int32_t step = first + 1 < ranks.size() ? ranks[first + 1] - ranks[first] : 1;
        while (last + 1 < ranks.size() && ranks[last + 1] - ranks[last] == step) ++last;
        if (last == first + 1 && step > 1) last = first;
        const auto add = [&text](const char* before, std::int32_t value) {
            text.append(before).append(std::to_string(value));
        };
        add(text.empty() ? "" : ",", ranks[first]);
        if (last > first) add("-", ranks[last]);
        if (last > first && step > 1) add("/", step);
        first = last + 1;
    }
    return text;
}

bool number(std::string_view& text, std::int32_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

bool skip(std::string_view& text, char mark) {
    if (!text.starts_with(mark)) return false;
    text.remove_prefix(1);
    return true;
}

// Marks the ranks of such a text; false if it is none.
bool mark(std::string_view text, std::vector<bool>& known) {
    do {
        std::int32_t first = 0, last = 0, step = 1;
        if (!number(text, first)) return false;
        last = first;
        if (skip(text, '-') && !number(text, last)) return false;
        if (skip(text, '/') && !number(text, step)) return false;
        if (first < 0 || last < first || step < 1 || static_cast<std::size_t>(last) >= known.size()) return false;
        for (std::int32_t rank = first; rank <= last; rank += step) known[static_cast<std::size_t>(rank)] = true;
    } while (skip(text, ','));
    return text.empty();
}

class Introduction {
  public:
    explicit Introduction(std::string unchecked) : unchecked_(std::move(unchecked)) {}
    void run();

  private:
    std::string offer();
    std::optional<std::string> found(std::int32_t lowest);
    bool find_all();
    void leave(const std::string& how) const;

    template <class Answer>
    bool wait_for(Answer&& answer) {
        for (milliseconds pause = kPause; !answer(); pause = std::min(pause * 2, kMostPause)) {
            if (Clock::now() >= until_) return false;
            std::this_thread::sleep_for(pause);
        }
        return true;
    }

    const std::string folder_ = process().ledger.header().directory;
    const Clock::time_point until_ =
        Clock::now() +
        std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(process().options.attach_seconds));
    std::string unchecked_;
    std::vector<std::string> others_;
    std::string why_;
};

// What the monitor offers to the others; it begins with "!" if that is nothing, and a reason follows.
std::string Introduction::offer() {
    std::string text;
    const bool came = wait_for([&] {
        text = read_text(folder_ + "/offer");
        return !text.empty() || process().ledger.header().monitor.load(std::memory_order_acquire) < 0;
    });
    return came && !text.empty() ? text : kSilent;
}

std::optional<std::string> Introduction::found(std::int32_t lowest) {
    std::string text;
    if (!wait_for([&] { return exchange->find(lowest, text); })) return std::nullopt;
    return text;
}

// The lowest rank that belongs to no host found so far is the lowest of its own host, which is published by it.
bool Introduction::find_all() {
    std::vector<bool> known(static_cast<std::size_t>(process().world_size), false);
    for (const std::int32_t rank : own_ranks()) known[static_cast<std::size_t>(rank)] = true;
    for (;;) {
        const auto missing = std::ranges::find(known, false);
        if (missing == known.end()) return true;
        const auto lowest = static_cast<std::int32_t>(missing - known.begin());
        const std::optional<std::string> value = found(lowest);
        if (!value) {
            why_ = "the host of rank " + std::to_string(lowest) +
                   " did not respond: is JAXMPI_SANITIZE set there, with the same version?";
            return false;
        }
        const std::string_view ranks = std::string_view(*value).substr(0, value->find('|'));
        if (!mark(ranks, known) || !known[static_cast<std::size_t>(lowest)]) {
            why_ = "what the host of rank " + std::to_string(lowest) + " published cannot be read";
            return false;
        }
        others_.push_back(*value);
    }
}

// The file is complete when it has its name.
void Introduction::leave(const std::string& how) const {
    std::string text = how + "\n";
    for (const std::string& other : others_) text += other + "\n";
    if (exchange && !exchange->remains().empty()) text += "remains " + exchange->remains() + "\n";
    text += "unchecked " + unchecked_ + "\n";
    const std::string path = folder_ + "/hosts", making = path + ".new";
    const Descriptor file = open_file(making, O_WRONLY | O_CREAT | O_TRUNC);
    if (file && write(file.number(), text.data(), text.size()) == static_cast<ssize_t>(text.size()))
        rename(making.c_str(), path.c_str());
}

void Introduction::run() {
    if (process().options.hosts == CoreOptions::Hosts::kOff) return leave("alone hosts=off");
    const std::vector<std::int32_t> ranks = own_ranks();
    std::string text = written(ranks) + "|" + offer();
    if (text.size() > kLongest) text = std::to_string(ranks.front()) + "|!" + kUnnamed;
    exchange = published(ranks.front(), text, why_);
    if (!exchange) return leave("alone " + why_);
    if (const std::size_t refusal = text.find("|!"); refusal != text.npos)
        return leave("alone " + text.substr(refusal + 2));
    if (ranks.front() == 0) return leave(find_all() ? "root" : "alone " + why_);
    if (const std::optional<std::string> root = found(0)) {
        others_.push_back(*root);
        return leave("leaf");
    }
    leave("alone the host of rank 0 did not respond: is JAXMPI_SANITIZE set there, with the same version?");
}

}  // namespace

void introduce_host(const std::string& unchecked) { Introduction(unchecked).run(); }

void withdraw_host() {
    if (exchange) exchange->withdraw();
    exchange.reset();
}

}  // namespace jaxmpi
