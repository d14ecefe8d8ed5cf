// A pretended MPI library, and a process of one rank that calls it through the handlers. For one source file only.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "channels.hpp"
#include "communicators.hpp"
#include "datatypes.hpp"
#include "findings.hpp"
#include "handle_table.hpp"
#include "handlers.hpp"
#include "ledger_memory.hpp"
#include "thread.hpp"

namespace pretended {

using namespace jaxmpi;

inline constexpr Word kWorld = 1, kRequestNull = 2, kIgnore = 3, kDoubles = 4, kIntegers = 5;
inline constexpr std::int32_t kAnySource = -1, kProcNull = -2, kAnyTag = -1;
inline constexpr Word kTruncated = 15;

struct RawStatus {
    std::int32_t source = -9, tag = -9, error = 0, unused = 0;
};

inline constexpr Abi kAbi{.name = "pretended",
                          .handle_size = 8,
                          .status_size = sizeof(RawStatus),
                          .status_source = 0,
                          .status_tag = 4,
                          .status_error = 8,
                          .any_source = kAnySource,
                          .proc_null = kProcNull,
                          .root = -3,
                          .any_tag = kAnyTag,
                          .undefined = -4,
                          .in_place = 1,
                          .status_ignore = kIgnore,
                          .statuses_ignore = kIgnore,
                          .error_argument = 13,
                          .error_truncate = 15,
                          .error_other = 16,
                          .combiners = {}};

// What the library's function does; by default it succeeds and touches nothing.
using Behaviour = std::function<Word(Word* arguments)>;
inline std::map<Function, Behaviour> behaviours;

struct Told {
    FindingKind kind;
    Difference difference;
    std::uint64_t count, ordinal;
};
inline std::vector<Told> told;

// More functions of the library, by name.
inline std::map<std::string, void*, std::less<>> symbols;

inline Communicator world;

template <std::size_t>
using Each = Word;

template <std::size_t F, std::size_t... A>
Word act(Each<A>... arguments) {
    Word all[] = {arguments..., 0};
    const auto found = behaviours.find(static_cast<Function>(F));
    return found == behaviours.end() ? 0 : found->second(all);
}

template <std::size_t F, std::size_t... A>
void* actor(std::index_sequence<A...>) {
    return reinterpret_cast<void*>(static_cast<Word (*)(Each<A>...)>(&act<F, A...>));
}

template <std::size_t... F>
auto actors(std::index_sequence<F...>) {
    return std::array<void*, sizeof...(F)>{actor<F>(std::make_index_sequence<kTable[F].arity>{})...};
}

template <class T>
Word address(T& of) {
    return reinterpret_cast<Word>(&of);
}
inline Word word(std::int32_t value) { return static_cast<Word>(static_cast<std::uint32_t>(value)); }

// Rank 0 of three, all on this host, with a ledger of its own.
class Rank {
  public:
    explicit Rank(std::uint32_t history = 64) : memory_(3, history) {
        behaviours.clear();
        told.clear();
        handle_changes.fetch_add(1);  // in a ledger of its own, nothing is as it was
        Process& self = process();
        self.ledger = memory_.ledger();
        self.abi = &kAbi;
        self.request_null = kRequestNull;
        self.world_rank = 0;
        self.world_size = 3;
        self.local = 0;
        self.block = &self.ledger.rank(0);
        CommunicatorEntry& entry = self.ledger.communicator(0);
        entry.id.store(99);
        world = Communicator{};
        world.handle = kWorld;
        world.index = 0;
        world.entry = &entry;
        world.lane = entry.lanes();
        world.checked = true;
        world.size = 3;
        world.world = {0, 1, 2};
        thread_.slot = 0;
        thread_.block = &self.block->threads[0];
        thread_.block->activity.store(Activity::kRunning);
    }

    Word call(Function function, std::vector<Word> arguments) {
        const FunctionInfo& info = kTable[static_cast<std::size_t>(function)];
        return handler(info.category)(Call{info, function, arguments.data(), thread_});
    }
    Channel& channel(std::int32_t source, std::int32_t destination, std::int32_t tag) const {
        return *find_channel(process().ledger, {99, 0, source, destination, tag});
    }
    const ThreadBlock& state() const { return *thread_.block; }
    Activity activity() const { return thread_.block->activity.load(); }
    const Lane& lane() const { return *world.lane; }
    // The latest records, the last one first.
    const Record& record(std::uint64_t back = 0) const {
        const std::uint64_t serial = process().block->head.load() - back;
        return process().ledger.records(0)[(serial - 1) % process().ledger.layout().history];
    }
    std::uint64_t records() const { return process().block->head.load(); }

  private:
    static Handler handler(Category category) {
        switch (category) {
            case Category::kSend:
                return on_send;
            case Category::kReceive:
                return on_receive;
            case Category::kExchange:
                return on_exchange;
            case Category::kProbe:
                return on_probe;
            case Category::kMatchedReceive:
                return on_matched_receive;
            case Category::kStart:
                return on_start;
            case Category::kWait:
                return on_wait;
            case Category::kTest:
                return on_test;
            default:
                return on_request;
        }
    }

    LedgerMemory memory_;
    ThreadContext thread_;
};

}  // namespace pretended

namespace jaxmpi {

void* real(Function function) {
    static const auto all = pretended::actors(std::make_index_sequence<kFunctions>{});
    return all[static_cast<std::size_t>(function)];
}

void* symbol(const char* name) {
    using ErrorClass = int (*)(int, int*);
    const ErrorClass error_class = [](int code, int* kind) {
        *kind = code;
        return 0;
    };
    using Cancelled = int (*)(const void*, int*);
    const Cancelled cancelled = [](const void* status, int* flag) {
        *flag = static_cast<const pretended::RawStatus*>(status)->unused;
        return 0;
    };
    const std::string_view wanted = name;
    if (wanted == "PMPI_Error_class") return reinterpret_cast<void*>(error_class);
    if (wanted == "PMPI_Test_cancelled") return reinterpret_cast<void*>(cancelled);
    const auto found = pretended::symbols.find(wanted);
    return found == pretended::symbols.end() ? nullptr : found->second;
}

Communicator* communicator(Word handle) { return handle == pretended::kWorld ? &pretended::world : nullptr; }

std::int32_t Communicator::world_of(std::int32_t one) const {
    if (one == pretended::kAnySource) return kAny;
    return one < 0 ? kNobody : world[static_cast<std::size_t>(one)];
}

TypeSignature type_signature(Word datatype) {
    TypeSignature one;
    one.elements = 1;
    one.bytes = one.width = 8;
    one.base = datatype == pretended::kDoubles ? Base::kFloat : Base::kSigned;
    one.known = true;
    return one;
}

bool everybody_came(CommunicatorEntry&, std::uint64_t) { return true; }
bool is_agreed(const Numbered&) { return true; }
void ask_to_agree(const Numbered&) {}
void keep_going(const Numbered&) {}
void await_agreement(const Numbered&) {}
Pauses::Pauses() : serial_(0) {}
void Pauses::pause() {}
Decision report_and_hold(const Finding& what) {
    pretended::told.push_back({what.kind, what.difference, what.mine_bytes, what.ordinal});
    return Decision::kForward;
}

void report(const Finding& what) { (void)report_and_hold(what); }

}  // namespace jaxmpi
