#include "elf_file.hpp"

#include <link.h>

#include <cstring>
#include <fstream>

namespace jaxmpi {
namespace {

template <class T>
std::vector<T> read(std::ifstream& file, std::uint64_t offset, std::size_t count) {
    std::vector<T> found(count);
    file.seekg(static_cast<std::streamoff>(offset));
    file.read(reinterpret_cast<char*>(found.data()), static_cast<std::streamsize>(count * sizeof(T)));
    if (!file) found.clear();
    return found;
}

std::string read_text(std::ifstream& file, std::uint64_t offset) {
    std::string text;
    file.seekg(static_cast<std::streamoff>(offset));
    std::getline(file, text, '\0');
    return text;
}

}  // namespace

std::vector<std::string> needed_by(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const auto header = read<ElfW(Ehdr)>(file, 0, 1);
    if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        header[0].e_ident[EI_CLASS] != ELFCLASS64 || header[0].e_phentsize != sizeof(ElfW(Phdr)))
        return {};
    const auto segments = read<ElfW(Phdr)>(file, header[0].e_phoff, header[0].e_phnum);
    std::vector<ElfW(Dyn)> dynamic;
    for (const ElfW(Phdr) & segment : segments)
        if (segment.p_type == PT_DYNAMIC)
            dynamic = read<ElfW(Dyn)>(file, segment.p_offset, segment.p_filesz / sizeof(ElfW(Dyn)));
    std::uint64_t strings = 0;
    for (const ElfW(Dyn) & entry : dynamic)
        if (entry.d_tag == DT_STRTAB) strings = entry.d_un.d_ptr;
    for (const ElfW(Phdr) & segment : segments)
        if (segment.p_type == PT_LOAD && strings >= segment.p_vaddr && strings < segment.p_vaddr + segment.p_filesz) {
            strings += segment.p_offset - segment.p_vaddr;
            break;
        }
    std::vector<std::string> names;
    for (const ElfW(Dyn) & entry : dynamic)
        if (entry.d_tag == DT_NEEDED) names.push_back(read_text(file, strings + entry.d_un.d_val));
    return names;
}

}  // namespace jaxmpi
