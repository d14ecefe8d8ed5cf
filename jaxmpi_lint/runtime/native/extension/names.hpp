// How the enumerations of the ledger are called in Python.
#pragma once

#include <array>

#include "labels.hpp"
#include "ledger.hpp"
#include "operators.hpp"

namespace jaxmpi {

template <std::size_t N, class Enumeration>
constexpr const char* name_in(const std::array<const char*, N>& names, Enumeration value) {
    const auto index = static_cast<std::size_t>(value);
    return index < N ? names[index] : "unknown";
}

inline constexpr std::array kActivities{"free", "running", "blocked", "in_call", "polling", "held", "ended"};
inline constexpr std::array kRankStates{"absent", "running", "finalizing", "finalized",
                                        "exited", "aborted", "vanished"};
inline constexpr std::array kLaneStates{"outside", "member", "freed"};
inline constexpr std::array kCommunicatorKinds{"intra", "inter", "window", "file"};
inline constexpr std::array kWaitKinds{"collective",       "receive",       "probe",
                                       "synchronous_send", "standard_send", "unknown"};
inline constexpr std::array kBases{"nothing", "byte",    "packed",    "signed", "unsigned", "float",
                                   "complex", "logical", "character", "pair",   "mixed"};
inline constexpr std::array kFindingKinds{"mismatch",   "counts",        "use_after_free", "leak", "second_library",
                                          "message",    "unreceived",    "unfinished",     "note", "unordered",
                                          "recompiled", "device_memory", "announced"};
inline constexpr std::array kDifferences{"none", "kind",  "blocking", "root", "reduction", "reduction_site",
                                         "type", "count", "in_place", "note", "part",      "byte_note"};
static_assert(kActivities.size() == static_cast<std::size_t>(Activity::kEnded) + 1);
static_assert(kRankStates.size() == static_cast<std::size_t>(RankState::kVanished) + 1);
static_assert(kLaneStates.size() == static_cast<std::size_t>(LaneState::kFreed) + 1);
static_assert(kCommunicatorKinds.size() == static_cast<std::size_t>(CommunicatorKind::kFile) + 1);
static_assert(kFindingKinds.size() == static_cast<std::size_t>(FindingKind::kAnnounced) + 1);
static_assert(kDifferences.size() == static_cast<std::size_t>(Difference::kByteNote) + 1);
static_assert(kBases.size() == static_cast<std::size_t>(Base::kMixed) + 1);
static_assert(kWaitKinds.size() == static_cast<std::size_t>(WaitKind::kUnknown) + 1);

constexpr const char* name_of(Flow flow) {
    switch (flow) {
        case Flow::kAll:
            return "all";
        case Flow::kFromRoot:
            return "from_root";
        case Flow::kToRoot:
            return "to_root";
        case Flow::kPrefix:
            return "prefix";
        case Flow::kNeighbourhood:
            return "neighbourhood";
        default:
            return "none";
    }
}

constexpr const char* function_name(std::uint16_t function) {
    return function < kFunctions ? kTable[function].name : "";
}

constexpr const char* label_name(std::uint32_t label) { return label < kLabels.size() ? kLabels[label].name : ""; }

}  // namespace jaxmpi
