// Values of handle tables live as long as a thread may read them, and no longer.
#include "reading.hpp"

#include <array>
#include <atomic>
#include <thread>

#include "expect.hpp"
#include "handle_table.hpp"
#include "kernel_barrier.hpp"

using jaxmpi::HandleTable;
using jaxmpi::Reader;
using jaxmpi::Reading;
using jaxmpi::Word;

namespace {

std::atomic<int> living{0};

struct Value {
    explicit Value(long long content) : first(content), second(content) { ++living; }
    ~Value() {
        first = -1;
        --living;
    }
    Value(const Value&) = delete;
    Value& operator=(const Value&) = delete;
    long long first, second;
};

constexpr int kMany = 20'000;
constexpr int kFew = 200;  // batches that wait for their turns

void insert(HandleTable<Value>& table, Word handle, long long content) {
    table.insert(handle, std::make_unique<Value>(content));
}

// A thread that reads has a reader that is registered for its whole life.
struct Registered {
    Registered() { jaxmpi::add_reader(reader); }
    ~Registered() { jaxmpi::remove_reader(reader); }
    Registered(const Registered&) = delete;
    Registered& operator=(const Registered&) = delete;
    Reader reader;
};

void freed_by_the_only_thread() {
    Registered own;
    HandleTable<Value> table;
    for (int i = 0; i < kMany; ++i) {
        const Reading reading(own.reader);
        insert(table, 1, i);
    }
    expect(living.load() <= kFew);
}

void kept_for_a_thread_that_reads() {
    Registered own, other;
    HandleTable<Value> table;
    insert(table, 1, 7);
    auto reading = std::make_unique<Reading>(other.reader);
    const Value* const found = table.find(1);
    for (int i = 0; i < kMany; ++i) {
        const Reading turn(own.reader);
        insert(table, 1, i);
        insert(table, static_cast<Word>(1000 + i), i);  // the table itself is replaced, too
    }
    expect_equal(found->first, 7);
    expect_equal(found->second, 7);
    reading.reset();
    const int before = living.load();
    for (int i = 0; i < 2 * kFew; ++i) insert(table, 1, i);
    expect(living.load() < before - kMany / 2);
}

void nested_turns_are_one() {
    Registered own, other;
    HandleTable<Value> table;
    insert(table, 1, 7);
    const Reading outer(other.reader);
    const Value* const found = table.find(1);
    {
        const Reading inner(other.reader);
    }
    for (int i = 0; i < kMany; ++i) insert(table, 1, i);
    expect_equal(found->first, 7);
}

void an_ended_thread_is_not_waited_for() {
    Registered own;
    HandleTable<Value> table;
    insert(table, 1, 7);
    {
        Registered other;
        const Reading reading(other.reader);
        for (int i = 0; i < kFew; ++i) insert(table, 1, i);
    }
    for (int i = 0; i < kMany; ++i) insert(table, 1, i);
    expect(living.load() <= kFew);
}

void threads_read_while_others_replace() {
    HandleTable<Value> table;
    constexpr Word kHandles = 8;
    for (Word handle = 0; handle < kHandles; ++handle) insert(table, handle, 0);
    std::atomic<bool> over{false};
    std::array<std::thread, 3> readers;
    for (std::thread& one : readers)
        one = std::thread([&] {
            Registered own;
            for (Word turn = 0; !over.load(); ++turn) {
                const Reading reading(own.reader);
                const Value* const found = table.find(turn % kHandles);
                if (found == nullptr) continue;
                const long long first = found->first;
                expect(first >= 0);
                expect_equal(found->second, first);
            }
        });
    {
        Registered own;
        for (int i = 0; i < kMany; ++i) {
            const Reading reading(own.reader);
            const Word handle = static_cast<Word>(i) % kHandles;
            if (i % 3 == 0)
                table.erase(handle);
            else
                insert(table, handle, i);
        }
        over.store(true);
        for (std::thread& one : readers) one.join();
    }
}

void the_first_of_two_values_stays() {
    HandleTable<Value> table;
    Value* const first = table.insert_if_absent(1, std::make_unique<Value>(1));
    expect(table.insert_if_absent(1, std::make_unique<Value>(2)) == first);
    expect(table.find(1) == first);
}

}  // namespace

int main() {
    expect(jaxmpi::register_kernel_barrier());
    freed_by_the_only_thread();
    kept_for_a_thread_that_reads();
    nested_turns_are_one();
    an_ended_thread_is_not_waited_for();
    threads_read_while_others_replace();
    the_first_of_two_values_stays();
}
