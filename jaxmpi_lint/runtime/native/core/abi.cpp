// Constants and shapes of the MPI ABIs, as their mpi.h give them; tests/sanitizer/test_abi.py compiles against the real
// headers and compares.
#include <dlfcn.h>

#include <string_view>

#include "library.hpp"

namespace jaxmpi {
namespace {

constexpr Word kMinusOne = static_cast<Word>(-1);

constexpr Abi kOpenMpi = {
    .name = "Open MPI ABI",
    .handle_size = 8,
    .status_size = 24,
    .status_source = 0,
    .status_tag = 4,
    .status_error = 8,
    .any_source = -1,
    .proc_null = -2,
    .root = -4,
    .any_tag = -1,
    .undefined = -32766,
    .in_place = 1,
    .status_ignore = 0,
    .statuses_ignore = 0,
    .error_argument = 13,
    .error_truncate = 15,
    .error_other = 16,
    .combiners =
        {.named = 0, .structure = 11, .structure_integer = 10, .real = 14, .complex = 15, .integer = 16, .pair = -1},
    .probes_self = true,
};

constexpr Abi kMpich = {
    .name = "MPICH ABI",
    .handle_size = 4,
    .status_size = 20,
    .status_source = 8,
    .status_tag = 12,
    .status_error = 16,
    .any_source = -2,
    .proc_null = -1,
    .root = -3,
    .any_tag = -1,
    .undefined = -32766,
    .in_place = kMinusOne,
    .status_ignore = 1,
    .statuses_ignore = 1,
    .error_argument = 12,
    .error_truncate = 14,
    .error_other = 15,
    .combiners =
        {.named = 1, .structure = 12, .structure_integer = 11, .real = 15, .complex = 16, .integer = 17, .pair = 20},
};

constexpr Abi kStandard = {
    .name = "MPI standard ABI",
    .handle_size = 8,
    .status_size = 32,
    .status_source = 0,
    .status_tag = 4,
    .status_error = 8,
    .any_source = -1,
    .proc_null = -3,
    .root = -4,
    .any_tag = -2,
    .undefined = -32766,
    .in_place = 1,
    .status_ignore = 0,
    .statuses_ignore = 0,
    .error_argument = 13,
    .error_truncate = 15,
    .error_other = 16,
    .combiners = {.named = 101,
                  .structure = 110,
                  .structure_integer = -1,
                  .real = 113,
                  .complex = 114,
                  .integer = 115,
                  .pair = 117},
};

struct PredefinedHandle {
    Word Process::* field;
    const char* open_mpi;  // symbol
    Word mpich, standard;
};
constexpr PredefinedHandle kHandles[] = {
    {&Process::comm_world, "ompi_mpi_comm_world", 0x44000000, 0x101},
    {&Process::comm_self, "ompi_mpi_comm_self", 0x44000001, 0x102},
    {&Process::comm_null, "ompi_mpi_comm_null", 0x04000000, 0x100},
    {&Process::request_null, "ompi_request_null", 0x2c000000, 0x180},
    {&Process::byte, "ompi_mpi_byte", 0x4c00010d, 0x247},
    {&Process::datatype_null, "ompi_mpi_datatype_null", 0x0c000000, 0x200},
    {&Process::op_null, "ompi_mpi_op_null", 0x18000000, 0x20},
    {&Process::group_null, "ompi_mpi_group_null", 0x08000000, 0x108},
    {&Process::win_null, "ompi_mpi_win_null", 0x20000000, 0x110},
    {&Process::message_null, "ompi_message_null", 0x2c000000, 0x128},
    {&Process::message_no_proc, "ompi_message_no_proc", 0x6c000000, 0x129},
    {&Process::file_null, "ompi_mpi_file_null", 0, 0x118},
    {&Process::info_null, "ompi_mpi_info_null", 0x1c000000, 0x130},
    {&Process::errors_are_fatal, "ompi_mpi_errors_are_fatal", 0x54000000, 0x141},
    {&Process::errors_return, "ompi_mpi_errors_return", 0x54000001, 0x143},
};

}  // namespace

const Abi* recognise(const char* soname, void* library) {
    const std::string_view name = soname;
    const auto has = [library](const char* one) { return dlsym(library, one) != nullptr; };
    if (has("ompi_mpi_comm_world")) return &kOpenMpi;
    // MPICH's own library also exports MPI_Abi_get_version, so the soname decides between the two.
    if (name.starts_with("libmpi_abi.so")) return &kStandard;
    if (name.starts_with("libmpi.so.12") || name.starts_with("libmpich.so.12") || name.starts_with("libmpi_"))
        return &kMpich;
    return nullptr;
}

std::string fill_handles() {
    Process& self = process();
    for (const PredefinedHandle& one : kHandles) {
        Word value = self.abi == &kMpich ? one.mpich : one.standard;
        if (self.abi == &kOpenMpi) {
            value = reinterpret_cast<Word>(symbol(one.open_mpi));
            if (value == 0) return std::string("the MPI library has no ") + one.open_mpi;
        }
        self.*one.field = value;
    }
    return {};
}

}  // namespace jaxmpi
