#include "pretended_driver.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int kSuccess = 0, kInvalidValue = 1, kOutOfMemory = 2, kInvalidContext = 201;
constexpr std::size_t kPage = 65536;

struct Memory {
    std::size_t bytes;
    unsigned char* host;
};

struct Stream {
    std::vector<std::function<void()>> waiting;
};

struct Device {
    std::recursive_mutex mutex;
    std::map<std::uint64_t, Memory> memory;  // by the device's address
    std::vector<Stream*> streams;
    std::map<void*, std::size_t> locked;
    std::size_t now_locked = 0, most_locked = 0;
    std::map<std::string, int> calls;
    std::string failing;
    int others = 0, result = 0;
    bool is_managed = false;
};

Device& device() {
    static auto* const one = new Device;
    return *one;
}

thread_local std::vector<void*> contexts;
int context;

using Lock = std::lock_guard<std::recursive_mutex>;

// Counts the call; what it has to fail with, if it has to.
int called(const char* name) {
    Device& d = device();
    ++d.calls[name];
    if (d.failing != name || d.others-- > 0) return kSuccess;
    d.failing.clear();
    return d.result;
}

// Where the host sees this part of the device's memory; nullptr if it is none.
unsigned char* seen(std::uint64_t address, std::size_t bytes) {
    Device& d = device();
    const auto after = d.memory.upper_bound(address);
    if (after == d.memory.begin()) return nullptr;
    const auto& [begin, memory] = *std::prev(after);
    return address - begin + bytes <= memory.bytes ? memory.host + (address - begin) : nullptr;
}

bool known(const Stream* stream) {
    const auto& all = device().streams;
    return std::find(all.begin(), all.end(), stream) != all.end();
}

int queued(const char* name, void* stream, std::uint64_t address, std::size_t bytes,
           const std::function<void(unsigned char*)>& copy) {
    const Lock lock(device().mutex);
    if (const int failed = called(name)) return failed;
    if (contexts.empty() || contexts.back() != &context) return kInvalidContext;
    auto* const its = static_cast<Stream*>(stream);
    unsigned char* const place = seen(address, bytes);
    if (!known(its) || place == nullptr) return kInvalidValue;
    its->waiting.emplace_back([copy, place] { copy(place); });
    return kSuccess;
}

}  // namespace

#define PRETENDED extern "C" __attribute__((visibility("default")))

PRETENDED void* pretended_stream() {
    const Lock lock(device().mutex);
    return device().streams.emplace_back(new Stream);
}

PRETENDED std::uint64_t pretended_allocate(std::size_t bytes, int is_shared) {
    const Lock lock(device().mutex);
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + kPage - 1) / kPage * kPage;
    const int file = memfd_create("device", 0);
    if (file < 0 || ftruncate(file, static_cast<off_t>(whole)) != 0) std::abort();
    void* const host = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    void* const there = mmap(nullptr, whole, is_shared != 0 ? PROT_READ | PROT_WRITE : PROT_NONE, MAP_SHARED, file, 0);
    close(file);
    if (host == MAP_FAILED || there == MAP_FAILED) std::abort();
    std::memset(host, 0xa5, whole);
    const auto address = reinterpret_cast<std::uint64_t>(there);
    device().memory[address] = {whole, static_cast<unsigned char*>(host)};
    return address;
}

PRETENDED void pretended_free(std::uint64_t address) {
    const Lock lock(device().mutex);
    const auto found = device().memory.find(address);
    if (found == device().memory.end()) std::abort();
    munmap(found->second.host, found->second.bytes);
    munmap(reinterpret_cast<void*>(address), found->second.bytes);
    device().memory.erase(found);
}

PRETENDED void pretended_write(void* stream, std::uint64_t to, const void* from, std::size_t bytes) {
    const Lock lock(device().mutex);
    const auto* const begin = static_cast<const unsigned char*>(from);
    std::vector<unsigned char> data(begin, begin + bytes);
    unsigned char* const place = seen(to, bytes);
    if (place == nullptr) std::abort();
    static_cast<Stream*>(stream)->waiting.emplace_back(
        [data = std::move(data), place] { std::memcpy(place, data.data(), data.size()); });
}

PRETENDED void pretended_read(void* stream, void* to, std::uint64_t from, std::size_t bytes) {
    const Lock lock(device().mutex);
    unsigned char* const place = seen(from, bytes);
    if (place == nullptr) std::abort();
    static_cast<Stream*>(stream)->waiting.emplace_back([to, place, bytes] { std::memcpy(to, place, bytes); });
}

PRETENDED void pretended_wait(void* stream) {
    const Lock lock(device().mutex);
    for (const auto& work : std::exchange(static_cast<Stream*>(stream)->waiting, {})) work();
}

PRETENDED void pretended_fail(const char* name, int others, int result) {
    const Lock lock(device().mutex);
    device().failing = name == nullptr ? "" : name;
    device().others = others;
    device().result = result;
}

PRETENDED int pretended_calls(const char* name) {
    const Lock lock(device().mutex);
    return device().calls[name];
}

PRETENDED std::size_t pretended_locked() {
    const Lock lock(device().mutex);
    return device().now_locked;
}

PRETENDED std::size_t pretended_most_locked() {
    const Lock lock(device().mutex);
    return device().most_locked;
}

PRETENDED void pretended_manage() {
    const Lock lock(device().mutex);
    device().is_managed = true;
}

PRETENDED int pretended_contexts() { return static_cast<int>(contexts.size()); }

// The driver's own functions, as its header declares them.

PRETENDED int cuStreamGetCtx(void* stream, void** its) {
    const Lock lock(device().mutex);
    if (const int failed = called("cuStreamGetCtx")) return failed;
    if (!known(static_cast<Stream*>(stream))) return kInvalidValue;
    *its = &context;
    return kSuccess;
}

PRETENDED int cuCtxPushCurrent_v2(void* entered) {
    const Lock lock(device().mutex);
    if (const int failed = called("cuCtxPushCurrent_v2")) return failed;
    contexts.push_back(entered);
    return kSuccess;
}

PRETENDED int cuCtxPopCurrent_v2(void** left) {
    const Lock lock(device().mutex);
    if (const int failed = called("cuCtxPopCurrent_v2")) return failed;
    if (contexts.empty()) return kInvalidContext;
    *left = contexts.back();
    contexts.pop_back();
    return kSuccess;
}

PRETENDED int cuStreamSynchronize(void* stream) {
    const Lock lock(device().mutex);
    if (contexts.empty()) return kInvalidContext;
    if (!known(static_cast<Stream*>(stream))) return kInvalidValue;
    pretended_wait(stream);
    return called("cuStreamSynchronize");
}

PRETENDED int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void* stream) {
    return queued("cuMemcpyDtoHAsync_v2", stream, from, bytes,
                  [to, bytes](unsigned char* place) { std::memcpy(to, place, bytes); });
}

PRETENDED int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void* stream) {
    return queued("cuMemcpyHtoDAsync_v2", stream, to, bytes,
                  [from, bytes](unsigned char* place) { std::memcpy(place, from, bytes); });
}

PRETENDED int cuMemHostAlloc(void** block, std::size_t bytes, unsigned) {
    const Lock lock(device().mutex);
    if (const int failed = called("cuMemHostAlloc")) return failed;
    if (contexts.empty()) return kInvalidContext;
    *block = std::malloc(bytes);
    if (*block == nullptr) return kOutOfMemory;
    Device& d = device();
    d.locked[*block] = bytes;
    d.now_locked += bytes;
    d.most_locked = std::max(d.most_locked, d.now_locked);
    return kSuccess;
}

PRETENDED int cuMemFreeHost(void* block) {
    const Lock lock(device().mutex);
    if (const int failed = called("cuMemFreeHost")) return failed;
    Device& d = device();
    const auto found = d.locked.find(block);
    if (found == d.locked.end()) return kInvalidValue;
    d.now_locked -= found->second;
    d.locked.erase(found);
    std::free(block);
    return kSuccess;
}

PRETENDED int cuGetErrorName(int result, const char** text) {
    static const std::map<int, const char*> names = {{kInvalidValue, "CUDA_ERROR_INVALID_VALUE"},
                                                     {kOutOfMemory, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                     {kInvalidContext, "CUDA_ERROR_INVALID_CONTEXT"},
                                                     {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}};
    const auto found = names.find(result);
    *text = found == names.end() ? nullptr : found->second;
    return found == names.end() ? kInvalidValue : kSuccess;
}

PRETENDED int cuGetErrorString(int result, const char** text) {
    *text = result == 700 ? "an illegal memory access was encountered" : nullptr;
    return *text == nullptr ? kInvalidValue : kSuccess;
}

// Of memory that is neither the device's nor page-locked the driver knows nothing.
PRETENDED int cuPointerGetAttribute(void* value, int attribute, std::uint64_t address) {
    const Lock lock(device().mutex);
    if (const int failed = called("cuPointerGetAttribute")) return failed;
    constexpr int kMemoryType = 2, kHostPointer = 4, kIsManaged = 8;
    constexpr unsigned kHost = 1, kDevice = 2;
    Device& d = device();
    const auto locked = d.locked.upper_bound(reinterpret_cast<void*>(address));
    const bool is_locked =
        locked != d.locked.begin() &&
        address < reinterpret_cast<std::uint64_t>(std::prev(locked)->first) + std::prev(locked)->second;
    const bool is_device = seen(address, 0) != nullptr;
    if (!is_locked && !is_device) return kInvalidValue;
    switch (attribute) {
        case kMemoryType:
            *static_cast<unsigned*>(value) = is_device ? kDevice : kHost;
            return kSuccess;
        case kIsManaged:
            *static_cast<unsigned*>(value) = is_device && d.is_managed ? 1 : 0;
            return kSuccess;
        case kHostPointer:
            if (is_device && !d.is_managed) return kInvalidValue;
            *static_cast<void**>(value) = reinterpret_cast<void*>(address);
            return kSuccess;
        default:
            return kInvalidValue;
    }
}
