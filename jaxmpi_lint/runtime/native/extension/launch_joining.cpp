// How the processes of a JAX job on one host share a ledger without MPI: by the address of their coordinator.
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "bindings.hpp"
#include "closing.hpp"
#include "files.hpp"
#include "futex.hpp"
#include "hashing.hpp"
#include "launch_own.hpp"
#include "monitor.hpp"
#include "thread.hpp"

namespace jaxmpi::launches {
namespace {

constexpr auto kPatience = std::chrono::seconds(5);
constexpr std::size_t kStack = std::size_t{512} << 10;

template <std::size_t N>
void put(char (&to)[N], const std::string& from) {
    const std::size_t n = std::min(from.size(), N - 1);
    std::memcpy(to, from.data(), n);
    to[n] = 0;
}

std::string host_name() {
    std::array<char, 128> name{};
    gethostname(name.data(), name.size() - 1);
    return name.data();
}

// Equal addresses mean equal jobs only within one network.
std::string network() {
    std::array<char, 128> text{};
    const ssize_t n = readlink("/proc/self/ns/net", text.data(), text.size() - 1);
    return n > 0 ? std::string(text.data(), static_cast<std::size_t>(n)) : "";
}

std::string prefix() { return "jaxmpi-sanitize." + std::to_string(geteuid()) + ".jax-"; }

std::string folder_of(const std::string& identity) {
    std::array<char, 17> hash{};
    std::snprintf(hash.data(), hash.size(), "%016llx",
                  static_cast<unsigned long long>(hash_text(identity + '\n' + host_name() + '\n' + network())));
    return "/dev/shm/" + prefix() + hash.data();
}

std::runtime_error problem(const std::string& what) { return std::runtime_error(what + ": " + std::strerror(errno)); }

bool in_use(const Descriptor& file) { return is_locked(file, kAlive, kLanes) || is_locked(file, kMonitor); }

// Jobs that ended without clearing away.
void reap(const std::string& except) {
    DIR* const all = opendir("/dev/shm");
    if (all == nullptr) return;
    while (const dirent* entry = readdir(all)) {
        const std::string path = std::string("/dev/shm/") + entry->d_name;
        if (std::string_view(entry->d_name).substr(0, prefix().size()) != prefix() || path == except) continue;
        const Descriptor file = open_file(path + "/ledger", O_RDWR);
        if (is_private(file, 0) && !in_use(file) && lock_byte(file, kDoor)) remove_folder(path);
    }
    closedir(all);
}

// Whether the ledger is that of a former job: this index is taken, or no process is alive.
bool is_former(const Descriptor& file, const Mapping& map, std::int32_t index) {
    const Header& head = header(map.base());
    if (head.magic != kMagic || head.ready.load(std::memory_order_acquire) == 0 || head.over.load() != 0) return true;
    if (!in_use(file)) return true;
    for (std::uint32_t i = 0; i < kLanes; ++i) {
        const Lane& one = lane(map.base(), i);
        if (one.state.load(std::memory_order_acquire) == State::kAbsent) return false;
        if (one.index == index) return true;
    }
    return false;
}

void begin_ledger(Header& head, const Joining& wanted) {
    head.magic = kMagic;
    head.expected = wanted.expected;
    put(head.job, wanted.job);
    put(head.host, host_name());
    put(head.library, wanted.library);
    put(head.options, wanted.options);
    head.ready.store(1, std::memory_order_release);
}

// The ledger, with its lock held; nothing yet if another process holds the lock or it has just been removed.
bool open_ledger(const std::string& folder, const Joining& wanted, Descriptor& file, Mapping& map) {
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) throw problem(folder);
    if (!is_private_folder(folder)) throw std::runtime_error(folder + " is not private to this user");
    Descriptor opened = open_file(folder + "/ledger", O_RDWR | O_CREAT);
    if (!opened) {
        if (errno == ENOENT) return false;
        throw problem(folder + "/ledger");
    }
    if (!lock_byte(opened, kDoor)) return false;
    struct stat status{};
    if (fstat(opened.number(), &status) != 0 || status.st_nlink == 0) return false;
    const bool is_new = status.st_size == 0;
    if (!is_new && (!is_private(opened, kSize))) {
        remove_folder(folder);
        return false;
    }
    if (is_new && ftruncate(opened.number(), static_cast<off_t>(kSize)) != 0) throw problem(folder);
    if (is_new && (errno = reserve(opened, kLanesBegin)) != 0) {
        const std::runtime_error why = problem("not enough space for the ledger in /dev/shm");
        remove_folder(folder);
        throw why;
    }
    Mapping whole(opened, kSize);
    if (!whole) throw problem(folder);
    if (is_new) {
        begin_ledger(header(whole.base()), wanted);
    } else if (is_former(opened, whole, wanted.index)) {
        remove_folder(folder);
        return false;
    }
    file = std::move(opened);
    map = std::move(whole);
    return true;
}

std::uint32_t take_lane(const Descriptor& file, const Mapping& map, const Joining& wanted) {
    for (std::uint32_t i = 0; i < kLanes; ++i) {
        if (reserve(file, kLaneSize, kLanesBegin + i * kLaneSize) != 0)
            throw std::runtime_error("not enough space for the ledger in /dev/shm");
        Lane& one = lane(map.base(), i);
        if (one.state.load(std::memory_order_acquire) != State::kAbsent) continue;
        if (!lock_byte(file, kAlive + i)) throw problem("cannot lock the ledger in /dev/shm");
        one.index = wanted.index;
        one.process = own_process();
        one.state.store(State::kRunning, std::memory_order_release);
        return i;
    }
    throw std::runtime_error("more than " + std::to_string(kLanes) + " processes on this host");
}

// Takes the GIL and keeps it.
void be_still() {
    if (Py_IsInitialized() == 0) return;
    PyGILState_Ensure();
    flush_streams();
    for (;;) pause();
}

void* serve(void*) {
    Lane& own = *self().lane;
    for (std::uint32_t seen = 0;;) {
        const std::uint32_t command = own.command.load(std::memory_order_acquire);
        if (command == seen) {
            futex_wait(own.command, seen);
            continue;
        }
        seen = command;
        switch (static_cast<Order>(command & 0xff)) {
            case Order::kStacks: {
                const std::size_t length = python::read_all_stacks(own.stacks, sizeof own.stacks, nullptr);
                own.stacks[std::min(length, sizeof own.stacks - 1)] = 0;
                break;
            }
            case Order::kStill:
                std::thread(be_still).detach();
                break;
            case Order::kEnd:
                end_process(static_cast<std::int32_t>(self().header->exit_code.load()));
            case Order::kNothing:
                break;
        }
        own.answered.store(command >> 8, std::memory_order_release);
        futex_wake(own.answered);
    }
}

void start_serving() {
    sigset_t all, before;  // the program's signals are for the program's threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, kStack);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread{};
    if (pthread_create(&thread, &attributes, serve, nullptr) == 0) pthread_setname_np(thread, "jaxmpi-launches");
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void start_monitor(const Joining& wanted) {
    std::vector<std::string> words = wanted.monitor;
    std::string why = "the path of the Python interpreter is unknown";
    if (!words.empty()) words.push_back(self().folder + "/ledger");
    if (words.empty() || start_detached(words, {}, why) < 0)
        throw std::runtime_error("cannot start the monitor (" + why + ")");
}

}  // namespace

Own& self() {
    static auto* one = new Own;
    return *one;
}

bool joined() { return self().lane != nullptr && self().process == own_process(); }

void remove_folder(const std::string& path) {
    if (DIR* const all = opendir(path.c_str())) {
        while (const dirent* entry = readdir(all))
            if (entry->d_name[0] != '.') unlink((path + "/" + entry->d_name).c_str());
        closedir(all);
    }
    rmdir(path.c_str());
}

std::uint32_t join(const Joining& wanted) {
    Own& own = self();
    if (own.lane != nullptr) throw std::runtime_error("this process has already taken part in a JAX job");
    const std::string folder = folder_of(wanted.identity);
    const auto until = std::chrono::steady_clock::now() + kPatience;
    Descriptor file;
    Mapping map;
    reap(folder);
    while (!open_ledger(folder, wanted, file, map)) {
        if (std::chrono::steady_clock::now() > until)
            throw std::runtime_error("other processes on this host keep the ledger in " + folder + " locked");
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const std::uint32_t place = take_lane(file, map, wanted);
    map.hide_from_children();
    own.folder = folder;
    own.place = place;
    own.goes_on = wanted.goes_on;
    own.strict = wanted.strict;
    own.patience = wanted.patience;
    own.process = own_process();
    own.header = &header(map.base());
    own.lane = &lane(map.base(), place);
    map.keep();  // and with it the lock of this lane
    start_serving();
    set_last_word(give_up);
    watch_aborts();
    if (place == 0) {
        own.header->exit_code.store(static_cast<std::uint32_t>(wanted.exit_code));
        try {
            start_monitor(wanted);
        } catch (...) {
            give_up();
            throw;
        }
    }
    unlock_byte(file, kDoor);
    const std::uint32_t count = own.header->attached.fetch_add(1, std::memory_order_acq_rel) + 1;
    ring();
    return count;
}

}  // namespace jaxmpi::launches
