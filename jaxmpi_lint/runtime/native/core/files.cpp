#include "files.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace jaxmpi {
namespace {

struct flock one_lock(short type, std::size_t byte, std::size_t count) {
    struct flock lock{};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = static_cast<off_t>(byte);
    lock.l_len = static_cast<off_t>(count);
    return lock;
}

}  // namespace

Descriptor::~Descriptor() {
    if (number_ >= 0) close(number_);
}

Mapping::Mapping(const Descriptor& file, std::size_t size, bool shared) : size_(size) {
    void* const base = mmap(nullptr, size, PROT_READ | PROT_WRITE, shared ? MAP_SHARED : MAP_PRIVATE, file.number(), 0);
    base_ = base == MAP_FAILED ? nullptr : base;
}

Mapping::~Mapping() {
    if (base_ != nullptr) munmap(base_, size_);
}

void Mapping::hide_from_children() const { madvise(base_, size_, MADV_DONTFORK); }

Descriptor open_file(const std::string& path, int flags, mode_t mode) {
    return Descriptor(open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, mode));
}

bool is_private(const Descriptor& file, std::size_t size) {
    struct stat status{};
    return file && fstat(file.number(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 077) == 0 && (size == 0 || static_cast<std::size_t>(status.st_size) == size);
}

bool is_private_folder(const std::string& path) {
    struct stat status{};
    return lstat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
           (status.st_mode & 077) == 0;
}

std::string read_text(const std::string& path, std::size_t limit) {
    const Descriptor file = open_file(path, O_RDONLY);
    std::string text;
    std::array<char, 1024> piece;
    while (file && text.size() < limit) {
        const ssize_t n = read(file.number(), piece.data(), piece.size());
        if (n <= 0) break;
        text.append(piece.data(), static_cast<std::size_t>(n));
    }
    return text;
}

int reserve(const Descriptor& file, std::size_t size, std::size_t from) {
    sigset_t limit, before;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    const int error = posix_fallocate(file.number(), static_cast<off_t>(from), static_cast<off_t>(size));
    const timespec at_once{};
    if (error == EFBIG && sigismember(&before, SIGXFSZ) == 0) sigtimedwait(&limit, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return error;
}

bool lock_byte(const Descriptor& file, std::size_t byte) {
    struct flock lock = one_lock(F_WRLCK, byte, 1);
    return fcntl(file.number(), F_OFD_SETLK, &lock) == 0;
}

void unlock_byte(const Descriptor& file, std::size_t byte) {
    struct flock lock = one_lock(F_UNLCK, byte, 1);
    fcntl(file.number(), F_OFD_SETLK, &lock);
}

bool is_locked(const Descriptor& file, std::size_t byte, std::size_t count) {
    struct flock lock = one_lock(F_WRLCK, byte, count);
    return fcntl(file.number(), F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace jaxmpi
