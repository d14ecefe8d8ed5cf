// What differs between two sides of a collective, what does not, and what the hashes of both must then be.
#include "compare.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "expect.hpp"

using namespace jaxmpi;

namespace {

Signature of(Function function) {
    Signature signature{};
    signature.function = static_cast<std::uint16_t>(function);
    signature.root = kNobody;
    return signature;
}

Signature with_data(Signature signature, Base base, std::uint8_t width, std::uint64_t elements) {
    signature.base = base;
    signature.width = width;
    signature.elements = elements;
    signature.bytes = elements * width;
    signature.type_hash =
        elements == 0 ? 0 : static_cast<std::uint64_t>(base) << 32 | std::uint64_t{width} << 24 | elements;
    return signature;
}

Signature doubles(Function function, std::uint64_t elements = 4) {
    return with_data(of(function), Base::kFloat, 8, elements);
}

template <class Change>
Signature but(Signature signature, Change change) {
    change(signature);
    return signature;
}

void expect_difference(const Signature& a, const Signature& b, Difference wanted, Sides sides = Sides::kOneGroup,
                       std::source_location at = std::source_location::current()) {
    expect(difference(a, b, sides) == wanted, at);
    expect(difference(b, a, sides) == wanted, at);  // whoever looks
    if (wanted != Difference::kNothing) expect(fingerprint(a) != fingerprint(b), at);
}

void the_call() {
    const Signature barrier = of(Function::kBarrier), reduce = doubles(Function::kAllreduce);
    expect_difference(reduce, reduce, Difference::kNothing);
    expect_difference(barrier, reduce, Difference::kKind);
    expect_difference(reduce, but(reduce, [](Signature& s) { s.flags = kNonBlocking; }), Difference::kBlocking);
    expect_difference(reduce, but(reduce, [](Signature& s) { s.flags = kPersistent; }), Difference::kBlocking);
    expect_difference(reduce, but(reduce, [](Signature& s) { s.flags = kPickled; }), Difference::kKind);
}

void roots() {
    const auto rooted = [](std::int32_t root) {
        return but(doubles(Function::kBcast), [root](Signature& s) { s.root = root; });
    };
    expect_difference(rooted(0), rooted(1), Difference::kRoot);
    expect_difference(rooted(0), rooted(1), Difference::kRoot, Sides::kSameGroup);
    expect_difference(rooted(0), rooted(kNobody), Difference::kNothing, Sides::kOtherGroup);
    expect_difference(rooted(0), rooted(0), Difference::kNothing, Sides::kSameGroup);
    const auto both_roots = difference(rooted(0), rooted(1), Sides::kOtherGroup);
    expect(both_roots == Difference::kRoot);
    expect(difference(of(Function::kBarrier), of(Function::kBarrier), Sides::kOtherGroup) == Difference::kNothing);
}

void operators() {
    const auto by = [](std::uint32_t op, std::uint32_t site = 0) {
        return but(doubles(Function::kAllreduce), [=](Signature& s) {
            s.reduction = op;
            s.reduction_site = site;
        });
    };
    expect_difference(by(1), by(2), Difference::kReduction);
    expect_difference(by(1), by(kUserOperator, 5), Difference::kReduction);
    expect_difference(by(kUserOperator, 5), by(kUserOperator, 6), Difference::kReductionSite);
    expect_difference(by(kUserOperator, 5), by(kUserOperator, 0), Difference::kNothing);
    expect_difference(by(kUserOperator, 5), by(0), Difference::kNothing);
    const Signature both = but(by(kUserOperator, 6), [](Signature& s) { s = with_data(s, Base::kFloat, 8, 5); });
    expect_difference(by(kUserOperator, 5), both, Difference::kCount);  // the error before the warning
}

void data() {
    const Signature one = doubles(Function::kBcast);
    const auto other = [&](Base base, std::uint8_t width, std::uint64_t elements) {
        return with_data(one, base, width, elements);
    };
    expect_difference(one, other(Base::kFloat, 8, 5), Difference::kCount);
    expect_difference(one, other(Base::kFloat, 4, 8), Difference::kType);
    expect_difference(one, other(Base::kSigned, 8, 4), Difference::kType);
    expect_difference(one, other(Base::kByte, 1, 32), Difference::kByteNote);
    expect_difference(one, other(Base::kByte, 1, 31), Difference::kCount);
    expect_difference(one, other(Base::kFloat, 8, 0), Difference::kCount);
    expect_difference(other(Base::kFloat, 8, 0), other(Base::kSigned, 4, 0), Difference::kNothing);
    expect_difference(but(other(Base::kFloat, 8, 0), [](Signature& s) { s.type_hash = 99; }), other(Base::kByte, 1, 0),
                      Difference::kNothing);
    expect_difference(one, but(other(Base::kSigned, 4, 9), [](Signature& s) { s.flags = kCountUnknown; }),
                      Difference::kNothing);
    // Two mixtures of as many elements and bytes in another order.
    const Signature mixture = other(Base::kMixed, 0, 4);
    expect_difference(mixture, but(mixture, [](Signature& s) { s.type_hash = 99; }), Difference::kType);
}

void in_place_and_notes() {
    const auto here = [](Function function) {
        return but(doubles(function), [](Signature& s) { s.flags |= kInPlace; });
    };
    expect_difference(doubles(Function::kAllreduce), here(Function::kAllreduce), Difference::kInPlace);
    for (const Function function : {Function::kGather, Function::kReduce, Function::kScatter, Function::kScan}) {
        expect_difference(doubles(function), here(function), Difference::kNothing);  // at the root only, say
        expect(fingerprint(doubles(function)) == fingerprint(here(function)));
    }
    const auto noted = [](Function function, std::uint32_t note) {
        return but(of(function), [note](Signature& s) { s.note = note; });
    };
    expect_difference(noted(Function::kCommSplitType, 1), noted(Function::kCommSplitType, 2), Difference::kNote);
    expect_difference(noted(Function::kCommSplitType, 1), noted(Function::kCommSplitType, 0), Difference::kNothing);
    expect_difference(noted(Function::kAllgatherv, 1), noted(Function::kAllgatherv, 2), Difference::kPart);
}

// A signature and what may have become of it on another rank.
class Pairs {
  public:
    std::pair<Signature, Signature> next() {
        static constexpr Function kFunctionsUsed[] = {Function::kBarrier, Function::kBcast,      Function::kReduce,
                                                      Function::kGather,  Function::kAllreduce,  Function::kAlltoall,
                                                      Function::kScan,    Function::kAllgatherv, Function::kCommSplit};
        Signature one = of(kFunctionsUsed[below(std::size(kFunctionsUsed))]);
        if (kTable[one.function].flow == Flow::kFromRoot || kTable[one.function].flow == Flow::kToRoot) one.root = 2;
        fill(one);
        if (below(4) == 0) one.flags |= kNonBlocking;
        if (below(4) == 0) one.flags |= kCountUnknown;
        if (below(3) == 0) one.reduction = below(2) == 0 ? kUserOperator : 3;
        Signature other = one;
        for (std::uint32_t changes = below(3); changes > 0; --changes) change(other);
        return {one, other};
    }

  private:
    std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(random_() % limit); }
    void fill(Signature& signature) {
        static constexpr std::pair<Base, std::uint8_t> kTypes[] = {
            {Base::kFloat, 8}, {Base::kFloat, 4}, {Base::kSigned, 8}, {Base::kByte, 1}};
        const auto [base, width] = kTypes[below(std::size(kTypes))];
        const std::uint64_t bytes = 8 * below(3);
        signature = with_data(signature, base, width, bytes / width);
    }
    void change(Signature& signature) {
        switch (below(7)) {
            case 0:
                return fill(signature);
            case 1:
                signature.flags ^= kInPlace;
                return;
            case 2:
                signature.flags ^= kNonBlocking;
                return;
            case 3:
                signature.note = below(3);
                return;
            case 4:
                signature.reduction_site = below(3);
                return;
            case 5:
                if (signature.root != kNobody) signature.root = static_cast<std::int32_t>(below(3));
                return;
            default:
                if (signature.reduction != 0) signature.reduction = 1 + below(3);
        }
    }
    std::mt19937 random_{20'240'229};
};

// Equal fingerprints: nothing is looked at any more, so nothing may differ. No error: the rolling hash must not see it.
void the_hashes_fit_the_comparison() {
    Pairs pairs;
    int errors = 0, harmless = 0, unseen = 0;
    for (int i = 0; i < 400'000; ++i) {
        const auto [one, other] = pairs.next();
        const Difference what = difference(one, other, Sides::kOneGroup);
        expect(difference(other, one, Sides::kOneGroup) == what);
        if (fingerprint(one) == fingerprint(other)) expect(what == Difference::kNothing);
        const bool seen = coarse(one, false) != coarse(other, false);
        if (!is_error(what)) expect(!seen);
        const bool coarsely = what == Difference::kKind || what == Difference::kBlocking || what == Difference::kRoot ||
                              what == Difference::kReduction || what == Difference::kCount;
        if (coarsely && one.bytes != other.bytes && what == Difference::kCount) expect(seen);
        if (coarsely && what != Difference::kCount) expect(seen);
        ++(is_error(what) ? errors : harmless);
        if (is_error(what) && !seen) ++unseen;
    }
    expect(errors > 10'000 && harmless > 10'000 && unseen > 1000);  // the pairs are worth something
}

void intercommunicators_hash_alike_in_both_groups() {
    Signature root = doubles(Function::kReduce), rest = doubles(Function::kReduce, 0);
    root.root = kNobody;
    rest.root = 1;
    rest.reduction = 3;
    expect(coarse(root, true) == coarse(rest, true));
    expect(coarse(root, true) != coarse(of(Function::kBarrier), true));
}

void the_order_counts() {
    const std::uint64_t a = coarse(of(Function::kBarrier), false), b = coarse(doubles(Function::kBcast), false);
    expect(rolled(rolled(0, a), b) != rolled(rolled(0, b), a));
    expect(rolled(0, a) != rolled(rolled(0, a), a));
    std::vector<std::uint64_t> seen;
    std::uint64_t all = 0;
    for (int i = 0; i < 10'000; ++i) {
        all = rolled(all, a);
        seen.push_back(all);
    }
    std::ranges::sort(seen);
    expect(std::ranges::adjacent_find(seen) == seen.end());  // the same one again and again still goes on
}

}  // namespace

int main() {
    the_call();
    roots();
    operators();
    data();
    in_place_and_notes();
    the_hashes_fit_the_comparison();
    intercommunicators_hash_alike_in_both_groups();
    the_order_counts();
}
