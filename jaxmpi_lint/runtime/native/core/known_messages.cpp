#include "known_messages.hpp"

#include <array>

#include "handle_table.hpp"
#include "per_thread.hpp"

namespace jaxmpi {
namespace {

constexpr std::size_t kPlaces = 64;

struct alignas(64) Kept {
    std::uint64_t changes = 0;  // of handles, until then; 0: nothing is kept here
    MessageArguments arguments;
    Message message;
};
using Table = std::array<Kept, kPlaces>;

[[gnu::always_inline]] inline Kept& place_of(const MessageArguments& arguments) {
    const std::uint64_t envelope =
        std::uint64_t{static_cast<std::uint32_t>(arguments.peer)} << 32 | static_cast<std::uint32_t>(arguments.tag);
    const std::uint64_t all = envelope + static_cast<std::uint64_t>(arguments.count) * 3 +
                              static_cast<std::uint64_t>(arguments.kind) + arguments.communicator;
    return per_thread<Table>()[all * 0x9e3779b97f4a7c15 >> 58 & (kPlaces - 1)];
}

}  // namespace

[[gnu::hot]] const Message* recalled(const MessageArguments& arguments) {
    const Kept& kept = place_of(arguments);
    const bool same = kept.arguments == arguments && kept.changes == handle_changes.load(std::memory_order_acquire);
    return same ? &kept.message : nullptr;
}

void keep(const MessageArguments& arguments, const Message& message, std::uint64_t changes) {
    place_of(arguments) = {changes, arguments, message};
}

}  // namespace jaxmpi
