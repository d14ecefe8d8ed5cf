// Call sites of compiled code: the same path is the same site, whatever lies on the stack.
#include "native_sites.hpp"

#include <ucontext.h>

#include <cstring>
#include <set>

#include "dispatch.hpp"
#include "expect.hpp"
#include "ranks.hpp"

using namespace ranks;

namespace {

#define NEVER_INLINED [[gnu::noinline]]

// What comes after a call keeps the compiler from turning it into a jump.
template <class T>
T kept(T value) {
    asm volatile("" : : : "memory");
    return value;
}

// Unknown to the compiler: an unrolled loop would have several calls, which are several sites.
const volatile int rounds = 3;

// Stands for an interposed function.
NEVER_INLINED std::uint32_t mpi_call() { return kept(native_site(JAXMPI_CALLER)); }
NEVER_INLINED std::uint32_t helper() { return kept(mpi_call()); }
NEVER_INLINED std::uint32_t other_helper() {
    asm volatile("nop");  // else the compiler makes one function of both
    return kept(mpi_call());
}
NEVER_INLINED std::uint32_t deeper(int depth) { return kept(depth > 0 ? deeper(depth - 1) : helper()); }
NEVER_INLINED std::uint32_t with_room(std::size_t bytes) {
    volatile char* const room = static_cast<volatile char*>(__builtin_alloca(bytes));
    for (std::size_t i = 0; i < bytes; i += 64) room[i] = 1;
    return kept(helper());
}

const Ledger& ledger() { return process().ledger; }
std::uint32_t address_of(std::uint32_t site) { return ledger().site(0, site)->address; }

// The addresses of the callers of a site.
std::vector<std::uint32_t> callers(std::uint32_t site) {
    std::vector<std::uint32_t> found;
    if (const CallPath* const path = ledger().path(0, site))
        for (const std::uint32_t caller : path->callers)
            if (caller != kNone) found.push_back(address_of(caller));
    return found;
}

void paths_are_told_apart() {
    std::vector<std::uint32_t> first, second, third;
    for (int i = 0; i < rounds; ++i) {
        first.push_back(helper());
        second.push_back(helper());
        third.push_back(other_helper());
    }
    for (std::size_t i = 1; i < 3; ++i) expect(first[i] == first[0] && second[i] == second[0] && third[i] == third[0]);
    expect(first[0] != second[0]);
    expect(address_of(first[0]) == address_of(second[0]) && address_of(first[0]) != address_of(third[0]));
    expect(callers(first[0]).at(0) != callers(second[0]).at(0));
    expect(ledger().site(0, first[0])->line == 0);
    expect(std::strstr(ledger().site(0, first[0])->file, "native_sites_test") != nullptr);
}

NEVER_INLINED std::uint32_t called_in_python(std::uint32_t line) {
    return kept(native_site_in_python(JAXMPI_CALLER, line));
}
NEVER_INLINED std::uint32_t innermost(std::uint32_t line) { return kept(called_in_python(line)); }
NEVER_INLINED std::uint32_t middle(std::uint32_t line) { return kept(innermost(line)); }
NEVER_INLINED std::uint32_t outer(std::uint32_t line) { return kept(middle(line)); }
NEVER_INLINED std::uint32_t outermost(std::uint32_t line) { return kept(outer(line)); }

void line_of_python_follows_two_callers() {
    const std::uint32_t line = claim_site();
    for (int i = 0; i < rounds; ++i) {
        const CallPath* const path = ledger().path(0, outermost(line));
        expect(path != nullptr && path->callers[1] != kNone && path->callers[2] == line && path->callers[3] == kNone);
        expect(address_of(path->callers[0]) != address_of(path->callers[1]));
    }
}

void recursion_is_one_line() {
    std::set<std::uint32_t> sites;
    for (int i = 0; i < rounds; ++i)
        for (const int depth : {2, 3, 5, 20}) sites.insert(deeper(depth));
    expect_equal(static_cast<long long>(sites.size()), 1);
}

void size_of_a_frame_does_not_matter() {
    std::set<std::uint32_t> sites;
    for (int i = 0; i < rounds; ++i)
        for (std::size_t bytes = 16; bytes < 3000; bytes += 48) sites.insert(with_room(bytes));
    expect_equal(static_cast<long long>(sites.size()), 1);
}

std::uint32_t from_coroutine = kNone;
ucontext_t back;

// Its stack may be gone or moved at the next call, so nothing is read from it.
[[maybe_unused]] void other_stack_has_no_callers() {
    static std::vector<char> stack(1 << 16);
    ucontext_t there;
    getcontext(&there);
    there.uc_stack.ss_sp = stack.data();
    there.uc_stack.ss_size = stack.size();
    there.uc_link = &back;
    makecontext(&there, [] { from_coroutine = helper(); }, 0);
    swapcontext(&back, &there);
    expect(from_coroutine != kNone && callers(from_coroutine).empty());
    expect(address_of(from_coroutine) == address_of(helper()));
}

void always_new_stacks_are_given_up() {
    for (std::size_t i = 0; i < 9000; ++i) (void)with_room(4096 + 64 * i);
    const std::uint32_t site = with_room(4096 + 64 * 9001);
    expect(address_of(site) == address_of(helper()));
    expect_equal(static_cast<long long>(lines.size()), 1);
}

}  // namespace

int main() {
    const Job job(1);
    job.run([](Rank&) {
        paths_are_told_apart();
        line_of_python_follows_two_callers();
        recursion_is_one_line();
        size_of_a_frame_does_not_matter();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
        other_stack_has_no_callers();  // they do not know of coroutines
#endif
        always_new_stacks_are_given_up();
    });
}
