// Copies between a GPU and the host, by a pretended driver: order, reuse of memory and its bound, errors.
#include "staging.hpp"

#include <array>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "expect.hpp"
#include "pretended_driver.hpp"
#include "problem.hpp"

using namespace jaxmpi::collectives;

namespace {

constexpr std::size_t kBound = 1 << 20;

// An array on the device, and the stream on which it is computed.
class OnDevice {
  public:
    explicit OnDevice(std::size_t bytes) : address_(pretended_allocate(bytes, 0)), bytes_(bytes) {}
    ~OnDevice() { pretended_free(address_); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    Array array() const {
        return {reinterpret_cast<void*>(address_), static_cast<Count>(bytes_), Type::kUint8, bytes_};
    }

    // By a kernel that has not run yet.
    void compute(PretendedStream stream, unsigned char value) const {
        const std::vector<unsigned char> data(bytes_, value);
        pretended_write(stream, address_, data.data(), bytes_);
    }

    // By a kernel that runs later.
    bool holds(PretendedStream stream, unsigned char value) const {
        std::vector<unsigned char> found(bytes_), wanted(bytes_, value);
        pretended_read(stream, found.data(), address_, bytes_);
        pretended_wait(stream);
        return found == wanted;
    }

  private:
    std::uint64_t address_;
    std::size_t bytes_;
};

bool filled(const Array& array, unsigned char value) {
    const std::vector<unsigned char> wanted(array.bytes, value);
    return std::memcmp(array.data, wanted.data(), array.bytes) == 0;
}

// Adds one to each byte, as an operation would.
void increment(PretendedStream stream, const Array& from, const Array& to) {
    Staging staging(static_cast<Stream>(stream));
    const Array sent = staging.copied(from), received = staging.result(to);
    staging.arrive();
    for (std::size_t i = 0; i < sent.bytes; ++i)
        static_cast<unsigned char*>(received.data)[i] =
            static_cast<unsigned char>(static_cast<const unsigned char*>(sent.data)[i] + 1);
    staging.bring_back();
}

template <class Action>
std::string problem_of(const Action& action) {
    try {
        action();
    } catch (const DeviceProblem& problem) {
        return problem.what();
    }
    return "";
}

void results_follow_what_the_stream_computes() {
    PretendedStream const stream = pretended_stream();
    const OnDevice from(1000), to(1000);
    for (const int value : {1, 2, 3}) {
        from.compute(stream, static_cast<unsigned char>(value));
        increment(stream, from.array(), to.array());
        expect(to.holds(stream, static_cast<unsigned char>(value + 1)));
    }
    increment(stream, to.array(), to.array());
    expect(to.holds(stream, 5));  // in place
    expect_equal(pretended_contexts(), 0);
}

void nothing_is_copied_of_empty_arrays() {
    PretendedStream const stream = pretended_stream();
    const int before = pretended_calls("cuMemcpyDtoHAsync_v2") + pretended_calls("cuMemcpyHtoDAsync_v2");
    unsigned char nothing = 0;
    const Array empty{&nothing, 0, Type::kUint8, 0};
    increment(stream, empty, empty);
    expect_equal(pretended_calls("cuMemcpyDtoHAsync_v2") + pretended_calls("cuMemcpyHtoDAsync_v2"), before);
}

void memory_is_used_again() {
    PretendedStream const stream = pretended_stream();
    const OnDevice from(5000), to(5000);
    from.compute(stream, 1);
    increment(stream, from.array(), to.array());
    const int before = pretended_calls("cuMemHostAlloc");
    for (int i = 0; i < 20; ++i) increment(stream, from.array(), to.array());
    expect_equal(pretended_calls("cuMemHostAlloc"), before);
}

void locked_memory_is_bounded() {
    PretendedStream const stream = pretended_stream();
    for (const std::size_t bytes : {kBound / 4, kBound / 2, kBound, 3 * kBound, std::size_t{100}, kBound / 2}) {
        const OnDevice from(bytes), to(bytes);
        from.compute(stream, 7);
        increment(stream, from.array(), to.array());
        expect(to.holds(stream, 8));
        expect(pretended_most_locked() <= kBound);
    }
    expect(pretended_calls("cuMemFreeHost") > 0);  // small blocks made room for large ones
}

void errors_have_the_drivers_names() {
    PretendedStream const stream = pretended_stream();
    const OnDevice from(100), to(100);
    from.compute(stream, 1);
    const auto run = [&] { increment(stream, from.array(), to.array()); };
    const std::string illegal = ": CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)";
    pretended_fail("cuMemcpyDtoHAsync_v2", 0, 700);
    expect(problem_of(run) == "copying from the GPU" + illegal);
    pretended_fail("cuStreamSynchronize", 0, 700);
    expect(problem_of(run) == "waiting for the GPU" + illegal);
    pretended_fail("cuMemcpyHtoDAsync_v2", 0, 700);
    expect(problem_of(run) == "copying to the GPU" + illegal);
    pretended_fail("cuStreamSynchronize", 1, 700);
    expect(problem_of(run) == "waiting for the copy to the GPU" + illegal);
    pretended_fail("cuStreamGetCtx", 0, 201);
    expect(problem_of(run) == "finding the stream's context: CUDA_ERROR_INVALID_CONTEXT");
    pretended_fail("cuCtxPushCurrent_v2", 0, 999);
    expect(problem_of(run) == "entering the stream's context: CUDA error 999");
    expect_equal(pretended_contexts(), 0);
    expect_equal(pretended_calls("cuMemHostAlloc") > 0, 1);
    run();
    expect(to.holds(stream, 2));
}

void no_locked_memory_is_no_error() {
    PretendedStream const stream = pretended_stream();
    const OnDevice from(kBound / 8), to(100);
    from.compute(stream, 4);
    pretended_fail("cuMemHostAlloc", 0, 2);
    Staging staging(static_cast<Stream>(stream));
    const Array sent = staging.copied(from.array());
    staging.arrive();
    expect(filled(sent, 4));
    pretended_fail(nullptr, 0, 0);
}

// The copy that is under way must not reach memory that somebody else has by then.
void copies_under_way_are_waited_for() {
    PretendedStream const stream = pretended_stream();
    const OnDevice one(3000), other(3000);
    one.compute(stream, 1);
    other.compute(stream, 2);
    pretended_fail("cuMemcpyDtoHAsync_v2", 1, 700);
    expect(!problem_of([&] {
                Staging staging(static_cast<Stream>(stream));
                staging.copied(one.array());
                staging.copied(other.array());
            }).empty());
    Staging next(static_cast<Stream>(pretended_stream()));
    const std::array<Array, 2> mine = {next.result(one.array()), next.result(other.array())};
    for (const Array& array : mine) std::memset(array.data, 9, array.bytes);
    expect(other.holds(stream, 2));
    for (const Array& array : mine) expect(filled(array, 9));
}

void threads() {
    std::vector<std::thread> all;
    for (unsigned char t = 1; t <= 4; ++t)
        all.emplace_back([t] {
            PretendedStream const stream = pretended_stream();
            for (std::size_t i = 0; i < 50; ++i) {
                const OnDevice from((i % 7 + 1) * kBound / 16), to((i % 7 + 1) * kBound / 16);
                from.compute(stream, static_cast<unsigned char>(t * 50 + i));
                increment(stream, from.array(), to.array());
                expect(to.holds(stream, static_cast<unsigned char>(t * 50 + i + 1)));
            }
        });
    for (std::thread& thread : all) thread.join();
}

}  // namespace

int main() {
    setenv("JAXMPI_LIBCUDA", PRETENDED_DRIVER, 1);
    setenv("JAXMPI_PINNED_BYTES", std::to_string(kBound).c_str(), 1);
    results_follow_what_the_stream_computes();
    nothing_is_copied_of_empty_arrays();
    memory_is_used_again();
    locked_memory_is_bounded();
    errors_have_the_drivers_names();
    no_locked_memory_is_no_error();
    copies_under_way_are_waited_for();
    threads();
}
