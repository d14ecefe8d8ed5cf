// Files and descriptors that close themselves, and locks that end with their process.
#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <string>
#include <utility>

#include "export.hpp"

namespace jaxmpi {

class JAXMPI_EXPORT Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor();
    explicit operator bool() const { return number_ >= 0; }
    int number() const { return number_; }

  private:
    int number_ = -1;
};

// Shared memory of a file. `unmap` is left to the end of the process where the memory must outlive everything.
class JAXMPI_EXPORT Mapping {
  public:
    Mapping() = default;
    // Not `shared`: changes stay private to this process, and the file need not be writable.
    Mapping(const Descriptor& file, std::size_t size, bool shared = true);
    Mapping(Mapping&& other) noexcept : base_(std::exchange(other.base_, nullptr)), size_(other.size_) {}
    Mapping& operator=(Mapping&& other) noexcept {
        std::swap(base_, other.base_);
        std::swap(size_, other.size_);
        return *this;
    }
    ~Mapping();
    explicit operator bool() const { return base_ != nullptr; }
    void* base() const { return base_; }
    std::size_t size() const { return size_; }
    void keep() { base_ = nullptr; }
    void hide_from_children() const;

  private:
    void* base_ = nullptr;
    std::size_t size_ = 0;
};

JAXMPI_EXPORT Descriptor open_file(const std::string& path, int flags, mode_t mode = 0600);
// A regular file of this user that no other user may open, of exactly `size` bytes (0: any).
JAXMPI_EXPORT bool is_private(const Descriptor& file, std::size_t size);
JAXMPI_EXPORT bool is_private_folder(const std::string& path);
JAXMPI_EXPORT std::string read_text(const std::string& path, std::size_t limit = 4096);

// Takes the space now, so that a full file system, or the user's limit, is an error (errno) and never a signal.
JAXMPI_EXPORT int reserve(const Descriptor& file, std::size_t size, std::size_t from = 0);

// Locks of one byte of a file. They belong to the open file, so that no other descriptor's closing drops them, and a
// mapping keeps them alive after the descriptor is closed.
JAXMPI_EXPORT bool lock_byte(const Descriptor& file, std::size_t byte);
JAXMPI_EXPORT void unlock_byte(const Descriptor& file, std::size_t byte);
JAXMPI_EXPORT bool is_locked(const Descriptor& file, std::size_t byte, std::size_t count = 1);

}  // namespace jaxmpi
