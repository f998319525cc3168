#pragma once
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/read/spice/netlist.hpp"

namespace sfg {

using NetlistTokens = std::span<const NetlistToken>;
using NetlistAssignment = std::pair<NetlistToken, NetlistToken>;

/// Throws sfg::Error at the token.
[[noreturn]] void refuse(const NetlistToken& at, std::string message, std::string hint);

/// Refuses an element with fewer entries than its form has.
void require(const NetlistToken& element, NetlistTokens rest, std::size_t count, const char* form);

/// Refuses an entry that has a value already.
[[noreturn]] void refuse_twice(const NetlistToken& entry);
[[noreturn]] void refuse_comma(const NetlistToken& behind);
/// Refuses 4,7k as a value: a comma between digits, without blanks.
void refuse_decimal_commas(const NetlistStatement& element);

/// True of a number that is 0.
bool is_zero(const NetlistToken&);

/// "name=value" pairs up to the end of a statement; the word "params:" before them is passed over. One that is there twice with
/// the same text counts once; with another one it is refused.
std::vector<NetlistAssignment> assignments(NetlistTokens rest);
/// How many tokens come before the first "name=".
std::size_t positional_count(NetlistTokens);

/// Where the model of a transistor stands of which the fourth node, the substrate, may be left out: behind three nodes or four.
/// Of one whose model is missing a ground in that place is the fourth node: 0 2N3904, not a model 0 with an area.
std::size_t model_place(NetlistTokens positional, const std::function<bool(const std::string& lower)>& is_model);

/// .subckt NAME ports… [name=default …]
struct NetlistSubcircuit {
  NetlistToken name;
  std::vector<NetlistToken> ports;
  std::vector<NetlistAssignment> defaults;
  std::vector<NetlistStatement> body;
};
NetlistSubcircuit subcircuit(const NetlistStatement&);
/// What an instance gives for its parameters, by name in lower case.
std::map<std::string, NetlistToken> given_parameters(const NetlistSubcircuit&, NetlistTokens given);
/// How many tokens of an instance come before its parameters: nodes and the name of the subcircuit.
std::size_t count_before_parameters(const NetlistToken& instance, NetlistTokens rest);
/// Refuses an instance with another number of nodes than its subcircuit.
void check_nodes(const NetlistToken& instance, std::size_t nodes, const NetlistSubcircuit&);
/// What to do about a name that no subcircuit has.
std::string nearest_subcircuit(const std::string& name, const std::map<std::string, NetlistSubcircuit>&);

/// What follows the nodes of V and I: [DC] value, AC [magnitude [phase]], PULSE(…) and the like.
struct StatedSource {
  bool ac = false;                       ///< an AC value that is not 0
  bool zero = false;                     ///< a value of 0 and nothing else: an ammeter, say
  std::optional<NetlistToken> scaled;    ///< an AC value other than 1, or with a phase
  std::optional<NetlistToken> waveform;  ///< PULSE, SIN and the like, which are of simulations in time
  std::optional<NetlistToken> rest;      ///< what it is at rest: the DC value, else where the waveform begins
};
StatedSource stated_source(NetlistTokens rest);
/// The sign in AC=1, which says no more than AC 1.
bool follows_ac_or_dc(const NetlistToken& sign, NetlistTokens before);

/// v(node), v(node1,node2), i(element) at the front of the tokens; also vm vp vr vi vdb and so on.
struct StatedProbe {
  bool voltage = true;
  std::vector<NetlistToken> names;
  std::size_t length = 0;  ///< in tokens
};
StatedProbe stated_probe(NetlistTokens rest);

/// NAME node node value between nodes of the circuit, and a name that it does not have: what a title should not be.
/// @param nodes, elements  by name in lower case.
bool reads_as_element(const NetlistStatement& title, const std::map<std::string, std::string>& nodes,
                      const std::map<std::string, std::size_t>& elements);

/// Where the first word of the title is missed as an element, the reason is added to the problems.
void name_the_title(const NetlistToken& first, const std::string& title, bool has_source, std::vector<Diagnostic>& problems);

/// R1 a b R=4.7k is R1 a b 4.7k. @param rest  nodes and value
void leave_out_letter(const NetlistToken& element, std::vector<NetlistToken>& rest);
/// The model in R1 a b 10k MODEL TC1=…; nothing where there is none.
std::optional<NetlistToken> model_behind_value(NetlistTokens rest);
/// Refuses POLY, TABLE and the like.
void refuse_kinds_of_sources(NetlistTokens rest);
LimitReached too_many_elements(std::size_t most, const NetlistToken& first_too_many, const SourceSpan& circuit);

/// What to do about an element letter that is not read.
std::string hint_for_element(char letter);

}  // namespace sfg
