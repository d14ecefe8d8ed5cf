#include "operators.hpp"

#include <array>
#include <mutex>
#include <unordered_map>

#include "handlers.hpp"
#include "hashing.hpp"
#include "pickled.hpp"
#include "sites.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

struct Predefined {
    const char* name;
    const char* open_mpi;  // symbol
    Word mpich, standard;
};
// In an order of our own: the position plus one is the canonical number.
constexpr Predefined kPredefined[] = {
    {"MPI_MAX", "ompi_mpi_op_max", 0x58000001, 0x22},       {"MPI_MIN", "ompi_mpi_op_min", 0x58000002, 0x23},
    {"MPI_SUM", "ompi_mpi_op_sum", 0x58000003, 0x21},       {"MPI_PROD", "ompi_mpi_op_prod", 0x58000004, 0x24},
    {"MPI_LAND", "ompi_mpi_op_land", 0x58000005, 0x30},     {"MPI_BAND", "ompi_mpi_op_band", 0x58000006, 0x28},
    {"MPI_LOR", "ompi_mpi_op_lor", 0x58000007, 0x31},       {"MPI_BOR", "ompi_mpi_op_bor", 0x58000008, 0x29},
    {"MPI_LXOR", "ompi_mpi_op_lxor", 0x58000009, 0x32},     {"MPI_BXOR", "ompi_mpi_op_bxor", 0x5800000a, 0x2a},
    {"MPI_MINLOC", "ompi_mpi_op_minloc", 0x5800000b, 0x38}, {"MPI_MAXLOC", "ompi_mpi_op_maxloc", 0x5800000c, 0x39},
    {"MPI_REPLACE", "ompi_mpi_op_replace", 0x5800000d, 0x3c}, {"MPI_NO_OP", "ompi_mpi_op_no_op", 0x5800000e, 0x3d},
};
constexpr std::size_t kCount = std::size(kPredefined);

std::array<Word, kCount> handles_of_this_library() {
    std::array<Word, kCount> handles{};
    for (std::size_t i = 0; i < kCount; ++i) {
        const Predefined& one = kPredefined[i];
        handles[i] = process().abi->handle_size == 4 ? one.mpich : one.standard;
        if (void* at = symbol(one.open_mpi)) handles[i] = reinterpret_cast<Word>(at);
    }
    return handles;
}

// Operators that the program made, with the place where it did.
class UserOperators {
  public:
    void add(Word op, std::uint32_t site) {
        const std::lock_guard lock(mutex_);
        sites_[op] = site;
    }
    void remove(Word op) {
        const std::lock_guard lock(mutex_);
        sites_.erase(op);
    }
    Reduction find(Word op) {
        const std::lock_guard lock(mutex_);
        const auto at = sites_.find(op);
        return at == sites_.end() ? Reduction{} : Reduction{kUserOperator, at->second};
    }

  private:
    std::mutex mutex_;
    std::unordered_map<Word, std::uint32_t> sites_;
};

UserOperators& user_operators() {
    static auto* operators = new UserOperators;
    return *operators;
}

}  // namespace

Reduction reduction_of(Word op) {
    static const std::array<Word, kCount> handles = handles_of_this_library();
    if (op == kPythonFunction) return {kUserOperator, 0};
    for (std::uint32_t i = 0; i < kCount; ++i)
        if (handles[i] == op) return {i + 1, 0};
    return user_operators().find(op);
}

std::string reduction_name(std::uint32_t number) {
    if (number == kUserOperator) return "user";
    return number == 0 || number > kCount ? "" : kPredefined[number - 1].name;
}

Word on_operator(const Call& call) {
    const bool creates = call.function != Function::kOpFree;
    const Word* at = reinterpret_cast<const Word*>(call[Role::kOp]);
    const Word freed = creates ? 0 : load_handle(at);
    const Word result = call.forward();
    if (integer(result) != 0) return result;
    if (creates) {
        user_operators().add(load_handle(at), site_hash(call_site()));
    } else {
        user_operators().remove(freed);
    }
    return result;
}

}  // namespace jaxmpi
