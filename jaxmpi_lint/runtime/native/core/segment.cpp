#include "segment.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "core.hpp"

namespace jaxmpi {
namespace {

template <std::size_t N>
void copy_text(char (&to)[N], const std::string& from) {
    const std::size_t n = std::min(from.size(), N - 1);
    std::memcpy(to, from.data(), n);
    to[n] = 0;
}

std::uint64_t nanoseconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

std::string fresh_name() {
    std::uint64_t random[2]{};
    if (getrandom(random, sizeof random, 0) != sizeof random) return "";
    char name[64];
    std::snprintf(name, sizeof name, "/dev/shm/jaxmpi-sanitize.%u.%016llx%016llx", geteuid(),
                  static_cast<unsigned long long>(random[0]), static_cast<unsigned long long>(random[1]));
    return name;
}

void fill(Header& header, const Plan& plan, std::size_t size) {
    header.magic = kMagic;
    header.size = size;
    header.local_ranks = plan.local_ranks;
    header.world_size = static_cast<std::uint32_t>(plan.world_size);
    header.history = plan.history;
    header.communicators = plan.communicators;
    header.ticks_at_start = ticks();
    header.monotonic_at_start = nanoseconds(CLOCK_MONOTONIC);
    header.realtime_at_start = nanoseconds(CLOCK_REALTIME);
    copy_text(header.job, plan.job);
    copy_text(header.host, plan.host);
    copy_text(header.library, plan.library);
    copy_text(header.options, plan.options);
    copy_text(header.directory, plan.folder);
    header.ready.store(1, std::memory_order_release);
}

}  // namespace

std::string make_segment(const Plan& plan, bool in_folder, std::string& why) {
    const Layout layout{plan.local_ranks, plan.history, plan.communicators,
                        static_cast<std::uint32_t>(plan.world_size) > plan.local_ranks};
    const std::string path = in_folder ? plan.folder + "/ledger" : fresh_name();
    const Descriptor file = open_file(path, O_RDWR | O_CREAT | O_EXCL);
    const int error = !file ? errno : reserve(file, layout.size());
    if (error == 0) {
        const Mapping map(file, layout.size());
        if (map) {
            fill(*static_cast<Header*>(map.base()), plan, layout.size());
            return path;
        }
    }
    why = std::to_string(layout.size() >> 20) + " MiB for the ledger in " + (in_folder ? plan.folder : "/dev/shm") +
          ": " + std::strerror(error == 0 ? errno : error);
    if (file) unlink(path.c_str());
    return "";
}

Mapping open_segment(const std::string& path) {
    const Descriptor file = open_file(path, O_RDWR);
    if (!is_private(file, 0)) return {};
    const off_t size = lseek(file.number(), 0, SEEK_END);
    if (size < static_cast<off_t>(sizeof(Header))) return {};
    Mapping map(file, static_cast<std::size_t>(size));
    if (!map) return {};
    const auto* header = static_cast<const Header*>(map.base());
    if (header->magic != kMagic || header->size != static_cast<std::uint64_t>(size) ||
        header->ready.load(std::memory_order_acquire) != 1)
        return {};
    return map;
}

}  // namespace jaxmpi
