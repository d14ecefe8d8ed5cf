#include "mapped.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>

namespace jaxmpi {
namespace {

constexpr std::size_t kTextBefore = 0;  // an empty string starts every string table

std::string own_program() {
    std::array<char, PATH_MAX> path{};
    const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
    return length > 0 ? std::string(path.data(), static_cast<std::size_t>(length)) : std::string();
}

// The build-id among the notes of a segment, empty if there is none.
std::span<const std::byte> build_in(ElfW(Addr) notes, std::size_t size) {
    constexpr std::string_view kOwner("GNU\0", 4);
    const auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
    const ElfW(Addr) end = notes + size;
    while (notes + sizeof(ElfW(Nhdr)) <= end) {
        const auto* const note = reinterpret_cast<const ElfW(Nhdr)*>(notes);
        const char* const owner = reinterpret_cast<const char*>(note + 1);
        const char* const content = owner + padded(note->n_namesz);
        if (note->n_type == NT_GNU_BUILD_ID && std::string_view(owner, note->n_namesz) == kOwner)
            return {reinterpret_cast<const std::byte*>(content), note->n_descsz};
        notes = reinterpret_cast<ElfW(Addr)>(content + padded(note->n_descsz));
    }
    return {};
}

}  // namespace

MappedObject::MappedObject(std::string path, ElfW(Addr) base, std::span<const ElfW(Phdr)> headers)
    : path_(std::move(path)), base_(base), low_(~ElfW(Addr){0}) {
    const ElfW(Dyn)* dynamic = nullptr;
    for (const ElfW(Phdr) & header : headers) {
        const ElfW(Addr) start = base + header.p_vaddr;
        if (header.p_type == PT_LOAD) {
            low_ = std::min(low_, start);
            high_ = std::max(high_, start + header.p_memsz);
        } else if (header.p_type == PT_DYNAMIC) {
            dynamic = reinterpret_cast<const ElfW(Dyn)*>(start);
        } else if (header.p_type == PT_GNU_RELRO) {
            relro_ = {reinterpret_cast<const std::byte*>(start), header.p_memsz};
        } else if (header.p_type == PT_NOTE) {
            if (const auto found = build_in(start, header.p_memsz); !found.empty()) build_ = found;
        }
    }
    if (dynamic == nullptr) return;
    // glibc turns these into addresses when it loads an object, except where the section is read-only (the vDSO).
    const auto address = [base](const ElfW(Dyn) & entry) {
        return entry.d_un.d_ptr < base ? entry.d_un.d_ptr + base : entry.d_un.d_ptr;
    };
    const ElfW(Rela)* all = nullptr;
    const ElfW(Rela)* jumps = nullptr;
    std::size_t all_bytes = 0, jump_bytes = 0;
    for (; dynamic->d_tag != DT_NULL; ++dynamic) {
        switch (dynamic->d_tag) {
            case DT_STRTAB:
                strings_ = reinterpret_cast<const char*>(address(*dynamic));
                break;
            case DT_SYMTAB:
                symbols_ = reinterpret_cast<const ElfW(Sym)*>(address(*dynamic));
                break;
            case DT_SONAME:
                soname_ = dynamic->d_un.d_val;
                break;
            case DT_NEEDED:
                needed_.push_back(dynamic->d_un.d_val);
                break;
            case DT_RELA:
                all = reinterpret_cast<const ElfW(Rela)*>(address(*dynamic));
                break;
            case DT_RELASZ:
                all_bytes = dynamic->d_un.d_val;
                break;
            case DT_JMPREL:
                jumps = reinterpret_cast<const ElfW(Rela)*>(address(*dynamic));
                break;
            case DT_PLTRELSZ:
                jump_bytes = dynamic->d_un.d_val;
                break;
            default:
                break;
        }
    }
    if (all != nullptr) relocations_ = {all, all_bytes / sizeof(ElfW(Rela))};
    if (jumps != nullptr) jump_slots_ = {jumps, jump_bytes / sizeof(ElfW(Rela))};
}

std::string_view MappedObject::name() const {
    const std::string_view path = path_;
    return path.substr(path.rfind('/') + 1);
}

std::string MappedObject::build() const {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : build_) {
        text += kDigits[std::to_integer<unsigned>(byte >> 4)];
        text += kDigits[std::to_integer<unsigned>(byte & std::byte{15})];
    }
    return text;
}

bool MappedObject::needs(std::string_view soname) const {
    return std::ranges::any_of(needed_, [&](std::size_t offset) { return soname == text(offset); });
}

const char* MappedObject::symbol_of(const ElfW(Rela) & relocation) const {
    const auto index = ELF64_R_SYM(relocation.r_info);
    return index == 0 || symbols_ == nullptr ? text(kTextBefore) : text(symbols_[index].st_name);
}

std::vector<MappedObject> mapped_objects() {
    std::vector<MappedObject> found;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* objects) {
            auto& list = *static_cast<std::vector<MappedObject>*>(objects);
            const std::string path = list.empty() ? own_program() : std::string(info->dlpi_name);
            list.emplace_back(path, info->dlpi_addr, std::span(info->dlpi_phdr, info->dlpi_phnum));
            return 0;
        },
        &found);
    return found;
}

std::uint64_t mapped_so_far() {
    std::uint64_t count = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* answer) {
            *static_cast<std::uint64_t*>(answer) = info->dlpi_adds;
            return 1;
        },
        &count);
    return count;
}

bool is_mpi_library(const MappedObject& object) {
    if (object.name().find("mpi") == std::string_view::npos) return false;
    void* handle = dlopen(object.path().c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) return false;
    void* initialise = dlsym(handle, "PMPI_Init");  // also looks in what the object needs
    dlclose(handle);
    return initialise != nullptr && object.contains(reinterpret_cast<ElfW(Addr)>(initialise));
}

std::string resolved(const std::string& path) {
    std::array<char, PATH_MAX> whole{};
    return realpath(path.c_str(), whole.data()) == nullptr ? path : std::string(whole.data());
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }

std::string folder_of(const void* address) {
    Dl_info info{};
    return dladdr(address, &info) == 0 ? std::string() : folder_of(resolved(info.dli_fname));
}

bool is_part_of_mpi(const std::string& path) {
    const std::string file = resolved(path);
    const std::string_view name = std::string_view(file).substr(file.rfind('/') + 1);
    if (!name.starts_with("libmpi") && !name.starts_with("libpmpi")) return false;
    return folder_of(file) == folder_of(symbol("PMPI_Init"));
}

}  // namespace jaxmpi
