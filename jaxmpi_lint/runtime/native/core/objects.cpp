// Windows and files: their collectives are ordered among themselves; what they transfer is only recorded.
#include "collectives.hpp"
#include "freeing.hpp"
#include "handlers.hpp"
#include "hashing.hpp"
#include "refusals.hpp"
#include "signature.hpp"

namespace jaxmpi {
namespace {

std::uint32_t shortened(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32) | 1; }

// A file is a pointer in every ABI.
Word load_file(Word at) { return *reinterpret_cast<const Word*>(at); }

Signature bare(const Call& call, std::uint32_t note = 0) {
    Signature signature{};
    signature.function = static_cast<std::uint16_t>(call.info.blocking);
    signature.flags = call.info.non_blocking ? kNonBlocking : 0;
    signature.root = kNobody;
    signature.note = note;
    return signature;
}

struct NewObject {
    CommunicatorKind kind;
    std::uint32_t note;
    bool certain;  // no rank has one before all ranks have entered the call
    Word (*handle)(Word at);
    Word at;
    Word null;
};

Word make_object(const Call& call, const NewObject& what) {
    const Word comm_handle = handle(call[Role::kComm]);
    Communicator* const parent = communicator(comm_handle);
    if (parent == nullptr) return on_unknown_communicator(call, comm_handle);
    if (parent->lane == nullptr) return carry_out_unknown(call, parent);
    const std::uint32_t number = parent->lane->created.load(std::memory_order_relaxed) + 1;
    parent->lane->created.store(number, std::memory_order_relaxed);
    const Signature signature = bare(call, what.note);
    const Wait wait = wait_for(*parent, signature, Flow::kAll, 0, what.certain);
    const Word result = carry_out(call, *parent, signature, wait);
    if (integer(result) != 0) {
        if (failed_alone(result)) parent->lane->created.store(number - 1, std::memory_order_relaxed);
        return result;
    }
    const Word made = what.at == 0 ? what.null : what.handle(what.at);
    if (made == what.null) return result;
    Groups groups;
    groups.known = true;
    groups.rank = parent->rank;
    groups.local = parent->world;
    Birth birth;
    birth.id = combine(combine(parent->id, number), hash_text(call.info.name)) | 1;
    birth.parent = parent->id;
    birth.number = number;
    birth.kind = what.kind;
    birth.how = call.info.name;
    birth.site = call_site();
    adopt(made, std::move(groups), birth);
    if (what.kind == CommunicatorKind::kWindow) watch_refusals_of_window(made);
    return result;
}

Word use_object(const Call& call, Communicator* of, std::uint32_t note) {
    if (of == nullptr || of->lane == nullptr) return carry_out_unknown(call, of);
    const Signature signature = bare(call, note);
    return carry_out(call, *of, signature, wait_for(*of, signature, Flow::kAll, 0, false));
}

// Arguments that must be equal on all ranks.
std::uint32_t agreement(const Call& call) {
    const Word* const a = call.arguments;
    switch (call.info.agreed) {
        case Agreed::kValue:
            return shortened(mix(a[1] + 1));
        case Agreed::kTruth:
            return shortened(mix(integer(a[1]) != 0 ? 1 : 2));
        case Agreed::kOffset:
            return shortened(combine(a[1], static_cast<std::uint32_t>(integer(a[2]))));
        case Agreed::kNothing:
            break;
    }
    return 0;
}

}  // namespace

Word on_window(const Call& call) {
    return make_object(call, {CommunicatorKind::kWindow, 0, true,
                              [](Word at) { return load_handle(reinterpret_cast<const void*>(at)); }, call[Role::kWin],
                              process().win_null});
}

Word on_window_collective(const Call& call) {
    if (call.function == Function::kWinFence) return use_object(call, object(handle(call[Role::kWin])), 0);
    const Word at = call[Role::kWin];
    if (at == 0) return call.forward();
    const Word freed = load_handle(reinterpret_cast<const void*>(at));
    Communicator* const window = object(freed);
    const Word result = use_object(call, window, 0);
    if (integer(result) == 0 && window != nullptr) forget(freed, window);
    return result;
}

Word on_file(const Call& call) {
    const auto mode = static_cast<std::uint32_t>(integer(call[Role::kAmode]));
    return make_object(call, {CommunicatorKind::kFile, shortened(mix(mode + 1)), false, load_file, call[Role::kFh],
                              process().file_null});
}

Word on_file_collective(const Call& call) {
    if (call.function != Function::kFileClose) return use_object(call, object(call[Role::kFh]), agreement(call));
    const Word at = call[Role::kFh];
    if (at == 0) return call.forward();
    const Word closed = load_file(at);
    Communicator* const file = object(closed);
    const Word result = use_object(call, file, 0);
    if (integer(result) == 0 && file != nullptr) forget(closed, file);
    return result;
}

Word on_one_sided(const Call& call) {
    ThreadContext& thread = this_thread();
    const Communicator* const window = call.has(Role::kWin) ? object(handle(call[Role::kWin])) : nullptr;
    const std::uint32_t site = call_site();
    Recording record(thread, call.function);
    record->communicator = window == nullptr ? kNone : window->index;
    record->ordinal = 0;
    record->site = site;
    record->signature = Signature{};
    record.publish();
    Word result;
    if (call.info.waits) {
        const Blocked blocked(thread, call.function, site, [&](StateWriter& state) {
            state->communicator = record->communicator;
            state->ordinal = 0;
            state->wait_count = 1;
            state->waits[0] = Wait{WaitKind::kUnknown, 0, 0, 0, kNobody, kAny, kNone, 0};
        });
        result = call.forward();
    } else {
        result = call.forward();
    }
    record.leave(result);
    return result;
}

}  // namespace jaxmpi
