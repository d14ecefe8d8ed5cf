// The communicators of the ledger: made by the first member that comes, recycled by the last that leaves.
#pragma once

#include <string_view>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

struct EntryIdentity {
    std::uint64_t id;
    std::uint64_t parent = 0;
    std::uint32_t number = 0;
    CommunicatorKind kind = CommunicatorKind::kIntra;
    bool is_private = false;
    std::string_view name;
    std::int32_t rank = 0;                     // own, in the local group
    const std::vector<std::int32_t>* members;  // world ranks of the local group
    const std::vector<std::int32_t>* remote;   // of the remote one; nullptr: there is none
};

// The index of the entry with this id, in which the calling rank is a member from now on; kNone if there is no room.
std::uint32_t join_entry(const EntryIdentity& identity, std::uint32_t site);

// The calling rank has freed it; its last member clears it for others.
void leave_entry(std::uint32_t index);

// Nothing on it is compared or proved from now on; `why` is said once.
void stop_checking(std::uint32_t index, const char* why);

}  // namespace jaxmpi
