#include "datatypes.hpp"

#include <array>
#include <vector>

#include "handle_table.hpp"
#include "hashing.hpp"
#include "named_types.hpp"
#include "routine.hpp"

namespace jaxmpi {
namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15;  // of the polynomial; odd
constexpr std::int32_t kMostParts = 1 << 16;         // of a struct; larger ones are compared by their bytes

const Routine type_size_c{"PMPI_Type_size_c"}, type_size_x{"PMPI_Type_size_x"}, type_size{"PMPI_Type_size"};
const Routine get_name{"PMPI_Type_get_name"}, free_type{"PMPI_Type_free"};
const Routine envelope{"PMPI_Type_get_envelope"}, envelope_c{"PMPI_Type_get_envelope_c"};
const Routine contents{"PMPI_Type_get_contents"}, contents_c{"PMPI_Type_get_contents_c"};
const Routine create_keyval{"PMPI_Type_create_keyval"}, set_attribute{"PMPI_Type_set_attr"};

TypeSignature basic(Base base, std::uint8_t width, std::uint8_t variant = 0) {
    TypeSignature one;
    one.elements = 1;
    one.bytes = width;
    one.hash = mix((std::uint64_t{variant} << 16) | (static_cast<std::uint64_t>(base) << 8) | width) | 1;
    one.power = kBase;
    one.base = base;
    one.width = width;
    one.known = true;
    return one;
}

// Nobody knows what it is made of, only how long it is: compares like bytes.
TypeSignature opaque(std::uint64_t bytes) {
    TypeSignature one = repeated(basic(Base::kByte, 1), bytes);
    one.known = true;
    return one;
}

// The same sequence with the polynomial hash, also where it is of one kind.
TypeSignature spelled_out(TypeSignature all) {
    if (all.mixed()) return all;
    std::uint64_t sum = 0, power = 1, step = kBase, series = 1;  // 1 + b + b^2 + ... by doubling
    for (std::uint64_t n = all.elements; n != 0; n /= 2) {
        if (n % 2 != 0) {
            sum = sum * step + series;
            power *= step;
        }
        series += series * step;
        step *= step;
    }
    all.hash *= sum;
    all.power = power;
    return all;
}

std::uint64_t size_of(Word datatype) {
    std::int64_t size = 0;
    if (type_size_c(datatype, &size) == 0 || type_size_x(datatype, &size) == 0)
        return static_cast<std::uint64_t>(size > 0 ? size : 0);
    int narrow = 0;
    return type_size(datatype, &narrow) == 0 && narrow > 0 ? static_cast<std::uint64_t>(narrow) : 0;
}

enum class Combiner { kNamed, kStruct, kReal, kComplex, kInteger, kPair, kOther };

Combiner combiner_of(int value) {
    const Combiners& v = process().abi->combiners;
    if (value == v.named) return Combiner::kNamed;
    if (value == v.structure || value == v.structure_integer) return Combiner::kStruct;
    if (value == v.real) return Combiner::kReal;
    if (value == v.complex) return Combiner::kComplex;
    if (value == v.integer) return Combiner::kInteger;
    return value == v.pair ? Combiner::kPair : Combiner::kOther;
}

TypeSignature pair(const NamedType& type, std::uint64_t size) {
    const auto half = static_cast<std::uint8_t>(size / 2);
    const TypeSignature second = type.variant == 1 ? basic(type.first, half) : basic(Base::kSigned, sizeof(int));
    TypeSignature both = joined(type.variant == 1 ? second : basic(type.first, type.first_width), second);
    if (both.mixed()) both.base = Base::kPair;
    return both;
}

TypeSignature named(Word datatype) {
    const std::uint64_t size = size_of(datatype);
    std::array<char, 512> name{};
    int length = 0;
    if (get_name(datatype, name.data(), &length) != 0) return opaque(size);
    const NamedType* const type = named_type(name.data());
    if (type == nullptr || size > 64) return opaque(size);
    if (type->base == Base::kPair) return pair(*type, size);
    if (size == 0 || type->base == Base::kNothing) return opaque(0);
    return basic(type->base, static_cast<std::uint8_t>(size), type->variant);
}

struct Shape {
    std::int64_t integers = 0, addresses = 0, larges = 0, datatypes = 0;
    int combiner = 0;
};

bool shape_of(Word datatype, Shape& shape) {
    if (envelope_c)
        return envelope_c(datatype, &shape.integers, &shape.addresses, &shape.larges, &shape.datatypes,
                          &shape.combiner) == 0;
    int integers = 0, addresses = 0, datatypes = 0;
    if (envelope(datatype, &integers, &addresses, &datatypes, &shape.combiner) != 0) return false;
    shape.integers = integers;
    shape.addresses = addresses;
    shape.datatypes = datatypes;
    return true;
}

// The datatypes that a derived one is made of, and how many of each if it is a struct.
struct Parts {
    std::vector<std::int32_t> integers;
    std::vector<std::int64_t> addresses, larges;
    std::vector<Word> handles;  // packed as the library writes them
    std::size_t count;

    explicit Parts(const Shape& shape)
        : integers(static_cast<std::size_t>(shape.integers) + 1),
          addresses(static_cast<std::size_t>(shape.addresses) + 1),
          larges(static_cast<std::size_t>(shape.larges) + 1),
          handles(static_cast<std::size_t>(shape.datatypes) + 1),
          count(static_cast<std::size_t>(shape.datatypes)) {}

    bool read(Word datatype, const Shape& shape) {
        if (envelope_c)
            return contents_c(datatype, shape.integers, shape.addresses, shape.larges, shape.datatypes, integers.data(),
                              addresses.data(), larges.data(), handles.data()) == 0;
        return contents(datatype, static_cast<int>(shape.integers), static_cast<int>(shape.addresses),
                        static_cast<int>(shape.datatypes), integers.data(), addresses.data(), handles.data()) == 0;
    }
    Word type(std::size_t i) const { return handle_at(reinterpret_cast<Word>(handles.data()), i); }
    std::int64_t length(const Shape& shape, std::size_t i) const {
        return shape.larges > 0 ? larges[i + 1] : integers[i + 1];
    }
};

TypeSignature analysed(Word datatype);

// Of a datatype that the library handed out: derived ones are new handles and ours to free.
TypeSignature part(Word datatype) {
    const TypeSignature signature = analysed(datatype);
    Shape shape;
    if (!shape_of(datatype, shape)) return signature;
    const Combiner combiner = combiner_of(shape.combiner);
    if (combiner == Combiner::kStruct || combiner == Combiner::kOther) {
        HandleCell cell{datatype};
        free_type(cell.address());
    }
    return signature;
}

TypeSignature structure(const Parts& parts, const Shape& shape) {
    TypeSignature all = opaque(0);
    for (std::size_t i = 0; i < parts.count; ++i) {
        const std::int64_t length = parts.length(shape, i);
        all = joined(all, repeated(part(parts.type(i)), length > 0 ? static_cast<std::uint64_t>(length) : 0));
    }
    return all;
}

TypeSignature analysed(Word datatype) {
    const std::uint64_t size = size_of(datatype);
    Shape shape;
    if (!shape_of(datatype, shape)) return opaque(size);
    const auto width = static_cast<std::uint8_t>(size <= 64 ? size : 0);
    switch (combiner_of(shape.combiner)) {
        case Combiner::kNamed:
            return named(datatype);
        case Combiner::kReal:
            return basic(Base::kFloat, width);
        case Combiner::kComplex:
            return basic(Base::kComplex, width);
        case Combiner::kInteger:
            return basic(Base::kSigned, width);
        case Combiner::kPair:
            return opaque(size);
        case Combiner::kStruct:
        case Combiner::kOther:
            break;
    }
    const bool is_struct = combiner_of(shape.combiner) == Combiner::kStruct;
    if (shape.datatypes < 1 || shape.datatypes > kMostParts) return opaque(size);
    Parts parts(shape);
    if (!parts.read(datatype, shape)) return opaque(size);
    if (is_struct) return structure(parts, shape);
    // All other constructors repeat one datatype; displacements are no part of the signature.
    const TypeSignature child = part(parts.type(0));
    return child.bytes == 0 ? opaque(0) : repeated(child, size / child.bytes);
}

HandleTable<TypeSignature>& known() {
    static auto* const table = new HandleTable<TypeSignature>;
    return *table;
}

int do_not_copy(Word, int, void*, void*, void*, int* flag) {
    *flag = 0;
    return 0;
}

int forget(Word datatype, int, void*, void*) {
    known().erase(handle(datatype));
    return 0;
}

// MPI calls this when the datatype is destroyed, by any caller, so its handle may be reused.
bool watch(Word datatype) {
    static const int key = [] {
        int made = -1;
        return create_keyval(&do_not_copy, &forget, &made, nullptr) == 0 ? made : -1;
    }();
    return key != -1 && set_attribute(datatype, key, nullptr) == 0;
}

TypeSignature learn(Word datatype) {
    Shape shape;
    if (datatype == process().datatype_null || !shape_of(datatype, shape)) return {};
    const TypeSignature signature = analysed(datatype);
    const Combiner combiner = combiner_of(shape.combiner);
    const bool lasting = combiner != Combiner::kStruct && combiner != Combiner::kOther;
    if (lasting || watch(datatype)) known().insert(datatype, std::make_unique<TypeSignature>(signature));
    return signature;
}

}  // namespace

TypeSignature type_signature(Word datatype) {
    const TypeSignature* const found = known().find(datatype);
    return found != nullptr ? *found : learn(datatype);
}

TypeSignature repeated(const TypeSignature& one, std::uint64_t count) {
    TypeSignature all = one;
    all.elements *= count;
    all.bytes *= count;
    if (!one.mixed() || count == 1) return all;
    std::uint64_t hash = 0, power = 1, step_hash = one.hash, step = one.power;
    for (; count != 0; count /= 2) {
        if (count % 2 != 0) {
            hash = hash * step + step_hash;
            power *= step;
        }
        step_hash += step_hash * step;
        step *= step;
    }
    all.hash = hash;
    all.power = power;
    return all;
}

TypeSignature joined(const TypeSignature& first, const TypeSignature& second) {
    if (second.elements == 0) return first;
    if (first.elements == 0) return second;
    TypeSignature all = first;
    all.elements += second.elements;
    all.bytes += second.bytes;
    if (!first.mixed() && !second.mixed() && first.hash == second.hash) return all;
    const TypeSignature a = spelled_out(first), b = spelled_out(second);
    all.hash = a.hash * b.power + b.hash;
    all.power = a.power * b.power;
    all.base = Base::kMixed;
    all.width = 0;
    return all;
}

std::uint64_t total_hash(const TypeSignature& all) {
    if (all.elements == 0) return 0;
    return (all.hash ^ (all.elements << 17)) * 0xd6e8feb86659fd93;
}

void describe_data(Signature& into, Word datatype, std::int64_t count) {
    if (count <= 0) return;
    const TypeSignature one = type_signature(datatype);
    if (!one.known) {
        into.flags |= kCountUnknown;
        return;
    }
    const TypeSignature all = one.mixed() ? repeated(one, static_cast<std::uint64_t>(count)) : one;
    const std::uint64_t times = one.mixed() ? 1 : static_cast<std::uint64_t>(count);
    into.base = all.base;
    into.width = all.width;
    into.elements = all.elements * times;
    into.bytes = all.bytes * times;
    into.type_hash = into.elements == 0 ? 0 : (all.hash ^ (into.elements << 17)) * 0xd6e8feb86659fd93;
}

}  // namespace jaxmpi
