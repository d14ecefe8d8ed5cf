#include "library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <string_view>

#include "mapped.hpp"

namespace jaxmpi {
namespace {

std::array<void*, kFunctions> real_functions{};
std::array<bool, kGroups> complete{};
std::array<void*, kGroups> interposers{};

std::string soname_of(const std::string& path, void* library) {
    const auto initialise = reinterpret_cast<ElfW(Addr)>(dlsym(library, "PMPI_Init"));
    for (const MappedObject& object : mapped_objects())
        if (object.contains(initialise)) return std::string(object.soname().empty() ? object.name() : object.soname());
    return path.substr(path.rfind('/') + 1);
}

void resolve(void* library) {
    complete.fill(true);
    for (std::size_t i = 1; i < kFunctions; ++i) {
        const std::string name = kTable[i].name;
        real_functions[i] = dlsym(library, ("P" + name).c_str());
        if (real_functions[i] == nullptr || dlsym(library, name.c_str()) == nullptr)
            complete[static_cast<std::size_t>(kTable[i].group)] = false;
    }
}

}  // namespace

std::vector<MappedLibrary> mapped_libraries() {
    std::vector<MappedLibrary> found;
    for (const MappedObject& object : mapped_objects())
        if (is_mpi_library(object))
            found.push_back({std::string(object.soname().empty() ? object.name() : object.soname()), object.path()});
    return found;
}

std::string use_library(const std::string& path) {
    Process& self = process();
    if (self.library != nullptr) return {};
    std::string chosen = path;
    if (chosen.empty())
        if (const auto mapped = mapped_libraries(); !mapped.empty()) chosen = mapped.front().path;
    if (chosen.empty()) return "no MPI library is loaded";
    void* library = dlopen(chosen.c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) return dlerror();
    if (dlsym(library, "PMPI_Init") == nullptr) return chosen + " has no PMPI_Init";
    const std::string soname = soname_of(chosen, library);
    resolve(library);
    self.library = library;
    self.abi = recognise(soname.c_str(), library);
    if (self.abi == nullptr) {
        self.library = nullptr;
        return "the ABI of " + soname + " is unknown";
    }
    if (std::string missing = fill_handles(); !missing.empty()) {
        self.library = nullptr;
        return missing;
    }
    return {};
}

std::vector<Group> available_groups() {
    std::vector<Group> groups;
    for (std::size_t i = 0; i < kGroups; ++i)
        if (complete[i] && process().library != nullptr) groups.push_back(static_cast<Group>(i));
    return groups;
}

std::string load_interposers() {
    Dl_info self{};
    if (dladdr(reinterpret_cast<void*>(&load_interposers), &self) == 0) return "the path of the native core is unknown";
    const std::string core = self.dli_fname;
    const std::string folder = core.substr(0, core.rfind('/') + 1);
    for (const Group group : available_groups()) {
        const std::string path = folder + "libjaxmpi_mpi_" + kGroupNames[static_cast<std::size_t>(group)] + ".so";
        void* interposer = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (interposer == nullptr) return dlerror();
        interposers[static_cast<std::size_t>(group)] = interposer;
    }
    return {};
}

void* interposer_of(Function function) {
    const FunctionInfo& info = kTable[static_cast<std::size_t>(function)];
    void* interposer = interposers[static_cast<std::size_t>(info.group)];
    return interposer == nullptr ? nullptr : dlsym(interposer, info.name);
}

void* real(Function function) { return real_functions[static_cast<std::size_t>(function)]; }

void* symbol(const char* name) {
    if (process().library == nullptr) return nullptr;
    void* found = dlsym(process().library, name);
    // A program that is not position-independent has copies of the library's variables, and those count.
    static void* const program = dlopen(nullptr, RTLD_LAZY);
    void* copy = std::string_view(name).find("MPI_") < 2 ? nullptr : dlsym(program, name);
    return copy != nullptr && mapped_objects().front().contains(reinterpret_cast<ElfW(Addr)>(copy)) ? copy : found;
}

}  // namespace jaxmpi
