#pragma once
#include <ginac/ex.h>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

/// What kind of across and through variable a part of a network has (Firestone 1933: masses are capacitors).
enum class Domain : std::uint8_t {
  translation,  ///< across: displacement x, m; through: force, N
  rotation,     ///< across: angle x, rad; through: torque, N m
  electrical,   ///< across: voltage v, V; through: current, A
  hydraulic,    ///< across: pressure v, Pa; through: volume flow, m³/s
  thermal,      ///< across: temperature v, K; through: heat flow, W
};
const char* to_string(Domain);
/// Whether the across variable of the graph is a displacement, whose rate is what through times makes power; else it is itself.
bool is_mechanical(Domain);
/// The unit of v of that domain, and of its through variable.
const char* rate_unit(Domain);
const char* through_unit(Domain);

/// One row of the table of elements.
struct ElementKind {
  enum class Role : std::uint8_t {
    inertia,         ///< one-port that refers to the reference: the mass
    passive,         ///< any other one-port with a value or a law
    through_source,  ///< gives a force to its first node, takes it from the second
    across_source,   ///< prescribes how far its first node is from its second
    transformer,     ///< two-port: v₁ = ratio·v₂, f₂ = −ratio·f₁
    gyrator,         ///< two-port: v₁ = −ratio·f₂, v₂ = ratio·f₁
    piston,          ///< two-port: f₁ = ratio·v₂, f₂ = −ratio·v₁
  };
  std::string_view name;  ///< the type in a file
  Role role = Role::passive;
  std::array<unsigned, 2> domains{};  ///< of the ports: a bit 1 << Domain for each one possible
  int power = 0;                      ///< of the operator: f = value^±1 · p^power · v, or of a source v = p^power · input
  bool divides = false;               ///< the value is in the denominator: a resistance, an inductance
  bool lawful = false;                ///< a law may stand for the value
  std::array<std::string_view, 2> unit{};  ///< of the value, or of the input; the second is that of a shaft

  bool two_port() const noexcept { return role >= Role::transformer; }
  bool source() const noexcept { return role == Role::through_source || role == Role::across_source; }
  friend bool operator==(const ElementKind&, const ElementKind&) = default;
};
/// All of them, in the order of domains.
std::span<const ElementKind> element_kinds();

/// A network of lumped elements between points with a common motion (Wojnarowski and Świder 1978): its polar graph has these
/// points as vertices, "0" being the reference, and an edge for every one-port. Orientation: the across variable of an element is
/// that of its first node less that of its second; its through variable is taken from the first node and given to the second.
struct PolarNetwork {
  struct Element {
    std::string name;
    ElementKind kind;
    std::vector<std::string> nodes = {};  ///< two; of a two-port four, port by port
    GiNaC::ex value = 1;                  ///< or the ratio; of a source it has no meaning
    std::optional<GiNaC::ex> law = {};    ///< through variable as an expression of u (across), v (its rate) and t
    SourceSpan where = {};
    SourceSpan value_where = {};  ///< of the value, ratio or law
  };

  std::string title = {};
  Operator op = "p";
  SymbolTable symbols;
  std::vector<Element> elements = {};
  std::vector<std::string> inputs = {};   ///< names of sources; empty: all of them
  std::vector<std::string> outputs = {};  ///< signals, or expressions linear in signals
  SourceSpan where = {};

  /// The sources, in their order.
  std::vector<const Element*> sources() const;
  /// The vertices in the order of their first appearance, without the reference.
  std::vector<std::string> nodes() const;
  /// The domain of every vertex, as far as its elements state it, else translation.
  std::map<std::string, Domain> domains() const;
};

inline constexpr std::string_view reference_node = "0";

/// "x(1)", "f(b1)", of a port "f(G.2)".
std::string signal_name(char variable, const std::string& of);
std::string port_name(const std::string& element, std::size_t port);

/// The signals that can be asked for beside the sources: x, v, a of nodes and elements, f of elements.
std::vector<std::string> signal_names(const PolarNetwork&);

/// What is wrong with the network as such, whatever its values: names, nodes, domains, parts without a connection.
std::vector<Diagnostic> problems(const PolarNetwork&);

}  // namespace sfg
