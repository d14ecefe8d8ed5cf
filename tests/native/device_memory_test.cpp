// Which buffers of which calls are found to be a GPU's memory, by a pretended driver.
#include "device_memory.hpp"

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.hpp"
#include "pretended.hpp"

using namespace pretended;

namespace {

constexpr Word kOperator = 7, kNothing = 8;  // `kNothing` is a type without data

int no() { return 0; }
int yes() { return 1; }

int type_size(Word datatype, int* bytes) {
    *bytes = datatype == kNothing ? 0 : 8;
    return 0;
}

template <class Function>
void* pointer(Function function) {
    return reinterpret_cast<void*>(function);
}

Word null_peer() { return word(kProcNull); }

class Program {
  public:
    Program() {
        symbols["PMPI_Type_size"] = pointer(&type_size);
        symbols["MPIX_Query_cuda_support"] = pointer(&no);
    }

    void load_driver() {
        library_ = dlopen(PRETENDED_DRIVER, RTLD_NOW | RTLD_LOCAL);
        expect(library_ != nullptr);
        device = function<Word (*)(std::size_t, int)>("pretended_allocate")(64, 0);
    }

    template <class Pointer>
    Pointer function(const char* name) const {
        return reinterpret_cast<Pointer>(dlsym(library_, name));
    }

    // How many findings the call gives.
    int found(Function function, std::vector<Word> arguments) {
        const FunctionInfo& info = kTable[static_cast<std::size_t>(function)];
        told.clear();
        expect(!refused_for_device_memory(Call{info, function, arguments.data(), thread_}));
        return static_cast<int>(told.size());
    }

    int sent(Word buffer, std::int32_t count = 4, Word destination = 1, Word type = kDoubles) {
        return found(Function::kSend, {buffer, word(count), type, destination, word(0), kWorld});
    }

    double on_host = 0;
    Word host = address(on_host);
    Word device = 0;

  private:
    Rank rank_;
    ThreadContext thread_;
    void* library_ = nullptr;
};

void messages() {
    Program program;
    expect_equal(program.sent(program.host), 0);
    program.load_driver();
    expect_equal(program.sent(program.host), 0);
    expect_equal(program.sent(program.device), 1);
    expect_equal(static_cast<int>(told[0].kind), static_cast<int>(FindingKind::kDeviceMemory));
    expect_equal(program.sent(program.device + 8), 1);
    expect_equal(program.sent(program.device, 0), 0);
    expect_equal(program.sent(program.device, 4, null_peer()), 0);
    expect_equal(program.sent(program.device, 4, 1, kNothing), 0);
    expect_equal(program.sent(0), 0);
    const Word d = program.device, h = program.host, one = word(1), tag = word(0);
    expect_equal(program.found(Function::kIrecv, {d, one, kDoubles, one, tag, kWorld, 0}), 1);
    expect_equal(program.found(Function::kRecv, {d, one, kDoubles, null_peer(), tag, kWorld, kIgnore}), 0);
    const auto exchange = [&](Word sent, Word to, Word received, Word from) {
        return program.found(Function::kSendrecv,
                             {sent, one, kDoubles, to, tag, received, one, kDoubles, from, tag, kWorld, kIgnore});
    };
    expect_equal(exchange(h, one, h, one), 0);
    expect_equal(exchange(d, one, h, one), 1);
    expect_equal(exchange(d, null_peer(), h, one), 0);
    expect_equal(exchange(d, null_peer(), d, one), 1);
    expect_equal(exchange(h, one, d, null_peer()), 0);
    const auto replace = [&](Word to, Word from) {
        return program.found(Function::kSendrecvReplace, {d, one, kDoubles, to, tag, from, tag, kWorld, kIgnore});
    };
    expect_equal(replace(one, null_peer()), 1);
    expect_equal(replace(null_peer(), null_peer()), 0);
    expect_equal(program.found(Function::kBarrier, {kWorld}), 0);
    expect_equal(program.found(Function::kProbe, {one, tag, kWorld, kIgnore}), 0);
}

void collectives() {
    Program program;
    program.load_driver();
    const Word d = program.device, h = program.host, one = word(1), root = word(0), other = word(1);
    expect_equal(program.found(Function::kBcast, {d, one, kDoubles, other, kWorld}), 1);
    expect_equal(program.found(Function::kAllreduce, {d, h, one, kDoubles, kOperator, kWorld}), 1);
    expect_equal(program.found(Function::kAllreduce, {kAbi.in_place, d, one, kDoubles, kOperator, kWorld}), 1);
    expect_equal(program.found(Function::kAllreduce, {d, d, word(0), kDoubles, kOperator, kWorld}), 0);
    expect_equal(program.found(Function::kReduce, {h, d, one, kDoubles, kOperator, root, kWorld}), 1);
    expect_equal(program.found(Function::kReduce, {h, d, one, kDoubles, kOperator, other, kWorld}), 0);
    expect_equal(program.found(Function::kReduce, {d, h, one, kDoubles, kOperator, other, kWorld}), 1);
    expect_equal(program.found(Function::kScatter, {d, one, kDoubles, h, one, kDoubles, root, kWorld}), 1);
    expect_equal(program.found(Function::kScatter, {d, one, kDoubles, h, one, kDoubles, other, kWorld}), 0);
    expect_equal(program.found(Function::kExscan, {h, d, one, kDoubles, kOperator, kWorld}), 0);
    expect_equal(program.found(Function::kScan, {h, d, one, kDoubles, kOperator, kWorld}), 1);
    std::array<int, 3> counts = {0, 0, 1}, none = {0, 0, 0};
    const auto gathered = [&](std::array<int, 3>& each, Word to) {
        return program.found(Function::kGatherv,
                             {h, one, kDoubles, d, address(each), address(none), kDoubles, to, kWorld});
    };
    expect_equal(gathered(counts, root), 1);
    expect_equal(gathered(none, root), 0);
    expect_equal(program.found(Function::kGatherv, {h, one, kDoubles, d, 1, 1, kDoubles, other, kWorld}), 0);
    expect_equal(program.found(Function::kReduceScatter, {d, h, address(counts), kDoubles, kOperator, kWorld}), 1);
    expect_equal(program.found(Function::kReduceScatterBlock, {d, h, one, kDoubles, kOperator, kWorld}), 1);
    expect_equal(program.found(Function::kAllreduce, {d, d, one, kDoubles, kOperator, kWorld + 1}), 2);
    expect_equal(program.found(Function::kBcast, {d, one, kDoubles, root, kWorld + 1}), 0);  // nobody knows it
    world.inter = true;
    expect_equal(program.found(Function::kReduce, {d, d, one, kDoubles, kOperator, root, kWorld}), 0);
}

void memory_that_the_host_reads_as_well() {
    Program program;
    program.load_driver();
    program.function<void (*)()>("pretended_manage")();
    expect_equal(program.sent(program.device), 0);
}

void the_driver_is_asked_only_once_it_is_there() {
    Program program;
    for (int i = 0; i < 3; ++i) expect_equal(program.sent(program.host), 0);
    program.load_driver();
    const auto calls = program.function<int (*)(const char*)>("pretended_calls");
    expect_equal(calls("cuPointerGetAttribute"), 0);
    expect_equal(program.sent(program.host), 0);  // known since before the driver was there
    expect_equal(calls("cuPointerGetAttribute"), 0);
    expect_equal(program.sent(program.device), 1);
    expect(calls("cuPointerGetAttribute") > 0);
}

void an_mpi_that_takes_it() {
    Program program;
    symbols["MPIX_Query_cuda_support"] = pointer(&yes);
    program.load_driver();
    expect_equal(program.sent(program.device), 0);
    expect_equal(program.function<int (*)(const char*)>("pretended_calls")("cuPointerGetAttribute"), 0);
}

void an_mpi_that_does_not_say() {
    Program program;
    symbols.erase("MPIX_Query_cuda_support");
    program.load_driver();
    expect_equal(program.sent(program.device), 0);
}

void an_mpi_that_says_it_of_every_kind() {
    Program program;
    symbols.erase("MPIX_Query_cuda_support");
    symbols["MPIX_GPU_query_support"] = pointer(+[](int kind, int* flag) {
        *flag = kind != 0;
        return 0;
    });
    program.load_driver();
    expect_equal(program.sent(program.device), 1);
}

// The driver that is found stays found, so each has a process of its own.
void apart(void (*test)()) {
    const pid_t child = fork();
    if (child == 0) {
        test();
        _exit(0);
    }
    int status = 0;
    expect(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace

int main() {
    apart(messages);
    apart(collectives);
    apart(memory_that_the_host_reads_as_well);
    apart(the_driver_is_asked_only_once_it_is_there);
    apart(an_mpi_that_takes_it);
    apart(an_mpi_that_does_not_say);
    apart(an_mpi_that_says_it_of_every_kind);
}
