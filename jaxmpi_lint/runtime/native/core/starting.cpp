// Requests as objects: persistent ones started, requests cancelled and freed, and those that cannot be judged.
#include "completion.hpp"
#include "handlers.hpp"

namespace jaxmpi {
namespace {

void begin(const Call& call, ThreadContext& thread, std::uint32_t site, Request& request) {
    Recording record(thread, call.function);
    record->site = request.site = site;
    record->request = request.serial = static_cast<std::uint32_t>(record.serial());
    if (request.sends) send_begins(request.out, thread, site);
    if (request.receives) receive_posted(request.in);
    describe(*record.operator->(), request.sends ? request.out : request.in);
    if (request.collective) record->communicator = request.wait.communicator;
    record->left.store(record->entered, std::memory_order_relaxed);
    record->result.store(0, std::memory_order_relaxed);
    record.publish();
    request.active = true;
}

void take_back(Request& request) {
    if (request.sends) send_failed(request.out);
    if (request.receives) receive_failed(request.in);
    request.active = false;
}

void give_up_proofs() { process().block->uncertain.store(1, std::memory_order_relaxed); }

}  // namespace

Word on_start(const Call& call) {
    ThreadContext& thread = call.thread;
    stop_polling(thread);
    const bool many = call.has(Role::kRequests);
    const Word array = many ? call[Role::kRequests] : call[Role::kRequest];
    const std::size_t size = many ? counted(call[Role::kCount]) : 1;
    const std::uint32_t site = call_site();
    const auto each = [&](auto&& act) {
        for (std::size_t i = 0; i < size; ++i)
            if (Request* request = requests().claim(handle_at(array, i), array + i * process().abi->handle_size)) {
                act(*request);
                requests().release(request);
            }
    };
    each([&](Request& request) { begin(call, thread, site, request); });
    const Word result = call.forward();
    if (integer(result) != 0) each(take_back);
    return result;
}

Word on_request(const Call& call) {
    ThreadContext& thread = call.thread;
    stop_polling(thread);
    const Word storage = call[Role::kRequest];
    Request* request = requests().claim(load_handle(reinterpret_cast<const void*>(storage)), storage);
    const Word result = call.forward();
    if (request == nullptr) return result;
    if (call.function == Function::kCancel && integer(result) == 0) {
        request->cancelled = true;
        if (request->sends) give_up_proofs();
    }
    if (call.function == Function::kRequestFree && integer(result) == 0) {
        if (request->active && request->receives && !request->in.lonely) give_up_proofs();  // it may yet take a message
        forget(request);
    } else {
        requests().release(request);
    }
    return result;
}

Word on_generalised_request(const Call& call) {
    stop_polling(call.thread);
    give_up_proofs();
    return call.forward();
}

Word on_partition(const Call& call) {
    ThreadContext& thread = call.thread;
    const Word result = call.forward();
    if (!call.has(Role::kFlag) || integer(result) != 0 ||
        *reinterpret_cast<const std::int32_t*>(call[Role::kFlag]) != 0) {
        stop_polling(thread);
        return result;
    }
    keep_polling(thread, call.function, static_cast<Word>(call.function) << 48 | 1, [](StateWriter& state) {
        add_wait(state, Wait{WaitKind::kUnknown, 0, 0, 0, kNobody, kAny, kNone, 0});
    });
    return result;
}

}  // namespace jaxmpi
