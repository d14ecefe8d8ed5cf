#include "relocations.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "library.hpp"
#include "mapped.hpp"
#include "second_library.hpp"

namespace jaxmpi {
namespace {

using Address = ElfW(Addr);

constexpr bool holds_an_address(const ElfW(Rela) & relocation) {
#if defined(__x86_64__)
    constexpr Address kAbsolute = R_X86_64_64, kData = R_X86_64_GLOB_DAT, kJump = R_X86_64_JUMP_SLOT;
#else
    constexpr Address kAbsolute = R_AARCH64_ABS64, kData = R_AARCH64_GLOB_DAT, kJump = R_AARCH64_JUMP_SLOT;
#endif
    const Address type = ELF64_R_TYPE(relocation.r_info);
    return relocation.r_addend == 0 && (type == kAbsolute || type == kData || type == kJump);
}

struct Target {
    Function function;
    Address ours;
    Address theirs;
};

using Targets = std::unordered_map<std::string_view, Target>;

// What each interposed function is and what it stands for.
Targets targets() {
    Targets found;
    for (std::size_t i = 1; i < kFunctions; ++i) {
        const char* name = kTable[i].name;
        const auto interposer = interposer_of(static_cast<Function>(i));
        if (interposer != nullptr)
            found[name] = {static_cast<Function>(i), reinterpret_cast<Address>(interposer),
                           reinterpret_cast<Address>(symbol(name))};
    }
    return found;
}

// To be asked only when the interposers are loaded. Never destroyed: some look functions up while the process ends.
const Targets& known_targets() {
    static const Targets& known = *new Targets(targets());
    return known;
}

bool defines(const MappedObject& object, const void* function) {
    return object.contains(reinterpret_cast<Address>(function));
}

// What is to be called for a function that is not the library's: a guard if it is that of a second MPI library.
void* guarded_if_second(void* function, const char* name) {
    const void* used = symbol("PMPI_Init");
    for (const MappedObject& object : mapped_objects()) {
        if (!defines(object, function) || defines(object, used) || !is_mpi_library(object)) continue;
        void* guard = guard_of_second(name, object.path());
        return guard == nullptr ? function : guard;
    }
    return function;
}

// dlsym() for all other callers: a function of the MPI library that is looked up by name is replaced by ours.
void* interposed_dlsym(void* handle, const char* name) {
    const auto known = known_targets().find(name);
    // Compiled to a jump, which preserves the return address: RTLD_NEXT and RTLD_DEFAULT depend on the caller.
    if (known == known_targets().end() || handle == RTLD_NEXT) return dlsym(handle, name);
    void* found = dlsym(handle, name);
    const auto address = reinterpret_cast<Address>(found);
    if (address == known->second.theirs) return reinterpret_cast<void*>(known->second.ours);
    return address == 0 || address == known->second.ours ? found : guarded_if_second(found, name);
}

// A slot in memory; it may lie in pages that were made read-only after the object was relocated.
void write_slot(const MappedObject& object, Address slot, Address value) {
    const Address page_size = static_cast<Address>(sysconf(_SC_PAGESIZE));
    const auto down = [page_size](Address address) { return address & ~(page_size - 1); };
    const auto relro = object.relro();
    const auto start = reinterpret_cast<Address>(relro.data());
    const bool sealed = down(slot) >= down(start) && down(slot) < down(start + relro.size());
    void* page = reinterpret_cast<void*>(down(slot));
    if (sealed && mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return;
    std::atomic_ref(*reinterpret_cast<Address*>(slot)).store(value, std::memory_order_release);
    if (sealed) mprotect(page, page_size, PROT_READ);
}

bool is_ours(const MappedObject& object) { return object.name().starts_with("libjaxmpi_"); }

class Rewriter {
  public:
    Rewriter(const Targets& known, const std::vector<MappedObject>& objects) : targets_(known) {
        const void* used = symbol("PMPI_Init");
        for (const MappedObject& object : objects) {
            if (!is_mpi_library(object)) continue;
            (defines(object, used) ? first_ : second_) = &object;
        }
    }

    void rewrite(const MappedObject& object) {
        if (is_ours(object) || &object == first_ || is_mpi_library(object)) return;
        const bool of_second = second_ != nullptr && first_ != nullptr && object.needs(second_->soname()) &&
                               !object.needs(first_->soname());
        // The bindings of Fortran: those of Open MPI call PMPI_ functions only, those of MPICH some of them.
        const bool binds = first_ != nullptr && is_part_of_mpi(object.path());
        bool counted = false;
        for (const auto relocations : {object.relocations(), object.jump_slots()})
            for (const ElfW(Rela) & relocation : relocations) {
                if (!holds_an_address(relocation)) continue;
                const char* name = object.symbol_of(relocation);
                if (binds && std::strncmp(name, "PMPI_", 5) == 0) ++name;
                if (std::strcmp(name, "dlsym") == 0)
                    write_slot(object, object.base() + relocation.r_offset,
                               reinterpret_cast<Address>(&interposed_dlsym));
                else if (std::strncmp(name, "MPI_", 4) != 0)
                    continue;
                else if (of_second)
                    guard(object, relocation, name);
                else if (const auto known = targets_.find(name); known != targets_.end())
                    counted |= point(object, relocation, known->second);
            }
        if (counted) result_.callers += (result_.callers.empty() ? "" : ", ") + std::string(object.name());
    }

    const Rewritten& result() const { return result_; }

  private:
    bool point(const MappedObject& object, const ElfW(Rela) & relocation, const Target& target) {
        const Address slot = object.base() + relocation.r_offset;
        const Address now = *reinterpret_cast<const Address*>(slot);
        if (now == target.ours || now == 0) return false;  // 0: a weak reference that was left open
        write_slot(object, slot, target.ours);
        if (now != target.theirs) return false;  // not bound yet
        ++result_.slots;
        return true;
    }

    void guard(const MappedObject& object, const ElfW(Rela) & relocation, const char* name) {
        const Address slot = object.base() + relocation.r_offset;
        void* function = guard_of_second(name, second_->path());
        if (function != nullptr && *reinterpret_cast<const Address*>(slot) != 0)
            write_slot(object, slot, reinterpret_cast<Address>(function));
    }

    const Targets& targets_;
    const MappedObject* first_ = nullptr;
    const MappedObject* second_ = nullptr;
    Rewritten result_;
};

}  // namespace

Rewritten rewrite_slots() {
    if (interposer_of(Function::kInit) == nullptr) return {};
    static std::set<std::pair<Address, std::string>> seen;
    const std::vector<MappedObject> objects = mapped_objects();
    Rewriter rewriter(known_targets(), objects);
    for (const MappedObject& object : objects)
        if (seen.emplace(object.base(), object.path()).second) rewriter.rewrite(object);
    return rewriter.result();
}

}  // namespace jaxmpi
