#include "host_memory.hpp"

#include <cerrno>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "problem.hpp"

namespace jaxmpi::collectives {
namespace {

constexpr char kVariable[] = "JAXMPI_PINNED_BYTES";
constexpr std::size_t kUsualBound = std::size_t{256} << 20;
constexpr std::size_t kSmallest = 4096;

std::size_t bound() {
    const char* const text = std::getenv(kVariable);
    if (text == nullptr || *text == 0) return kUsualBound;
    char* end = nullptr;
    errno = 0;
    const unsigned long long bytes = std::strtoull(text, &end, 10);
    if (*end != 0 || *text == '-' || errno != 0)
        throw DeviceProblem(std::string(kVariable) + "=" + text + " is not a number of bytes");
    return static_cast<std::size_t>(bytes);
}

// Blocks of sizes that are powers of two. The driver is never called with the mutex held: it may wait for a device.
class Pool {
  public:
    // A kept block of this size, or room in the bound for a new one, for which kept ones of other sizes may have to go.
    struct Room {
        void* kept = nullptr;
        bool fits = false;
        std::vector<void*> leaving;
    };

    Room take(std::size_t size, std::size_t most) {
        const std::lock_guard lock(mutex_);
        Room room;
        auto& same = kept_[size];
        if (!same.empty()) {
            room.kept = same.back();
            same.pop_back();
            return room;
        }
        if (size > most || total_ - idle() > most - size) return room;
        for (auto largest = kept_.rbegin(); total_ > most - size; ++largest) {
            while (!largest->second.empty() && total_ > most - size) {
                room.leaving.push_back(largest->second.back());
                largest->second.pop_back();
                total_ -= largest->first;
            }
        }
        room.fits = true;
        total_ += size;
        return room;
    }

    void give(void* block, std::size_t size) {
        const std::lock_guard lock(mutex_);
        kept_[size].push_back(block);
    }

    void lost(std::size_t size) {
        const std::lock_guard lock(mutex_);
        total_ -= size;
    }

  private:
    std::size_t idle() const {
        std::size_t bytes = 0;
        for (const auto& [size, blocks] : kept_) bytes += size * blocks.size();
        return bytes;
    }

    std::mutex mutex_;
    std::map<std::size_t, std::vector<void*>> kept_;
    std::size_t total_ = 0;  // in use and kept
};

Pool& pool() {
    static auto* const once = new Pool;  // the driver ends by itself, and perhaps before what is static
    return *once;
}

std::size_t rounded(std::size_t bytes) {
    std::size_t size = kSmallest;
    while (size < bytes) size *= 2;
    return size;
}

// nullptr if there is no room for it within the bound, or none on this host.
void* locked_block(const Driver& cuda, std::size_t size) {
    Pool::Room room = pool().take(size, bound());
    if (room.kept != nullptr) return room.kept;
    for (void* const block : room.leaving) cuda.release(block);
    if (!room.fits) return nullptr;
    void* block = nullptr;
    const Result result = cuda.allocate(&block, size, kPortable);
    if (result == kSuccess) return block;
    pool().lost(size);
    if (result != kOutOfMemory) check(cuda, result, "allocating page-locked memory");
    return nullptr;
}

}  // namespace

HostMemory::HostMemory(const Driver& cuda, std::size_t bytes) {
    const std::size_t size = rounded(bytes);
    data_ = locked_block(cuda, size);
    if (data_ != nullptr) {
        locked_ = size;
        return;
    }
    data_ = std::malloc(bytes);
    if (data_ == nullptr)
        throw DeviceProblem("cannot allocate " + std::to_string(bytes) +
                            " bytes of host memory for a copy of the array");
}

HostMemory::~HostMemory() {
    if (locked_ != 0)
        pool().give(data_, locked_);
    else
        std::free(data_);
}

HostMemory::HostMemory(HostMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), locked_(std::exchange(other.locked_, 0)) {}

}  // namespace jaxmpi::collectives
