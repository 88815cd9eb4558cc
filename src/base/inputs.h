#pragma once

#include "base/declared.h"
#include "base/metadata.h"

// Bodies of POST and PATCH that follow from their record. The record's header says which members a caller may send, in
// the order of the API's description; all others are set by the server:
//
//   using ProductInputs = Inputs<Required<&Product::name, Text<>>, Optional<&Product::description>,
//                                Defaulted<&Product::is_active>, Merged<&Product::metadata>>;
//   struct NewProduct : New<ProductInputs> {};
//   struct ProductPatch : Patch<ProductInputs> {};
//
// The second argument of a role is the type that checks the value, where that is not the member's own.
namespace guildhall {

namespace detail {

template <class T>
struct MemberPointer;

template <class R, class M>
struct MemberPointer<M R::*> {
  using Record = R;
  using Type = M;
};

template <auto Member>
using TypeOfMember = typename MemberPointer<decltype(Member)>::Type;

template <class T>
struct WithoutOptional {
  using Type = T;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
  using Type = T;
};

template <auto A, auto B>
constexpr bool same_member() {
  if constexpr (std::is_same_v<decltype(A), decltype(B)>) {
    return A == B;
  } else {
    return false;
  }
}

template <auto Member, template <class...> class List, class... Described>
constexpr std::string_view key_in(List<Described...>) {
  std::string_view key;
  ((same_member<Member, Described::pointer>() ? void(key = JsonKey<Described>::text) : void()), ...);
  return key;
}

enum class HowApplied { set, merged, fixed, by_code };

// How a caller may send a member. `required` is about a POST, `nullable` about a PATCH.
template <auto Member, class Type, bool is_required, bool is_nullable, HowApplied how = HowApplied::set>
struct Role {
  using Record = typename MemberPointer<decltype(Member)>::Record;
  using Checked = Type;
  static constexpr auto member = Member;
  static constexpr bool required = is_required, nullable = is_nullable, in_new = true, in_patch = true;
  static constexpr HowApplied applied = how;
};

}  // namespace detail

// A POST must have it; a PATCH may not set it to null.
template <auto Member, class Checked = detail::TypeOfMember<Member>>
struct Required : detail::Role<Member, Checked, true, false> {};

// Absent from a POST, or null: there is none.
template <auto Member, class Checked = typename detail::WithoutOptional<detail::TypeOfMember<Member>>::Type>
struct Optional : detail::Role<Member, Checked, false, true> {
  static_assert(
      requires(detail::TypeOfMember<Member> value) { value.reset(); },
      "an Optional member is a std::optional: say Defaulted for one that has a default");
};

// Absent from a POST, or null: the member's initialiser in the record.
template <auto Member, class Checked = detail::TypeOfMember<Member>>
struct Defaulted : detail::Role<Member, Checked, false, true> {};

// Metadata: a PATCH keeps the keys that it does not name.
template <auto Member>
struct Merged : detail::Role<Member, MetadataChange, false, true, detail::HowApplied::merged> {};

// A POST must have it; a PATCH may only repeat it.
template <auto Member>
struct Fixed : detail::Role<Member, detail::TypeOfMember<Member>, true, false, detail::HowApplied::fixed> {};

// A POST need not have it, and code applies that of a PATCH (`gives`): a status, since not every move is allowed.
template <auto Member, class Checked = detail::TypeOfMember<Member>>
struct ByCode : detail::Role<Member, Checked, false, false, detail::HowApplied::by_code> {};

// The role is that of a POST alone, or of a PATCH alone.
template <class Role>
struct OnlyNew : Role {
  static constexpr bool in_patch = false;
};
template <class Role>
struct OnlyPatch : Role {
  static constexpr bool in_new = false;
};

namespace detail {

template <class List>
struct InputBody {
  using Inputs = List;
  using Record = typename List::Record;

  Record record{};  // has the members that were given; all others are as they are initialised
  Change<std::optional<MetadataChange>> metadata{};
  std::uint64_t given = 0, cleared = 0;  // by places in the list

  template <auto Member>
  static constexpr std::uint64_t bit() {
    constexpr int place = List::template place<Member>();
    static_assert(place >= 0, "the record's Inputs do not name this member");
    return std::uint64_t{1} << place;
  }

  template <auto Member>
  bool gives() const {
    return (given & bit<Member>()) != 0;
  }
  template <auto Member>
  bool clears() const {
    return (cleared & bit<Member>()) != 0;
  }

  // Decodes a member; `Given` is its checked type, or that type's optional.
  template <class Role, class Given>
  void decode(JsonValue value, Decoder& decoder) {
    Given input{};
    const std::size_t problems = decoder.problem_count();
    Codec<Given>::decode(value, input, decoder);
    if (decoder.problem_count() > problems) return;  // a wrong value changes nothing
    if constexpr (Role::applied == HowApplied::merged) {
      metadata.value.emplace(std::move(input));
      guildhall::apply(metadata, record.*Role::member);
    } else if constexpr (std::is_same_v<Given, typename Role::Checked>) {
      assign(record.*Role::member, input);
      given |= bit<Role::member>();
    } else if (input) {
      assign(record.*Role::member, *input);
      given |= bit<Role::member>();
    } else {
      cleared |= bit<Role::member>();
    }
  }

 private:
  template <class Target, class Checked>
  static void assign(Target& target, Checked& value) {
    if constexpr (requires { target = std::move(value.value); }) {
      target = std::move(value.value);  // Text<> into std::string
    } else if constexpr (requires { target.value = std::move(value.value); }) {
      target.value = std::move(value.value);  // a secret that is written and never shown
    } else if constexpr (!std::is_assignable_v<Target&, Checked> &&
                         requires { target.assign(value.begin(), value.end()); }) {
      target.assign(value.begin(), value.end());  // a list of Text<> into one of std::string
    } else {
      static_assert(std::is_assignable_v<Target&, Checked>, "the type that checks this member does not fit its type");
      target = std::move(value);
    }
  }
};

}  // namespace detail

// The body of a POST.
template <class List>
struct New : detail::InputBody<List> {
  // The record as it is first stored.
  typename List::Record made(const TenantId& tenant, Instant now) const {
    auto made = this->record;
    made.id = decltype(made.id)::make(now);
    made.tenant_id = tenant;
    made.created_at = made.updated_at = now;
    made.version = {1};
    return made;
  }
};

// The body of a PATCH.
template <class List>
struct Patch : detail::InputBody<List> {
  // Writes what was given over the members of the record. Members that are null get their initialiser back. Throws
  // Failure invalid that names every Fixed member with another value.
  void apply_to(typename List::Record& target) const {
    std::vector<Problem> problems;
    List::check_fixed(*this, target, problems);
    if (!problems.empty()) throw invalid_fields(std::move(problems));
    List::apply(*this, target);
  }
};

template <class List>
void apply(const Patch<List>& patch, typename List::Record& record) {
  patch.apply_to(record);
}

namespace detail {

template <class S>
constexpr bool is_new = std::derived_from<S, New<typename S::Inputs>>;

template <class S, class Role>
constexpr bool is_in = is_new<S> ? Role::in_new : Role::in_patch;

template <class S, class Role>
constexpr Field input_row() {
  using R = typename S::Record;
  static_assert(std::is_same_v<typename Role::Record, R>, "the Inputs of a record name only its own members");
  constexpr std::string_view key = key_in<Role::member>(Members<R>{});
  static_assert(!key.empty(), "BOOST_DESCRIBE_STRUCT of the record does not name this member");
  constexpr bool is_optional = is_new<S> ? !Role::required : Role::nullable;
  using Given = std::conditional_t<is_optional, std::optional<typename Role::Checked>, typename Role::Checked>;
  return {.key = key,
          .column = {},
          .required = Role::required && is_new<S>,
          .hidden = false,
          .decode =
              [](JsonValue value, void* object, Decoder& decoder) {
                if (!is_optional && value.is_null()) return decoder.problem("must not be null");
                static_cast<S*>(object)->template decode<Role, Given>(value, decoder);
              },
          .encode =
              [](std::string& out, const void* object) {
                Codec<TypeOfMember<Role::member>>::encode(out, static_cast<const S*>(object)->record.*Role::member);
              },
          .schema = [](Schema& schema) { Codec<Given>::schema(schema); }};
}

}  // namespace detail

template <class... Roles>
struct Inputs {
  using Record = typename boost::mp11::mp_front<boost::mp11::mp_list<Roles...>>::Record;

  // The place of a member; -1 if a caller may not send it.
  template <auto Member>
  static constexpr int place() {
    int found = -1, next = 0;
    ((detail::same_member<Member, Roles::member>() ? void(found = next++) : void(next++)), ...);
    return found;
  }

  template <class S>
  static constexpr auto rows = [] {
    std::array<Field, (std::size_t{detail::is_in<S, Roles>} + ...)> all{};
    std::size_t next = 0;
    ((detail::is_in<S, Roles> ? void(all[next++] = detail::input_row<S, Roles>()) : void()), ...);
    return all;
  }();

  template <class Body>
  static void check_fixed(const Body& body, const Record& target, std::vector<Problem>& problems) {
    const auto check = [&]<class Role>(Role) {
      if constexpr (Role::applied == detail::HowApplied::fixed) {
        if (!body.template gives<Role::member>() || body.record.*Role::member == target.*Role::member) return;
        constexpr std::string_view key = detail::key_in<Role::member>(detail::Members<Record>{});
        problems.push_back({std::string(key), "cannot be changed"});
      }
    };
    (check(Roles{}), ...);
  }

  template <class Body>
  static void apply(const Body& body, Record& target) {
    const auto apply_one = [&]<class Role>(Role) {
      if constexpr (Role::applied == detail::HowApplied::merged) {
        guildhall::apply(body.metadata, target.*Role::member);
      } else if constexpr (Role::applied == detail::HowApplied::set && Role::in_patch) {
        constexpr std::uint64_t bit = Body::template bit<Role::member>();
        if (((body.given | body.cleared) & bit) != 0) target.*Role::member = body.record.*Role::member;
      }
    };
    (apply_one(Roles{}), ...);
  }
};

template <class S>
concept DerivedInput = requires { typename S::Inputs; } && std::derived_from<S, detail::InputBody<typename S::Inputs>>;

template <DerivedInput S>
constexpr std::span<const Field> fields_of() {
  return S::Inputs::template rows<S>;
}

template <DerivedInput S>
struct Codec<S> : PlainCodec {
  static void decode(JsonValue value, S& out, Decoder& decoder) {
    decode_object(value, &out, fields_of<S>(), fields_of<typename S::Record>(), decoder);
  }
  static void encode(std::string& out, const S& value) { encode_object(out, &value, fields_of<S>()); }
  static void schema(Schema& schema) { schema.component(detail::type_name<S>(), fields_of<S>()); }
};

}  // namespace guildhall
