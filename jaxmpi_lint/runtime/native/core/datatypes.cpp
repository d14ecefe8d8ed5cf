#include "datatypes.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "hashing.hpp"
#include "mpi.hpp"

namespace jaxmpi {
namespace {

constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15 | 1;

std::uint64_t code(Base base, std::uint8_t width) {
    return mix(static_cast<std::uint64_t>(base) << 8 | width) | 1;
}

struct Named {
    std::string_view name;
    Base base;
};
// Names of the standard whose class the name alone does not tell by one of the rules below.
constexpr Named kNamed[] = {
    {"MPI_BYTE", Base::kByte},          {"MPI_PACKED", Base::kPacked},        {"MPI_CHAR", Base::kCharacter},
    {"MPI_CHARACTER", Base::kCharacter}, {"MPI_WCHAR", Base::kCharacter},     {"MPI_C_BOOL", Base::kLogical},
    {"MPI_CXX_BOOL", Base::kLogical},   {"MPI_LOGICAL", Base::kLogical},      {"MPI_FLOAT", Base::kFloat},
    {"MPI_DOUBLE", Base::kFloat},       {"MPI_LONG_DOUBLE", Base::kFloat},    {"MPI_DOUBLE_PRECISION", Base::kFloat},
    {"MPI_SHORT", Base::kSigned},       {"MPI_INT", Base::kSigned},           {"MPI_LONG", Base::kSigned},
    {"MPI_LONG_LONG", Base::kSigned},   {"MPI_LONG_LONG_INT", Base::kSigned}, {"MPI_SIGNED_CHAR", Base::kSigned},
    {"MPI_AINT", Base::kSigned},        {"MPI_OFFSET", Base::kSigned},        {"MPI_COUNT", Base::kSigned},
    {"MPI_DOUBLE_COMPLEX", Base::kComplex},
};

Base base_of(std::string_view name) {
    for (const Named& one : kNamed)
        if (one.name == name) return one.base;
    const auto contains = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (contains("COMPLEX")) return Base::kComplex;
    if (contains("LOGICAL") || contains("BOOL")) return Base::kLogical;
    if (name.starts_with("MPI_UINT") || contains("UNSIGNED")) return Base::kUnsigned;
    if (name.starts_with("MPI_2") || name.ends_with("_INT")) return Base::kPair;
    if (name.starts_with("MPI_INT")) return Base::kSigned;
    if (name.starts_with("MPI_REAL") || contains("FLOAT") || contains("DOUBLE")) return Base::kFloat;
    return Base::kMixed;
}

std::uint64_t size_of(Word datatype) {
    static const MpiFunction size("PMPI_Type_size_x"), plain("PMPI_Type_size");
    std::int64_t large = 0;
    if (size && size(datatype, address(&large)) == 0) return large < 0 ? 0 : static_cast<std::uint64_t>(large);
    std::int32_t small = 0;
    return plain(datatype, address(&small)) == 0 && small > 0 ? static_cast<std::uint64_t>(small) : 0;
}

TypeSequence opaque(std::uint64_t bytes) {
    TypeSequence sequence = basic(Base::kMixed, 0);
    sequence.bytes = bytes;
    sequence.known = false;
    return sequence;
}

TypeSequence named(Word datatype) {
    static const MpiFunction get_name("PMPI_Type_get_name");
    char name[512] = "";
    std::int32_t length = 0;
    const std::uint64_t bytes = size_of(datatype);
    if (get_name(datatype, address(name), address(&length)) != 0) return opaque(bytes);
    const Base base = base_of(name);
    return base == Base::kMixed || bytes > 255 ? opaque(bytes) : basic(base, static_cast<std::uint8_t>(bytes));
}

TypeSequence compute(Word datatype, bool& predefined);

struct Contents {
    std::vector<std::int32_t> integers;
    std::vector<std::byte> types;
    std::size_t type_count = 0;
    Word type(std::size_t i) const { return load_handle(types.data() + i * process().abi->handle_size); }
};

bool contents_of(Word datatype, Contents& out) {
    static const MpiFunction envelope("PMPI_Type_get_envelope"), contents("PMPI_Type_get_contents");
    std::int32_t integers = 0, addresses = 0, types = 0, combiner = 0;
    if (envelope(datatype, address(&integers), address(&addresses), address(&types), address(&combiner)) != 0) return false;
    out.type_count = static_cast<std::size_t>(types);
    if (types == 0) return true;
    out.integers.resize(static_cast<std::size_t>(integers) + 1);
    std::vector<Word> displacements(static_cast<std::size_t>(addresses) + 1);
    out.types.resize((out.type_count + 1) * process().abi->handle_size);
    return contents(datatype, integers, addresses, types, address(out.integers.data()), address(displacements.data()),
                    address(out.types.data())) == 0;
}

// What Type_get_contents returned is ours to free, except predefined types.
TypeSequence inner(Word datatype) {
    static const MpiFunction free_type("PMPI_Type_free");
    bool predefined = false;
    const TypeSequence sequence = compute(datatype, predefined);
    if (!predefined) {
        alignas(8) std::byte handle[8];
        std::memcpy(handle, &datatype, sizeof handle);
        free_type(address(handle));
    }
    return sequence;
}

// Types with one old type repeat it, whatever their layout; types with several are structures, whose first integers are
// their number and the lengths of their blocks.
TypeSequence compute(Word datatype, bool& predefined) {
    Contents contents;
    predefined = false;
    if (!contents_of(datatype, contents)) return opaque(size_of(datatype));
    if (contents.type_count == 0) {
        predefined = true;
        return named(datatype);
    }
    if (contents.type_count == 1) {
        const std::uint64_t old_bytes = size_of(contents.type(0));
        const TypeSequence old = inner(contents.type(0));
        return old_bytes == 0 ? old.times(0) : old.times(size_of(datatype) / old_bytes);
    }
    TypeSequence whole;
    whole.known = true;
    for (std::size_t i = 0; i < contents.type_count; ++i) {
        const TypeSequence block = inner(contents.type(i));
        if (i + 1 < contents.integers.size())
            whole = whole.then(block.times(static_cast<std::uint64_t>(contents.integers[i + 1])));
    }
    return whole;
}

// Derived types carry their sequence as an attribute, so that it goes when they go, whoever frees them.
std::atomic<std::uint64_t> epoch{1};

Word forget(Word, Word, Word sequence, Word) {
    delete reinterpret_cast<TypeSequence*>(sequence);
    epoch.fetch_add(1, std::memory_order_relaxed);
    return 0;
}

Word do_not_copy(Word, Word, Word, Word, Word, std::int32_t* flag) {
    *flag = 0;
    return 0;
}

std::int32_t key() {
    static const std::int32_t made = [] {
        std::int32_t value = -1;
        MpiFunction("PMPI_Type_create_keyval")(address(reinterpret_cast<void*>(&do_not_copy)),
                                               address(reinterpret_cast<void*>(&forget)), address(&value), 0);
        return value;
    }();
    return made;
}

TypeSequence look_up(Word datatype) {
    static const MpiFunction get("PMPI_Type_get_attr"), set("PMPI_Type_set_attr");
    Word stored = 0;
    std::int32_t flag = 0;
    if (get(datatype, key(), address(&stored), address(&flag)) == 0 && flag != 0)
        return *reinterpret_cast<const TypeSequence*>(stored);
    bool predefined = false;
    auto sequence = std::make_unique<TypeSequence>(compute(datatype, predefined));
    const TypeSequence answer = *sequence;
    if (!predefined && set(datatype, key(), address(sequence.get())) == 0) (void)sequence.release();
    return answer;
}

struct Known {
    Word datatype = 0;
    std::uint64_t epoch = 0;
    TypeSequence sequence;
};
constexpr std::size_t kKnown = 32;
thread_local std::array<Known, kKnown> known_types;

}  // namespace

TypeSequence basic(Base base, std::uint8_t width) {
    return {base, width, true, 1, width, code(base, width), kFactor};
}

TypeSequence TypeSequence::then(const TypeSequence& next) const {
    if (elements == 0) {
        TypeSequence same = next;
        same.known = known && next.known;
        return same;
    }
    if (next.elements == 0) return *this;
    const bool alike = base == next.base && width == next.width;
    return {alike ? base : Base::kMixed,
            alike ? width : std::uint8_t{0},
            known && next.known,
            elements + next.elements,
            bytes + next.bytes,
            polynomial * next.power + next.polynomial,
            power * next.power};
}

TypeSequence TypeSequence::times(std::uint64_t count) const {
    if (count == 1) return *this;
    if (base != Base::kMixed) {
        TypeSequence many = *this;
        many.elements *= count;
        many.bytes *= count;
        if (many.elements == 0) return {Base::kNothing, 0, known, 0, 0, 0, 1};
        // The hash of a uniform sequence is told by its length; only mixed ones need the polynomial, and a mixed one
        // that this becomes part of does.
        TypeSequence square = *this, product{Base::kNothing, 0, true, 0, 0, 0, 1};
        for (std::uint64_t left = count; left != 0; left >>= 1) {
            if (left & 1) {
                product.polynomial = product.polynomial * square.power + square.polynomial;
                product.power *= square.power;
            }
            square.polynomial = square.polynomial * square.power + square.polynomial;
            square.power *= square.power;
        }
        many.polynomial = product.polynomial;
        many.power = product.power;
        return many;
    }
    TypeSequence product{Base::kNothing, 0, known, 0, 0, 0, 1}, square = *this;
    for (std::uint64_t left = count; left != 0; left >>= 1) {
        if (left & 1) product = product.then(square);
        square = square.then(square);
    }
    return product;
}

std::uint64_t TypeSequence::hash() const {
    if (elements == 0) return 0;
    return base == Base::kMixed ? mix(polynomial) | 1 : hash_of(1);
}

std::uint64_t TypeSequence::hash_of(std::uint64_t count) const {
    return elements * count == 0 ? 0 : combine(code(base, width), elements * count) | 1;
}

TypeSequence type_sequence(Word datatype) {
    if (datatype == process().datatype_null) return {};
    Known& known = known_types[mix(datatype) % kKnown];
    const std::uint64_t now = epoch.load(std::memory_order_relaxed);
    if (known.datatype != datatype || known.epoch != now) known = {datatype, now, look_up(datatype)};
    return known.sequence;
}

}  // namespace jaxmpi
