#include "handlers.hpp"

namespace jaxmpi {
namespace {

constexpr std::array<Handler, kCategories> handlers() {
    std::array<Handler, kCategories> table{};
    const auto set = [&table](Category category, Handler handler) {
        table[static_cast<std::size_t>(category)] = handler;
    };
    set(Category::kInitialise, on_initialise);
    set(Category::kFinalise, on_finalise);
    set(Category::kAbort, on_abort);
    set(Category::kSession, on_session);
    set(Category::kCollective, on_collective);
    set(Category::kCommunicator, on_communicator);
    set(Category::kForeignCommunicator, on_foreign_communicator);
    set(Category::kFreeCommunicator, on_free_communicator);
    set(Category::kErrorHandler, on_error_handler);
    set(Category::kOperator, on_operator);
    set(Category::kWindow, on_window);
    set(Category::kWindowCollective, on_window_collective);
    set(Category::kFile, on_file);
    set(Category::kFileCollective, on_file_collective);
    set(Category::kOneSided, on_one_sided);
    set(Category::kSend, on_send);
    set(Category::kReceive, on_receive);
    set(Category::kExchange, on_exchange);
    set(Category::kProbe, on_probe);
    set(Category::kMatchedReceive, on_matched_receive);
    set(Category::kStart, on_start);
    set(Category::kWait, on_wait);
    set(Category::kTest, on_test);
    set(Category::kRequest, on_request);
    set(Category::kGeneralisedRequest, on_generalised_request);
    set(Category::kPartition, on_partition);
    return table;
}

}  // namespace

constexpr std::array<Handler, kCategories> kHandlers = handlers();

}  // namespace jaxmpi
