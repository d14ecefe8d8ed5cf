#include "device_memory.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <atomic>
#include <cstdio>

#include "communicators.hpp"
#include "findings.hpp"
#include "labels.hpp"
#include "routine.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

constexpr char kDriver[] = "libcuda.so.1";
constexpr int kSuccess = 0, kInvalidValue = 1;                               // CUresult
constexpr unsigned kOnDevice = 2;                                            // CU_MEMORYTYPE_DEVICE
enum Attribute : int { kMemoryType = 2, kHostPointer = 4, kIsManaged = 8 };  // CUpointer_attribute

using Ask = int (*)(void* value, int attribute, std::uint64_t address);  // cuPointerGetAttribute

std::atomic<bool> off{false};  // MPI takes such memory, or does not say
std::atomic<Ask> driver{nullptr};

// How many libraries were ever loaded: as long as that stays the same, the driver is not among the new ones.
unsigned long long loaded() {
    unsigned long long count = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            *static_cast<unsigned long long*>(to) = info->dlpi_adds;
            return 1;
        },
        &count);
    return count;
}

Ask find_driver() {
    static std::atomic<unsigned long long> looked_at{0};
    const unsigned long long now = loaded();
    if (looked_at.load(std::memory_order_relaxed) == now) return nullptr;
    void* const library = dlopen(kDriver, RTLD_LAZY | RTLD_NOLOAD);
    const auto found = library == nullptr ? nullptr : reinterpret_cast<Ask>(dlsym(library, "cuPointerGetAttribute"));
    if (found != nullptr && takes_device_memory() != 0) {
        off.store(true, std::memory_order_relaxed);
    } else if (found != nullptr) {
        driver.store(found, std::memory_order_release);
        driver_known.store(true, std::memory_order_release);
    }
    looked_at.store(now, std::memory_order_relaxed);
    return driver.load(std::memory_order_relaxed);
}

// Addresses that were given to MPI before the driver was there: pages of the host.
class HostPages {
  public:
    bool has(Word address) const { return place(address).load(std::memory_order_relaxed) == address / kPage; }
    void add(Word address) { place(address).store(address / kPage, std::memory_order_relaxed); }

  private:
    static constexpr Word kPage = 4096;
    static constexpr std::size_t kPlaces = 256;
    std::atomic<Word>& place(Word address) { return pages_[address / kPage % kPlaces]; }
    const std::atomic<Word>& place(Word address) const { return pages_[address / kPage % kPlaces]; }

    std::array<std::atomic<Word>, kPlaces> pages_{};
};
HostPages host_pages;

// The host cannot reach it: managed memory, and what a coherent host reads itself, have an address there.
bool is_on_device(Ask ask, Word address) {
    unsigned type = 0, managed = 0;
    void* on_host = nullptr;
    if (ask(&type, kMemoryType, address) != kSuccess || type != kOnDevice) return false;
    if (ask(&managed, kIsManaged, address) != kSuccess || managed != 0) return false;
    const int result = ask(&on_host, kHostPointer, address);
    return result == kInvalidValue || (result == kSuccess && on_host == nullptr);
}

struct Buffer {
    Role role;
    const char* name;
    std::array<Role, 5> counts;  // the first that the function has
    std::array<Role, 2> types;
    std::array<Role, 2> peers;  // if all are MPI_PROC_NULL, the buffer is left alone
};
constexpr std::array kBuffers{
    Buffer{Role::kBuffer, "buffer", {Role::kCount}, {Role::kDatatype}, {Role::kDest, Role::kSource}},
    Buffer{Role::kSendbuf,
           "send buffer",
           {Role::kSendcount, Role::kCount, Role::kSendcounts, Role::kRecvcounts, Role::kRecvcount},
           {Role::kSendtype, Role::kDatatype},
           {Role::kDest}},
    Buffer{Role::kRecvbuf,
           "receive buffer",
           {Role::kRecvcount, Role::kCount, Role::kRecvcounts},
           {Role::kRecvtype, Role::kDatatype},
           {Role::kSource}},
};

constexpr Role kNoRole = Role::kSendbuf;  // what fills up the lists above

// The first role of a list that the function has.
template <std::size_t N>
Role first(const Call& call, const std::array<Role, N>& roles) {
    const auto found =
        std::find_if(roles.begin(), roles.end(), [&](Role role) { return role != kNoRole && call.has(role); });
    return found == roles.end() ? kNoRole : *found;
}

bool is_empty_type(Word datatype) {
    static const Routine type_size{"PMPI_Type_size"};
    int bytes = 0;
    return type_size(handle(datatype), &bytes) != 0 || bytes == 0;
}

// One count for each rank.
bool are_zero(const Call& call, Role counts) {
    const Communicator* const comm = communicator(handle(call[Role::kComm]));
    if (comm == nullptr || comm->inter || call.info.flow == Flow::kNeighbourhood) return true;
    for (std::size_t i = 0; i < static_cast<std::size_t>(comm->size); ++i)
        if (count_at(call.info, call[counts], i) != 0) return false;
    return true;
}

// Whether there are no elements; also where that is not to be known.
bool is_empty(const Call& call, const Buffer& buffer) {
    const Role type = first(call, buffer.types), counts = first(call, buffer.counts);
    if (counts == kNoRole || (type != kNoRole && is_empty_type(call[type]))) return true;
    if (counts == Role::kSendcounts || counts == Role::kRecvcounts) return are_zero(call, counts);
    return count(call.info, call[counts]) == 0;
}

bool goes_nowhere(const Call& call, const Buffer& buffer) {
    if (call.has(Role::kMessage))
        return load_handle(reinterpret_cast<const void*>(call[Role::kMessage])) == process().message_no_proc;
    if (first(call, buffer.peers) == kNoRole) return false;
    return std::all_of(buffer.peers.begin(), buffer.peers.end(), [&](Role role) {
        return role == kNoRole || !call.has(role) || integer(call[role]) == process().abi->proc_null;
    });
}

// Whether the standard lets this rank pass anything here; also where that is not to be known.
bool is_ignored(const Call& call, const Buffer& buffer) {
    const bool only_root = (call.info.flow == Flow::kToRoot && buffer.role == Role::kRecvbuf) ||
                           (call.info.flow == Flow::kFromRoot && buffer.role == Role::kSendbuf);
    const bool first_gets_none = call.info.blocking == Function::kExscan && buffer.role == Role::kRecvbuf;
    if (!call.has(Role::kRoot) && !first_gets_none) return false;
    const Communicator* const comm = communicator(handle(call[Role::kComm]));
    if (comm == nullptr || comm->inter) return true;
    return first_gets_none ? comm->rank == 0 : only_root && integer(call[Role::kRoot]) != comm->rank;
}

bool is_touched(const Call& call, const Buffer& buffer) {
    return !is_ignored(call, buffer) && !goes_nowhere(call, buffer) && !is_empty(call, buffer);
}

[[gnu::cold]] bool is_refused(const Call& call, const Buffer& buffer) {
    Finding finding{};
    finding.kind = FindingKind::kDeviceMemory;
    finding.difference = Difference::kNothing;
    finding.communicator = finding.other = finding.other_site = kNone;
    finding.rank = process().local;
    finding.site = call_site();
    finding.when = ticks();
    const char* const name = call.thread.label != 0 ? kLabels[call.thread.label].name : call.info.name;
    std::snprintf(finding.text, sizeof finding.text,
                  "%s is called with a device pointer as its %s, but this MPI library reports that it does not support "
                  "device pointers",
                  name, buffer.name);
    return report_and_hold(finding) == Decision::kRaise;
}

bool moves_data(Category category) {
    return category == Category::kCollective || category == Category::kSend || category == Category::kReceive ||
           category == Category::kExchange || category == Category::kMatchedReceive;
}

[[gnu::always_inline]] inline bool is_on_known_page(const Call& call, Role role) {
    return !call.has(role) || host_pages.has(call[role]);
}

// Nearly always: no driver, and pages that were given to MPI before.
[[gnu::hot]] bool all_on_known_pages(const Call& call) {
    constexpr Role kFirst = kBuffers[0].role, kSecond = kBuffers[1].role, kThird = kBuffers[2].role;
    static_assert(kBuffers.size() == 3);
    return driver.load(std::memory_order_acquire) == nullptr && is_on_known_page(call, kFirst) &&
           is_on_known_page(call, kSecond) && is_on_known_page(call, kThird);
}

// The driver, once it is there; before that the buffers' pages become known ones.
[[gnu::noinline]] Ask asked_about(const Call& call) {
    if (const Ask ask = driver.load(std::memory_order_acquire); ask != nullptr) return ask;
    const Ask ask = find_driver();
    for (const Buffer& buffer : kBuffers)
        if (ask == nullptr && call.has(buffer.role)) host_pages.add(call[buffer.role]);
    return ask;
}

[[gnu::noinline]] bool is_any_refused(const Call& call) {
    const Ask ask = asked_about(call);
    return ask != nullptr && std::any_of(kBuffers.begin(), kBuffers.end(), [&](const Buffer& buffer) {
               return call.has(buffer.role) && is_on_device(ask, call[buffer.role]) && is_touched(call, buffer) &&
                      is_refused(call, buffer);
           });
}

}  // namespace

int takes_device_memory() {
    constexpr int kCuda = 0;  // MPIX_GPU_SUPPORT_CUDA
    if (const auto ask = reinterpret_cast<int (*)()>(symbol("MPIX_Query_cuda_support"))) return ask() != 0;
    const auto ask = reinterpret_cast<int (*)(int, int*)>(symbol("MPIX_GPU_query_support"));
    int flag = 0;
    return ask == nullptr || ask(kCuda, &flag) != 0 ? -1 : flag != 0;
}

[[gnu::hot]] bool refused_for_device_memory(const Call& call) {
    return moves_data(call.info.category) && !off.load(std::memory_order_relaxed) && !all_on_known_pages(call) &&
           is_any_refused(call);
}

}  // namespace jaxmpi
