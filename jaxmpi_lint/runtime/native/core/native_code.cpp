#include "native_code.hpp"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "mapped.hpp"

namespace jaxmpi {
namespace {

// Where distributions and administrators install libraries (Filesystem Hierarchy Standard 3.0, sections 3.9, 4.6, 4.9).
constexpr std::array<std::string_view, 6> kSystem{"/lib/",       "/lib64/",         "/usr/lib/",
                                                  "/usr/lib64/", "/usr/local/lib/", "/usr/local/lib64/"};

constexpr std::uintptr_t kEntryCode = 64;  // bytes of the code that calls `main`'s caller

std::atomic<LibraryTest> library_test{nullptr};

bool is_own(const std::string& file) {
    static const std::string own = folder_of(reinterpret_cast<const void*>(&set_library_test));
    return file.find("libjaxmpi_") != std::string::npos && folder_of(file) == own;
}

CodeOwner owner_of(const std::string& file, bool is_executable) {
    if (is_own(file) || is_part_of_mpi(file)) return CodeOwner::kMpi;
    const LibraryTest test = library_test.load(std::memory_order_acquire);
    if (is_executable) return test == nullptr ? CodeOwner::kProgram : CodeOwner::kLibrary;
    if (test != nullptr && test(file.c_str())) return CodeOwner::kLibrary;
    const bool system = std::ranges::any_of(kSystem, [&](std::string_view folder) { return file.starts_with(folder); });
    return system ? CodeOwner::kLibrary : CodeOwner::kProgram;
}

// Without a build-id the time of the last change tells a file from a later one of that name.
std::string build_of(const MappedObject& object, const std::string& file) {
    std::string build = object.build();
    struct stat status{};
    if (build.empty() && stat(file.c_str(), &status) == 0)
        build = "changed " + std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
    return build;
}

}  // namespace

CodePlace code_at(std::uintptr_t address) {
    const std::vector<MappedObject> objects = mapped_objects();
    const auto at = std::ranges::find_if(objects, [&](const MappedObject& one) { return one.contains(address); });
    if (at == objects.end() || at->path().empty()) return {};
    const std::uintptr_t offset = address - at->base();
    if (offset > 0xffffffff) return {};
    const std::string file = resolved(at->path());
    const bool is_executable = at == objects.begin();
    const bool is_entry = address - getauxval(AT_ENTRY) < kEntryCode;
    const CodeOwner owner = is_entry ? CodeOwner::kLibrary : owner_of(file, is_executable);
    const bool starts = is_entry || at->contains(reinterpret_cast<std::uintptr_t>(&abort));
    return {owner, file, build_of(*at, file), static_cast<std::uint32_t>(offset), starts};
}

void set_library_test(LibraryTest test) { library_test.store(test, std::memory_order_release); }

}  // namespace jaxmpi
