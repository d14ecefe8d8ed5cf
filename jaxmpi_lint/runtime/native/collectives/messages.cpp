// Messages between two ranks.
#include <algorithm>
#include <array>
#include <cstring>

#include "call.hpp"
#include "operations.hpp"

namespace jaxmpi::collectives {
namespace {

constexpr std::size_t kStatusBytes = 64;  // more than any ABI's

class Status {
  public:
    void* address() { return bytes_.data(); }

    // Throws unless the message had as many elements as its template; then the program gets its status.
    void settle(const Call& call, const Envelope& from, Count wanted, const Array& received) {
        if (void* place = status_address(wanted))
            std::memcpy(place, bytes_.data(), static_cast<std::size_t>(status_bytes()));
        if (from.peer == library().proc_null) return;
        const Count count = elements(call, received);
        if (count == received.count) return;
        const std::string had = count < 0 ? "no whole number of" : std::to_string(count);
        throw call.problem("the message has " + had + " elements, but the receive array has " +
                           std::to_string(received.count));
    }

  private:
    Count elements(const Call& call, const Array& received) const {
        const auto& [plain, large] = library().get_count;
        const Word type = datatype(received.type);
        if (received.count <= std::numeric_limits<int>::max() || large == nullptr) {
            int count = 0;
            call.check(plain(bytes_.data(), type, &count));
            return count;
        }
        Count count = 0;
        call.check(large(bytes_.data(), type, &count));
        return count;
    }

    alignas(16) std::array<unsigned char, kStatusBytes> bytes_{};
};

}  // namespace

void send(Count communicator, const Envelope& to, const Array& sent) {
    const Call call("send", communicator);
    call(library().send, sent.count, sent.data, sent.count, datatype(sent.type), to.peer, to.tag,
         call.communicator().handle);
}

void recv(Count communicator, const Envelope& from, Count wanted, const Array& received) {
    const Call call("recv", communicator);
    Status status;
    call(library().recv, received.count, received.data, received.count, datatype(received.type), from.peer, from.tag,
         call.communicator().handle, status.address());
    status.settle(call, from, wanted, received);
}

void sendrecv(Count communicator, const Envelope& to, const Array& sent, const Envelope& from, Count wanted,
              const Array& received) {
    const Call call("sendrecv", communicator);
    Status status;
    call(library().sendrecv, std::max(sent.count, received.count), sent.data, sent.count, datatype(sent.type), to.peer,
         to.tag, received.data, received.count, datatype(received.type), from.peer, from.tag,
         call.communicator().handle, status.address());
    status.settle(call, from, wanted, received);
}

}  // namespace jaxmpi::collectives
