#include "launch_items.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <utility>

#include "hashing.hpp"
#include "launch_own.hpp"

namespace nb = nanobind;

namespace jaxmpi::launches {
namespace {

nb::object& asked() {
    static auto* one = new nb::object;
    return *one;
}

// The place of an item, written when it is seen for the first time.
std::uint32_t place_of(const std::string& text, std::uint64_t choices) {
    static auto* known = new std::unordered_map<std::uint64_t, std::uint32_t>;  // under the GIL
    const auto [at, is_new] = known->try_emplace(combine(hash_text(text), choices), kNone);
    if (!is_new) return at->second;
    Lane& own = *self().lane;
    const std::uint32_t place = own.items.load(std::memory_order_relaxed);
    if (place >= kItems) return kNone;
    own.items.store(place + 1, std::memory_order_relaxed);
    Item& item = own.item[place];
    item.choices = choices;
    std::memcpy(item.text, text.data(), std::min(text.size(), sizeof item.text - 1));
    item.state.store(1, std::memory_order_release);
    return at->second = place;
}

}  // namespace

Chosen ask_what_is_chosen(Line& line) {
    if (!asked().is_valid()) return {};
    const nb::object told = asked()();
    line.chooses = !told.is_none();
    if (told.is_none()) return {};
    const auto [text, choices] = nb::cast<std::pair<std::string, std::uint64_t>>(told);
    if (text.empty()) return {};
    return {place_of(text, choices), Item::word(choices, hash_text(text))};
}

void look_for_items(nb::object function) { asked() = function.is_none() ? nb::object() : std::move(function); }

}  // namespace jaxmpi::launches
