// Prints what the core holds for the MPI library at a path, one `name value` a line, and by which name it knows each
// operator that follows; handles that are addresses are told by their symbol. tests/sanitizer/test_abi.py compares with
// what the library's own header says.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "library.hpp"
#include "operators.hpp"

using namespace jaxmpi;

namespace {

struct Constant {
    const char* name;
    std::int32_t value;
};
struct Handle {
    const char* name;
    Word value;
};

std::string text_of(Word handle) {
    Dl_info at{};
    void* const address = reinterpret_cast<void*>(handle);
    return dladdr(address, &at) != 0 && at.dli_saddr == address ? at.dli_sname : std::to_string(handle);
}

Word handle_of(const char* text) {
    void* const at = symbol(text);
    return at != nullptr ? reinterpret_cast<Word>(at) : std::strtoull(text, nullptr, 10);
}

}  // namespace

int main(int count, char** arguments) {
    if (const std::string missing = use_library(count > 1 ? arguments[1] : ""); !missing.empty()) {
        std::fprintf(stderr, "%s\n", missing.c_str());
        return 1;
    }
    const Process& self = process();
    const Abi& abi = *self.abi;
    const Constant constants[] = {
        {"sizeof(MPI_Comm)", abi.handle_size},
        {"sizeof(MPI_Request)", abi.handle_size},
        {"sizeof(MPI_Datatype)", abi.handle_size},
        {"sizeof(MPI_Message)", abi.handle_size},
        {"sizeof(MPI_Op)", abi.handle_size},
        {"sizeof(MPI_Win)", abi.handle_size},
        {"sizeof(MPI_Status)", abi.status_size},
        {"offsetof(MPI_Status, MPI_SOURCE)", abi.status_source},
        {"offsetof(MPI_Status, MPI_TAG)", abi.status_tag},
        {"offsetof(MPI_Status, MPI_ERROR)", abi.status_error},
        {"MPI_ANY_SOURCE", abi.any_source},
        {"MPI_PROC_NULL", abi.proc_null},
        {"MPI_ROOT", abi.root},
        {"MPI_ANY_TAG", abi.any_tag},
        {"MPI_UNDEFINED", abi.undefined},
        {"MPI_ERR_ARG", abi.error_argument},
        {"MPI_ERR_TRUNCATE", abi.error_truncate},
        {"MPI_ERR_OTHER", abi.error_other},
        {"MPI_COMBINER_NAMED", abi.combiners.named},
        {"MPI_COMBINER_STRUCT", abi.combiners.structure},
        {"MPI_COMBINER_STRUCT_INTEGER", abi.combiners.structure_integer},
        {"MPI_COMBINER_F90_REAL", abi.combiners.real},
        {"MPI_COMBINER_F90_COMPLEX", abi.combiners.complex},
        {"MPI_COMBINER_F90_INTEGER", abi.combiners.integer},
        {"MPI_COMBINER_VALUE_INDEX", abi.combiners.pair},
    };
    const Handle handles[] = {
        {"MPI_IN_PLACE", abi.in_place},
        {"MPI_STATUS_IGNORE", abi.status_ignore},
        {"MPI_STATUSES_IGNORE", abi.statuses_ignore},
        {"MPI_COMM_WORLD", self.comm_world},
        {"MPI_COMM_SELF", self.comm_self},
        {"MPI_COMM_NULL", self.comm_null},
        {"MPI_REQUEST_NULL", self.request_null},
        {"MPI_BYTE", self.byte},
        {"MPI_DATATYPE_NULL", self.datatype_null},
        {"MPI_OP_NULL", self.op_null},
        {"MPI_GROUP_NULL", self.group_null},
        {"MPI_WIN_NULL", self.win_null},
        {"MPI_MESSAGE_NULL", self.message_null},
        {"MPI_MESSAGE_NO_PROC", self.message_no_proc},
        {"MPI_FILE_NULL", self.file_null},
        {"MPI_ERRORS_ARE_FATAL", self.errors_are_fatal},
        {"MPI_ERRORS_RETURN", self.errors_return},
    };
    std::printf("%s\n", abi.name);
    for (const auto& [name, value] : constants) std::printf("%s\t%d\n", name, value);
    for (const auto& [name, value] : handles) std::printf("%s\t%s\n", name, text_of(value).c_str());
    for (int i = 2; i < count; ++i)
        std::printf("%s\t%s\n", reduction_name(operator_of(handle_of(arguments[i])).number), arguments[i]);
}
