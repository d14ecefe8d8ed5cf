// The table of requests: several of one handle, each for one thread at a time.
#include "requests.hpp"

#include <thread>
#include <vector>

#include "expect.hpp"

using namespace jaxmpi;

namespace {

Request made(Word handle, Word storage, std::uint32_t serial) {
    Request request;
    request.handle = handle;
    request.storage = storage;
    request.serial = serial;
    request.active = request.sends = true;
    return request;
}

void requests_that_share_a_handle() {
    RequestTable table;
    table.insert(made(7, 100, 1));
    table.insert(made(7, 200, 2));
    table.insert(made(7, 300, 3));
    Request* second = table.claim(7, 200);
    expect_equal(second->serial, 2);  // kept where the program kept it
    Request* oldest = table.claim(7, 999);
    expect_equal(oldest->serial, 1);
    expect_equal(table.claim(7, 999)->serial, 3);
    expect(table.claim(7, 999) == nullptr);
    table.release(oldest);
    expect(table.claim(7, 999) == oldest);
    table.remove(second);
    table.remove(oldest);
    int left = 0;
    table.each([&left](const Request&) { ++left; });
    expect_equal(left, 1);
    expect(table.claim(8, 0) == nullptr);
}

void completions_run_once() {
    RequestTable table;
    int completed = 0;
    Request request = made(9, 0, 1);
    request.sends = false;
    request.collective = true;
    request.completed = [&completed] { ++completed; };
    table.insert(request);
    Request* claimed = table.claim(9, 0);
    claimed->completed();
    table.remove(claimed);
    table.insert(made(9, 0, 2));  // takes the same place
    expect(!table.claim(9, 0)->completed);
    expect_equal(completed, 1);
}

void too_many_are_refused() {
    RequestTable table;
    int open = 0;
    while (table.insert(made(static_cast<Word>(open * 64), 0, 1)) != nullptr) ++open;
    expect_equal(open, 1 << 17);
}

void threads() {
    RequestTable table;
    std::vector<std::thread> all;
    std::atomic<long> sum{0};
    for (Word t = 1; t <= 4; ++t)
        all.emplace_back([&table, &sum, t] {
            for (std::uint32_t i = 1; i <= 5000; ++i) {
                table.insert(made(5, t, i));       // one handle for all
                table.insert(made(t * 64, t, i));  // and one of its own
                Request* shared = table.claim(5, t);
                sum += shared->serial;
                table.remove(shared);
                Request* own = table.claim(t * 64, 0);
                expect_equal(own->serial, i);
                table.remove(own);
            }
        });
    for (std::thread& one : all) one.join();
    expect_equal(sum, 4L * 5000 * 5001 / 2);
}

Request* remembered(Word handle, Word storage) {
    Request& one = prepared();
    expect(!one.sends && !one.receives && !one.claimed && one.serial == 0);
    one.handle = handle;
    one.storage = storage;
    one.serial = static_cast<std::uint32_t>(storage);
    one.active = one.sends = true;
    remember(one);
    return requests().claim(handle, storage);
}

void a_thread_fills_in_again_what_it_has_completed() {
    Request* const first = remembered(7, 1);
    expect_equal(first->serial, 1);
    forget(first);
    expect(&prepared() == first);  // without a copy
    expect(&prepared() == first);
    Request* const again = remembered(8, 2);
    expect(again == first && again->serial == 2);
    expect(&prepared() != first);
    forget(again);
}

// More at a time than a thread keeps, and by threads that end.
void what_threads_leave_is_used_again() {
    constexpr Word kMany = 200;
    for (int round = 0; round < 1000; ++round)
        std::thread([] {
            std::vector<Request*> open;
            for (Word i = 1; i <= kMany; ++i) open.push_back(remembered(7, i));
            for (Word i = 1; i <= kMany; ++i) expect(open[i - 1] != nullptr && open[i - 1]->serial == i);
            for (Request* const one : open) forget(one);
        }).join();
    requests().each([](const Request&) { expect(false); });
}

}  // namespace

int main() {
    a_thread_fills_in_again_what_it_has_completed();
    what_threads_leave_is_used_again();
    requests_that_share_a_handle();
    completions_run_once();
    too_many_are_refused();
    threads();
}
