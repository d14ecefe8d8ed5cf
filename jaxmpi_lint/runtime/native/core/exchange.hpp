// A place where the first ranks of a job's hosts leave short texts for each other, without any message.
#pragma once

#include <memory>
#include <string>

namespace jaxmpi {

class Exchange {
  public:
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    virtual ~Exchange() = default;
    // Leaves a text under a number; false if that is not possible here. `number` is the lowest rank of this host.
    virtual bool publish(std::int32_t number, const std::string& text) = 0;
    // Whether there is a text under a number, and which.
    virtual bool find(std::int32_t number, std::string& text) = 0;
    // Takes back what was left.
    virtual void withdraw() = 0;
    // A file that remains if nothing is taken back; "" if there is none.
    virtual std::string remains() const { return ""; }
};

// By MPI's name service, or by files in the working directory, as the option `hosts` says; publishes the text at once.
// nullptr if neither is possible, and the reason in `why`.
std::unique_ptr<Exchange> published(std::int32_t number, const std::string& text, std::string& why);

}  // namespace jaxmpi
