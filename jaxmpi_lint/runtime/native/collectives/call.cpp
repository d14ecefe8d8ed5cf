#include "call.hpp"

#include <array>

namespace jaxmpi::collectives {
namespace {

constexpr std::size_t kLongest = 8192;  // above MPI_MAX_ERROR_STRING of all libraries

std::string where(const char* operation, const std::string& communicator) {
    return std::string(operation) + " on " + communicator + ": ";
}

}  // namespace

ErrorsReturn::ErrorsReturn(Word communicator) : communicator_(communicator) {
    const Library& mpi = library();
    if (communicator == 0 || mpi.get_errhandler(communicator, &before_) != 0) return;
    if (before_ != mpi.errors_return) mpi.set_errhandler(communicator, mpi.errors_return);
}

ErrorsReturn::~ErrorsReturn() {
    if (before_ == 0) return;
    const Library& mpi = library();
    if (before_ != mpi.errors_return) mpi.set_errhandler(communicator_, before_);
    mpi.free_errhandler(&before_);
}

std::string error_text(int code) {
    std::array<char, kLongest> text{};
    int length = 0;
    if (library().error_string(code, text.data(), &length) != 0) return "MPI error " + std::to_string(code);
    return {text.data(), static_cast<std::size_t>(length)};
}

Call::Call(const char* operation, Count communicator)
    : operation_(operation), use_(communicator), errors_(use_ ? use_->handle : 0) {
    if (!use_)
        throw Problem(where(operation, "communicator " + std::to_string(communicator)) +
                      "it was freed, but this program was compiled for it");
}

Problem Call::problem(const std::string& what) const { return Problem(where(operation_, use_->name) + what); }

}  // namespace jaxmpi::collectives
