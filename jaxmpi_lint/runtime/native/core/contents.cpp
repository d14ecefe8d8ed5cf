#include "contents.hpp"

#include <bit>

#include "datatypes.hpp"
#include "findings.hpp"
#include "routine.hpp"
#include "thread.hpp"

namespace jaxmpi {
namespace {

// A type that says what its bits mean. Bytes, packed data, characters and whatever is mixed may be read as anything.
bool has_meaning(const Contents& contents) {
    switch (contents.base) {
        case Base::kSigned:
        case Base::kUnsigned:
        case Base::kFloat:
        case Base::kComplex:
        case Base::kPair:
            return contents.width > 1;
        default:
            return false;
    }
}

bool other_type(const Contents& sent, const Contents& asked) {
    return has_meaning(sent) && has_meaning(asked) && sent.bytes != 0 && asked.bytes != 0 &&
           (sent.base != asked.base || sent.width != asked.width);
}

// The packed contents of message `ordinal` of a channel; 0 if unknown.
std::uint64_t sent_contents(const Channel& channel, std::uint64_t ordinal) {
    const std::uint64_t word = channel.carried.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_acquire);
    const std::uint32_t since = channel.since.load(std::memory_order_relaxed);
    return since == kNone || since > ordinal ? 0 : word;
}

Decision tell(const Message& message, const Contents& sent, Difference difference, std::uint32_t site) {
    Finding finding{};
    finding.kind = FindingKind::kMessage;
    finding.difference = difference;
    finding.communicator = message.index;
    finding.ordinal = message.ordinal;
    finding.rank = process().local;
    finding.other = process().local_of_world(message.peer);
    finding.site = site;
    finding.other_site = message.channel->site.load(std::memory_order_relaxed);
    finding.when = ticks();
    const Contents asked = Contents::of(message.contents);
    asked.sign(finding.mine, Function::kRecv);
    sent.sign(finding.theirs, Function::kSend);
    finding.mine_bytes = asked.bytes;
    finding.theirs_bytes = sent.bytes;
    return report_and_hold(finding);
}

bool comparable(const Message& message) {
    return message.channel != nullptr && message.contents != 0 && message.ordinal != 0;
}

bool one_thread_only() {
    return process().block->threads[1].activity.load(std::memory_order_relaxed) == Activity::kFree;
}

}  // namespace

std::uint64_t contents_of(std::int64_t how_many, Word datatype) {
    if (how_many < 0) return 0;
    const TypeSignature one = type_signature(handle(datatype));
    if (!one.known) return 0;
    return Contents{one.base, one.width, 0, one.bytes * static_cast<std::uint64_t>(how_many)}.packed();
}

[[gnu::hot]] void Contents::sign(Signature& signature, Function function) const {
    signature = {};
    signature.function = static_cast<std::uint16_t>(function);
    signature.base = base;
    signature.width = width;
    signature.bytes = bytes;
    signature.root = kNobody;
    if (width != 0)  // nearly always a power of two, and a division takes long
        signature.elements = (width & (width - 1)) == 0 ? bytes >> std::countr_zero(width) : bytes / width;
}

[[gnu::hot]] Decision check_room(const Message& message, std::uint32_t site) {
    if (!comparable(message) || message.wildcard || !one_thread_only()) return Decision::kForward;
    const std::uint64_t room = Contents::of(message.contents).bytes;
    const auto too_long = [&] {
        const std::uint64_t word = sent_contents(*message.channel, message.ordinal);
        return word != 0 && Contents::of(word).bytes > room ? word : 0;
    };
    if (too_long() == 0) return Decision::kForward;  // without a look at the counter, which the sender keeps writing
    if (message.channel->sent.load(std::memory_order_acquire) < message.ordinal) return Decision::kForward;
    const std::uint64_t word = too_long();  // what was there before it counted may have been the message before
    return word == 0 ? Decision::kForward : tell(message, Contents::of(word), Difference::kCount, site);
}

[[gnu::hot]] Decision check_contents(const Message& message, bool truncated, std::uint32_t site) {
    if (!comparable(message)) return Decision::kForward;
    const std::uint64_t word = sent_contents(*message.channel, message.ordinal);
    if (word == 0 || Contents::without_sender(word) == Contents::without_sender(message.contents)) [[likely]]
        return Decision::kForward;
    const Contents sent = Contents::of(word), asked = Contents::of(message.contents);
    if ((sent.bytes > asked.bytes) != truncated) return Decision::kForward;  // not the message that was received
    if (truncated) return tell(message, sent, Difference::kCount, site);
    return other_type(sent, asked) ? tell(message, sent, Difference::kType, site) : Decision::kForward;
}

Filled::Filled(const Call& call)
    : call_(call), watched_(call.thread.operation != nullptr && call[Role::kStatus] == process().abi->status_ignore) {}

Decision Filled::check(const Message& message, Role how_many, Role type, const Status& status,
                       std::uint32_t site) const {
    static const Routine get_count{"PMPI_Get_count"};
    if (!watched_ || message.lonely || message.channel == nullptr || message.contents == 0) return Decision::kForward;
    const std::int64_t room = count(call_.info, call_[how_many]);
    std::int32_t came = 0;
    const bool known = get_count(reinterpret_cast<Word>(status.address()), call_[type], &came) == 0;
    if (!known || came < 0 || came >= room) return Decision::kForward;
    Contents sent = Contents::of(message.contents);
    sent.bytes = sent.bytes / static_cast<std::uint64_t>(room) * static_cast<std::uint64_t>(came);
    return tell(message, sent, Difference::kPart, site);
}

}  // namespace jaxmpi
