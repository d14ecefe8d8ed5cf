#include "operators.hpp"

#include "handle_table.hpp"
#include "handlers.hpp"
#include "hashing.hpp"
#include "native_code.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

struct Predefined {
    const char* open_mpi;  // symbol
    Word mpich, standard;
};
// In the order of kOperatorNames.
constexpr std::array<Predefined, kOperatorNames.size()> kPredefined{{
    {"", 0, 0},
    {"ompi_mpi_op_max", 0x58000001, 0x23},
    {"ompi_mpi_op_min", 0x58000002, 0x22},
    {"ompi_mpi_op_sum", 0x58000003, 0x21},
    {"ompi_mpi_op_prod", 0x58000004, 0x24},
    {"ompi_mpi_op_land", 0x58000005, 0x30},
    {"ompi_mpi_op_band", 0x58000006, 0x28},
    {"ompi_mpi_op_lor", 0x58000007, 0x31},
    {"ompi_mpi_op_bor", 0x58000008, 0x29},
    {"ompi_mpi_op_lxor", 0x58000009, 0x32},
    {"ompi_mpi_op_bxor", 0x5800000a, 0x2a},
    {"ompi_mpi_op_minloc", 0x5800000b, 0x38},
    {"ompi_mpi_op_maxloc", 0x5800000c, 0x39},
    {"ompi_mpi_op_replace", 0x5800000d, 0x3c},
    {"ompi_mpi_op_no_op", 0x5800000e, 0x3d},
}};

Word predefined(std::size_t number) {
    const Predefined& one = kPredefined[number];
    if (process().abi->handle_size == 4) return one.mpich;
    if (symbol(kPredefined[1].open_mpi) != nullptr) return reinterpret_cast<Word>(symbol(one.open_mpi));
    return one.standard;
}

HandleTable<Operator>& operators() {
    static HandleTable<Operator>* const table = [] {
        auto* const filled = new HandleTable<Operator>;  // outlives every thread that may still call
        for (std::uint32_t i = 1; i < kPredefined.size(); ++i)
            if (const Word handle = predefined(i); handle != 0)
                filled->insert(handle, std::make_unique<Operator>(Operator{i, 0}));
        return filled;
    }();
    return *table;
}

std::uint32_t site_hash(std::uint32_t site) {
    const Site* const at = process().ledger.site(process().local, site);
    if (at == nullptr) return 0;
    return static_cast<std::uint32_t>(combine(hash_text(at->file), at->line + at->address)) | 1;
}

// What the user's operators of different ranks are compared by. In compiled code the function itself: a compiler may
// make several calls of one line. Python has one function for all, and the line that creates the operator.
std::uint32_t identity(const Call& call) {
    const std::uint32_t site = call_site();
    const Site* const at = process().ledger.site(process().local, site);
    if (at != nullptr && at->address != 0)
        if (const CodePlace function = code_at(call[Role::kUserFn]); !function.file.empty())
            return static_cast<std::uint32_t>(combine(hash_text(function.file), function.address)) | 1;
    return site_hash(site);
}

}  // namespace

Operator operator_of(Word handle) {
    const Operator* const found = operators().find(handle);
    return found == nullptr ? Operator{} : *found;
}

Word on_operator(const Call& call) {
    const Word at = call[Role::kOp];
    const bool creates = call.has(Role::kUserFn);
    const Word before = creates || at == 0 ? 0 : load_handle(reinterpret_cast<const void*>(at));
    const Word result = call.forward();
    if (integer(result) != 0 || at == 0) return result;
    if (creates)
        operators().insert(load_handle(reinterpret_cast<const void*>(at)),
                           std::make_unique<Operator>(Operator{kUserOperator, identity(call)}));
    else
        operators().erase(before);
    return result;
}

}  // namespace jaxmpi
