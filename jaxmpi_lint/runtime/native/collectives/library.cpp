#include "library.hpp"

#include <dlfcn.h>

namespace jaxmpi::collectives {
namespace {

constexpr int kCuda = 0;  // MPIX_GPU_SUPPORT_CUDA

Library resolved;

class Scope {
  public:
    explicit Scope(const char* path) : extension_(dlopen(path, RTLD_LAZY | RTLD_NOLOAD)) {}

    bool open() const { return extension_ != nullptr; }
    const std::string& missing() const { return missing_; }

    template <class... Parameters>
    void take(Function<Parameters...>& function, const std::string& name) {
        take(function.plain, name);
        function.large = as<int (*)(Parameters...)>(find(name + "_c"));
    }

    template <class Pointer>
    void take_if_there(Pointer& function, const std::string& name) {
        function = as<Pointer>(find(name));
    }

    template <class Pointer>
    void take(Pointer& function, const std::string& name) {
        take_if_there(function, name);
        if (function == nullptr && missing_.empty()) missing_ = "the MPI library has no " + name;
    }

  private:
    template <class Pointer>
    static Pointer as(void* address) {
        return reinterpret_cast<Pointer>(address);
    }

    void* find(const std::string& name) const {
        void* global = dlsym(RTLD_DEFAULT, name.c_str());
        return global != nullptr ? global : dlsym(extension_, name.c_str());
    }

    void* extension_;
    std::string missing_;
};

}  // namespace

const Library& library() { return resolved; }

std::string resolve(const char* path, Word errors_return, Count proc_null) {
    Scope scope(path);
    if (!scope.open()) return std::string(path) + " is not loaded";
    scope.take(resolved.allreduce, "MPI_Allreduce");
    scope.take(resolved.scan, "MPI_Scan");
    scope.take(resolved.reduce, "MPI_Reduce");
    scope.take(resolved.bcast, "MPI_Bcast");
    scope.take(resolved.allgather, "MPI_Allgather");
    scope.take(resolved.alltoall, "MPI_Alltoall");
    scope.take(resolved.gather, "MPI_Gather");
    scope.take(resolved.scatter, "MPI_Scatter");
    scope.take(resolved.send, "MPI_Send");
    scope.take(resolved.recv, "MPI_Recv");
    scope.take(resolved.sendrecv, "MPI_Sendrecv");
    scope.take(resolved.get_count, "MPI_Get_count");
    scope.take(resolved.barrier, "MPI_Barrier");
    scope.take(resolved.error_string, "MPI_Error_string");
    scope.take(resolved.get_errhandler, "MPI_Comm_get_errhandler");
    scope.take(resolved.set_errhandler, "MPI_Comm_set_errhandler");
    scope.take(resolved.free_errhandler, "MPI_Errhandler_free");
    scope.take_if_there(resolved.query_cuda, "MPIX_Query_cuda_support");
    scope.take_if_there(resolved.query_gpu, "MPIX_GPU_query_support");
    resolved.errors_return = errors_return;
    resolved.proc_null = proc_null;
    return scope.missing();
}

bool takes_device_memory() {
    static const bool takes = [] {
        if (resolved.query_cuda != nullptr) return resolved.query_cuda() != 0;
        int flag = 0;
        return resolved.query_gpu != nullptr && resolved.query_gpu(kCuda, &flag) == 0 && flag != 0;
    }();
    return takes;
}

}  // namespace jaxmpi::collectives
