#include "tables.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace jaxmpi::collectives {
namespace {

constexpr auto kPause = std::chrono::microseconds(50);

struct Operator {
    const void* address;  // where mpi4py keeps the handle: null there once it is freed
    bool is_predefined;
};

struct Tables {
    std::mutex mutex;
    std::deque<Communicator> communicators;
    std::deque<Operator> operators;
    std::unordered_map<Count, void*> statuses;
    std::array<Word, static_cast<std::size_t>(Type::kUnknown) + 1> datatypes{};
    std::size_t handle_bytes = 0;
    Word null_operator = 0;
    Count status_bytes = 0;
};
Tables tables;

Communicator* find(Count number) {
    const std::lock_guard lock(tables.mutex);
    const auto index = static_cast<std::size_t>(number);
    return index < tables.communicators.size() ? &tables.communicators[index] : nullptr;
}

}  // namespace

Use::Use(Count number) : communicator_(find(number)) {
    if (communicator_ == nullptr) return;
    ++communicator_->running;
    usable_ = !communicator_->freed;
}

Use::~Use() {
    if (communicator_ != nullptr) --communicator_->running;
}

Word datatype(Type type) { return tables.datatypes[static_cast<std::size_t>(type)]; }

Word reduction(Count number) {
    const std::lock_guard lock(tables.mutex);
    const auto index = static_cast<std::size_t>(number);
    if (index >= tables.operators.size()) return 0;
    Word handle = 0;
    std::memcpy(&handle, tables.operators[index].address, tables.handle_bytes);
    return handle == tables.null_operator ? 0 : handle;
}

bool is_predefined(Count number) {
    const std::lock_guard lock(tables.mutex);
    const auto index = static_cast<std::size_t>(number);
    return index < tables.operators.size() && tables.operators[index].is_predefined;
}

void* status_address(Count number) {
    const std::lock_guard lock(tables.mutex);
    const auto found = tables.statuses.find(number);
    return found == tables.statuses.end() ? nullptr : found->second;
}

Count status_bytes() { return tables.status_bytes; }

}  // namespace jaxmpi::collectives

using namespace jaxmpi::collectives;

#define JAXMPI_EXPORT extern "C" __attribute__((visibility("default")))

// Writes what is missing into `problem`.
JAXMPI_EXPORT void jaxmpi_resolve(const char* path, Word errors_return, Count proc_null, char* problem,
                                  std::size_t room) {
    std::snprintf(problem, room, "%s", resolve(path, errors_return, proc_null).c_str());
}

JAXMPI_EXPORT void jaxmpi_set_sizes(std::size_t handle_bytes, Count status, Word null_operator) {
    tables.handle_bytes = handle_bytes;
    tables.status_bytes = status;
    tables.null_operator = null_operator;
}

JAXMPI_EXPORT void jaxmpi_set_datatype(int type, Word handle) {
    tables.datatypes[static_cast<std::size_t>(type)] = handle;
}

JAXMPI_EXPORT Count jaxmpi_add_communicator(Word handle, Count rank, Count size, const char* name) {
    const std::lock_guard lock(tables.mutex);
    Communicator& added = tables.communicators.emplace_back();
    added.handle = handle;
    added.rank = rank;
    added.size = size;
    added.name = name;
    return static_cast<Count>(tables.communicators.size()) - 1;
}

// From now on the communicator is refused; calls that use it right now are waited for.
JAXMPI_EXPORT void jaxmpi_retire_communicator(Count number) {
    Communicator* retired = find(number);
    if (retired == nullptr) return;
    retired->freed = true;
    while (retired->running > 0) std::this_thread::sleep_for(kPause);
}

JAXMPI_EXPORT Count jaxmpi_add_operator(const void* address, bool is_predefined) {
    const std::lock_guard lock(tables.mutex);
    tables.operators.push_back({address, is_predefined});
    return static_cast<Count>(tables.operators.size()) - 1;
}

JAXMPI_EXPORT void jaxmpi_set_status(Count number, void* address) {
    const std::lock_guard lock(tables.mutex);
    if (address == nullptr)
        tables.statuses.erase(number);
    else
        tables.statuses[number] = address;
}
