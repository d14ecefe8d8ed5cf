// Windows and files: made collectively on a communicator, then with collectives of their own.
#include <memory>
#include <mutex>
#include <unordered_map>

#include "handlers.hpp"
#include "matching.hpp"
#include "mpi.hpp"
#include "requests.hpp"

namespace jaxmpi {
namespace {

constexpr Word kErrorOther = 16;

// Windows or files of this process by handle.
class Objects {
  public:
    void add(Word handle, Communicator* members) {
        const std::lock_guard lock(mutex_);
        known_[handle].reset(members);
    }
    Communicator* find(Word handle) {
        const std::lock_guard lock(mutex_);
        const auto at = known_.find(handle);
        return at == known_.end() ? nullptr : at->second.get();
    }
    void remove(Word handle) {
        std::unique_ptr<Communicator> gone;
        {
            const std::lock_guard lock(mutex_);
            const auto at = known_.find(handle);
            if (at == known_.end()) return;
            gone = std::move(at->second);
            known_.erase(at);
        }
        leave(*gone);
    }

  private:
    std::mutex mutex_;
    std::unordered_map<Word, std::unique_ptr<Communicator>> known_;
};

Objects& windows() {
    static auto* objects = new Objects;
    return *objects;
}
Objects& files() {
    static auto* objects = new Objects;
    return *objects;
}

Signature signature_of(const Call& call) {
    Signature signature{};
    signature.function = static_cast<std::uint16_t>(call.info.blocking);
    signature.flags = static_cast<std::uint8_t>(kCountUnknown | (call.info.non_blocking ? kNonBlocking : 0));
    signature.root = kNobody;
    if (call.has(Role::kAmode)) signature.note = static_cast<std::uint32_t>(integer(call[Role::kAmode]));
    return signature;
}

// Sizes may differ and some of these return alone, so that nobody is known to wait for anybody.
Word compared(const Call& call, Communicator& on, std::uint32_t site) {
    ThreadContext& thread = this_thread();
    const Signature signature = signature_of(call);
    Entering entering(thread, call.function, on, signature, site);
    if (entering.compare() == Decision::kRaise) {
        entering.leave(kErrorOther);  // never forwarded: the number is free again
        return kErrorOther;
    }
    Wait wait = entering.wait();
    wait.certain = 0;
    wait.flow = static_cast<std::uint8_t>(Flow::kAll);
    Word result = 0;
    if (call.info.non_blocking) {
        result = call.forward();
        if (integer(result) == 0)
            track_collective(load_handle(reinterpret_cast<const void*>(call[Role::kRequest])), wait, site, false, {});
    } else {
        Blocked blocked(thread, call.info, call.function, site, [&](StateWriter& state) {
            state->communicator = on.index;
            state->ordinal = entering.ordinal();
            state->signature = signature;
            state->waits[0] = wait;
            state->wait_count = on.size > 1 ? 1 : 0;
        });
        result = call.forward();
    }
    entering.leave(result);
    return result;
}

Word make(const Call& call, CommunicatorKind kind, Role made, Objects& objects) {
    Communicator* on = communicator(call[Role::kComm]);
    if (on == nullptr || !on->checked) return call.forward();
    Birth birth;
    birth.kind = kind;
    birth.parent = on->entry->id.load(std::memory_order_relaxed);
    birth.number = on->lane->created.fetch_add(1, std::memory_order_relaxed);
    birth.name = call.info.name;
    birth.site = call_site();
    const Word result = compared(call, *on, birth.site);
    if (integer(result) == 0) {
        objects.add(load_handle(reinterpret_cast<const void*>(call[made])), adopt_object(*on, birth));
    } else {
        on->lane->created.fetch_sub(1, std::memory_order_relaxed);
    }
    return result;
}

Word on_object(const Call& call, Role role, bool ends, Objects& objects) {
    const Word object = ends ? load_handle(reinterpret_cast<const void*>(call[role])) : handle(call[role]);
    Communicator* on = objects.find(object);
    if (on == nullptr || !on->checked) return call.forward();
    const Word result = compared(call, *on, call_site());
    if (ends && integer(result) == 0) objects.remove(object);
    return result;
}

}  // namespace

Word on_window(const Call& call) { return make(call, CommunicatorKind::kWindow, Role::kWin, windows()); }

Word on_window_collective(const Call& call) {
    return on_object(call, Role::kWin, call.function == Function::kWinFree, windows());
}

Word on_file(const Call& call) { return make(call, CommunicatorKind::kFile, Role::kFh, files()); }

Word on_file_collective(const Call& call) {
    return on_object(call, Role::kFh, call.function == Function::kFileClose, files());
}

// Recorded so that a report can tell what went before; nothing of it is compared.
Word on_one_sided(const Call& call) {
    Recording recording(this_thread(), call.function);
    recording->site = call_site();
    recording->ordinal = 0;
    recording->signature = {};
    recording->signature.function = static_cast<std::uint16_t>(call.info.blocking);
    const Communicator* members = windows().find(handle(call[Role::kWin]));
    if (members != nullptr) recording->communicator = members->index;
    recording.publish();
    Blocked blocked(this_thread(), call.info, call.function, recording->site, [](StateWriter& state) {
        state->communicator = kNone;
        state->waits[0] = Wait{};
        state->waits[0].kind = WaitKind::kUnknown;
        state->wait_count = 1;
    });
    const Word result = call.forward();
    recording.leave(result);
    return result;
}

}  // namespace jaxmpi
