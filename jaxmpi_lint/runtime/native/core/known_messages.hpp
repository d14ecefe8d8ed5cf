// Programs repeat themselves: what the arguments of a message say is kept by each thread for the next message with the
// same arguments, as repeated.hpp keeps it of collectives.
#pragma once

#include "messages.hpp"

namespace jaxmpi {

// The arguments that decide what is known of a message before it is counted.
struct MessageArguments {
    Word communicator = 0, datatype = 0;
    std::int64_t count = 0;
    std::int32_t peer = 0, tag = 0;
    WaitKind kind = WaitKind::kUnknown;
    bool has_contents = false;  // `datatype` and `count` are meant

    bool operator==(const MessageArguments&) const = default;
};

// What the thread found out about such a message, as long as no handle became another's meanwhile; nullptr: nothing.
const Message* recalled(const MessageArguments& arguments);
// Keeps it for the next. `changes`: handle_changes before the arguments were looked at.
void keep(const MessageArguments& arguments, const Message& message, std::uint64_t changes);

}  // namespace jaxmpi
