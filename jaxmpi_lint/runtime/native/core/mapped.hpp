// The shared objects that are mapped into this process, as the dynamic linker sees them.
#pragma once

#include <link.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core.hpp"

namespace jaxmpi {

class MappedObject {
  public:
    MappedObject(std::string path, ElfW(Addr) base, std::span<const ElfW(Phdr)> headers);

    const std::string& path() const { return path_; }
    std::string_view name() const;  // the last part of the path
    ElfW(Addr) base() const { return base_; }
    std::string_view soname() const { return text(soname_); }
    // What tells this build of the file from others: the linker's build-id in hexadecimal digits, "" without one.
    std::string build() const;
    bool needs(std::string_view soname) const;
    bool contains(ElfW(Addr) address) const { return address >= low_ && address < high_; }
    // Pages that become read-only after relocation.
    std::span<const std::byte> relro() const { return relro_; }
    std::span<const ElfW(Rela)> relocations() const { return relocations_; }
    std::span<const ElfW(Rela)> jump_slots() const { return jump_slots_; }
    // The name of the symbol that a relocation refers to; "" if it refers to none.
    const char* symbol_of(const ElfW(Rela) & relocation) const;

  private:
    const char* text(std::size_t offset) const { return strings_ == nullptr ? "" : strings_ + offset; }

    std::string path_;
    ElfW(Addr) base_ = 0, low_ = 0, high_ = 0;
    const char* strings_ = nullptr;
    const ElfW(Sym) * symbols_ = nullptr;
    std::size_t soname_ = 0;
    std::vector<std::size_t> needed_;
    std::span<const std::byte> relro_;
    std::span<const std::byte> build_;
    std::span<const ElfW(Rela)> relocations_, jump_slots_;
};

// In the order in which they were loaded. The first is the program itself, with its own path.
std::vector<MappedObject> mapped_objects();

// How many objects have ever been mapped: unchanged means that nothing new is there.
JAXMPI_EXPORT std::uint64_t mapped_so_far();

// Whether the object is an MPI library itself: it defines PMPI_Init.
bool is_mpi_library(const MappedObject& object);

// A path without links, and its folder with the slash at its end.
std::string resolved(const std::string& path);
std::string folder_of(const std::string& path);
// That of the file which an address of code or data belongs to; "" if none.
std::string folder_of(const void* address);

// Whether a file is this MPI or belongs to it: several libraries lie side by side, libmpi, libmpi_mpifh, libmpifort.
bool is_part_of_mpi(const std::string& path);

}  // namespace jaxmpi
