#include "board.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "hashing.hpp"
#include "identity.hpp"

namespace jaxmpi {
namespace {

constexpr std::array kBases{"/tmp", "/var/tmp", "/dev/shm"};

// One for each host, which may share the folders with others, as containers or clusters without disks.
std::string under(const char* base) {
    std::string host = host_name();
    std::ranges::replace(host, '/', '-');
    return std::string(base) + "/jaxmpi-sanitize-" + std::to_string(geteuid()) + "." + host;
}

}  // namespace

std::string user_folder() {
    for (const char* base : kBases) {
        const std::string folder = under(base);
        if (mkdir(folder.c_str(), 0700) == 0 || is_private_folder(folder)) return folder;
    }
    return "";
}

std::string job_folder(const std::string& identity, std::string& why) {
    const std::string user = user_folder();
    if (user.empty()) {
        why = "cannot create a private folder for this user in /tmp";
        return "";
    }
    std::array<char, 17> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash_text(identity)));
    const std::string folder = user + "/" + digits.data();
    if (mkdir(folder.c_str(), 0700) != 0 && !is_private_folder(folder)) {
        why = "cannot create " + folder;
        return "";
    }
    return folder;
}

Descriptor open_board(const std::string& folder) { return open_file(folder + "/" + Board::kName, O_RDWR); }

bool rank_alive(const Descriptor& board, std::uint32_t local) { return is_locked(board, Board::kRanks + local); }
bool monitor_alive(const Descriptor& board) { return is_locked(board, Board::kMonitor); }
bool anyone_alive(const Descriptor& board) {
    return is_locked(board, Board::kMonitor, Board::kLocks - Board::kMonitor);
}

void remove_if_dead(const std::string& folder) {
    const Descriptor file = open_board(folder);
    if (!file)
        rmdir(folder.c_str());  // of a job that is only now beginning: it makes it again
    else if (lock_byte(file, Board::kDoor) && !anyone_alive(file))
        remove_job(folder);
}

std::vector<std::string> job_folders() {
    const std::string user = user_folder();
    const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(user.c_str()), closedir);
    std::vector<std::string> folders;
    while (const dirent* item = listing ? readdir(listing.get()) : nullptr)
        if (std::string_view(item->d_name).size() == 16) folders.push_back(user + "/" + item->d_name);
    return folders;
}

std::string ledger_of(const std::string& folder) {
    const Descriptor file = open_board(folder);
    if (!is_private(file, sizeof(Board))) return "";
    const Mapping map(file, sizeof(Board));
    if (!map) return "";
    const char* const path = static_cast<const Board*>(map.base())->segment;
    return {path, strnlen(path, sizeof Board::segment)};
}

void remove_job(const std::string& folder) {
    if (const std::string segment = ledger_of(folder); segment.starts_with("/dev/shm/jaxmpi-sanitize."))
        unlink(segment.c_str());
    for (const char* const name : {"/ledger", "/offer", "/offer.new", "/hosts", "/hosts.new", "/keys"})
        unlink((folder + name).c_str());
    unlink((folder + "/" + Board::kName).c_str());
    rmdir(folder.c_str());
}

void reap_stale(const std::string& except) {
    for (const std::string& folder : job_folders())
        if (folder != except && is_private_folder(folder)) remove_if_dead(folder);
}

}  // namespace jaxmpi
