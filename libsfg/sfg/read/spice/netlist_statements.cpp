#include "sfg/read/spice/netlist_statements.hpp"

#include <algorithm>
#include <cctype>
#include <set>

#include "sfg/expr/parse.hpp"
#include "sfg/read/spice/netlist_values.hpp"

namespace sfg {

namespace {

bool is_number(const NetlistToken& token) {
  const std::size_t first = token.text.find_first_not_of("+-.");
  return token.kind == NetlistToken::Kind::word && first != std::string::npos &&
         std::isdigit(static_cast<unsigned char>(token.text[first])) != 0;
}

bool is_waveform(const std::string& word) {
  static const std::set<std::string> known{"pulse", "sin", "sine", "exp", "pwl", "sffm", "am", "trnoise", "trrandom"};
  return known.contains(word);
}

/// The last token of a waveform that starts at `i`, its arguments in parentheses or not.
std::size_t end_of_waveform(NetlistTokens rest, std::size_t i) {
  if (i + 1 < rest.size() && rest[i + 1].is('(')) {
    while (i < rest.size() && !rest[i].is(')')) ++i;
    return i;
  }
  while (i + 1 < rest.size() && (is_number(rest[i + 1]) || rest[i + 1].kind == NetlistToken::Kind::expression)) ++i;
  return i;
}

bool is_one(const NetlistToken& token) { return is_number(token) && netlist_number(token.text, token.where).is_equal(1); }

/// The value with which a waveform begins: of SIN its offset, of PULSE and EXP the first level.
std::optional<NetlistToken> beginning(NetlistTokens rest, std::size_t at) {
  static const std::set<std::string> known{"pulse", "sin", "sine", "exp", "sffm", "pwl"};
  const std::string word = lower_case(rest[at].text);
  if (!known.contains(word)) return {};
  const std::size_t first = at + 1 + (at + 1 < rest.size() && rest[at + 1].is('(') ? 1 : 0) + (word == "pwl" ? 1 : 0);
  const bool there = first < rest.size() && rest[first].kind != NetlistToken::Kind::sign;
  return there ? std::optional(rest[first]) : std::nullopt;
}

}  // namespace

bool is_zero(const NetlistToken& token) { return is_number(token) && netlist_number(token.text, token.where).is_zero(); }

void refuse(const NetlistToken& at, std::string message, std::string hint) {
  throw Error(at.where, std::move(message), std::move(hint));
}

void refuse_twice(const NetlistToken& entry) { refuse(entry, "entry '" + entry.text + "' is there twice", "leave one of them"); }

void refuse_comma(const NetlistToken& behind) {
  refuse(behind, "the comma before '" + behind.text + "' separates two entries: no decimal comma is read",
         "write a point, 4.7k, and between two entries a blank");
}

void refuse_decimal_commas(const NetlistStatement& element) {
  static const std::map<char, std::size_t> values{{'r', 3}, {'c', 3}, {'l', 3}, {'v', 3}, {'i', 3}, {'y', 3},
                                                  {'z', 3}, {'k', 3}, {'f', 4}, {'h', 4}, {'e', 5}, {'g', 5}};
  const auto value = values.find(lower_case(element[0].text)[0]);
  if (value == values.end()) return;
  int depth = 0;
  for (std::size_t i = 1; i < element.size(); ++i) {
    if (element[i].is('(')) ++depth;
    if (element[i].is(')')) --depth;
    const bool coefficients = i > 3 && lower_case(element[i - 3].text) == "tc";
    if (i > value->second && depth == 0 && element[i].behind_comma && !coefficients) refuse_comma(element[i]);
  }
}

std::vector<NetlistAssignment> assignments(NetlistTokens rest) {
  std::vector<NetlistAssignment> result;
  std::map<std::string, std::string> given;
  while (!rest.empty()) {
    if (lower_case(rest[0].text) == "params:") {
      rest = rest.subspan(1);
      continue;
    }
    if (rest[0].behind_comma) refuse_comma(rest[0]);
    if (rest.size() < 3 || rest[0].kind != NetlistToken::Kind::word || !rest[1].is('='))
      refuse(rest[0], "entry '" + rest[0].text + "' is not expected here", "parameters are written name=value");
    const auto [known, fresh] = given.emplace(lower_case(rest[0].text), rest[2].text);
    if (known->second != rest[2].text) refuse_twice(rest[0]);
    if (fresh) result.emplace_back(rest[0], rest[2]);
    rest = rest.subspan(3);
  }
  return result;
}

std::size_t positional_count(NetlistTokens tokens) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (lower_case(tokens[i].text) == "params:") return i;
    if (i + 1 < tokens.size() && tokens[i + 1].is('=')) return i;
  }
  return tokens.size();
}

std::size_t model_place(NetlistTokens positional, const std::function<bool(const std::string&)>& is_model) {
  if (positional.size() < 5) return 3;
  const std::string third = lower_case(positional[3].text);
  return is_model(lower_case(positional[4].text)) || (!is_model(third) && (third == "0" || third == "gnd")) ? 4 : 3;
}

NetlistSubcircuit subcircuit(const NetlistStatement& statement) {
  const NetlistTokens rest = NetlistTokens(statement).subspan(1);
  const std::size_t positional = positional_count(rest);
  if (positional < 2) refuse(statement[0], "a subcircuit needs a name and nodes", "write .subckt NAME node1 node2 …");
  NetlistSubcircuit result;
  result.name = rest[0];
  std::set<std::string> ports;
  for (const NetlistToken& port : rest.subspan(1, positional - 1)) {
    const std::string lower = lower_case(port.text);
    if (lower == "0" || lower == "gnd") refuse(port, "ground cannot be a port of a subcircuit", "ground is known inside as 0");
    if (!ports.insert(lower).second) refuse(port, "the port '" + port.text + "' is there twice", "give every port its own name");
    result.ports.push_back(port);
  }
  result.defaults = assignments(rest.subspan(positional));
  return result;
}

std::map<std::string, NetlistToken> given_parameters(const NetlistSubcircuit& subcircuit, NetlistTokens given) {
  std::map<std::string, NetlistToken> stated;
  for (const auto& [name, token] : assignments(given)) {
    const std::string lower = lower_case(name.text);
    if (std::ranges::none_of(subcircuit.defaults, [&](const auto& known) { return lower_case(known.first.text) == lower; }))
      refuse(name, "the subcircuit '" + subcircuit.name.text + "' has no parameter '" + name.text + "'",
             "state it, with a default, in the .subckt line");
    stated.emplace(lower, token);
  }
  return stated;
}

std::size_t count_before_parameters(const NetlistToken& instance, NetlistTokens rest) {
  const std::size_t positional = positional_count(rest);
  if (positional < 2)
    refuse(instance, "instance '" + instance.text + "' needs nodes and the name of a subcircuit",
           "write NAME node1 node2 … SUBCIRCUIT");
  return positional;
}

void check_nodes(const NetlistToken& instance, std::size_t nodes, const NetlistSubcircuit& subcircuit) {
  if (nodes == subcircuit.ports.size()) return;
  refuse(instance,
         "instance '" + instance.text + "' has " + std::to_string(nodes) + " nodes, but the subcircuit '" + subcircuit.name.text +
             "' has " + std::to_string(subcircuit.ports.size()),
         "give one node for each of its ports");
}

void leave_out_letter(const NetlistToken& element, std::vector<NetlistToken>& rest) {
  if (rest.size() > 4 && rest[3].is('=') && lower_case(rest[2].text) == lower_case(element.text).substr(0, 1))
    rest.erase(rest.begin() + 2, rest.begin() + 4);
}

std::optional<NetlistToken> model_behind_value(NetlistTokens rest) {
  if (rest.size() < 4 || (rest.size() > 4 && rest[4].is('='))) return {};
  return rest[3].kind == NetlistToken::Kind::word && is_name(rest[3].text) ? std::optional(rest[3]) : std::nullopt;
}

void refuse_kinds_of_sources(NetlistTokens rest) {
  static const std::set<std::string> kinds{"poly", "value", "table", "laplace"};
  for (const NetlistToken& token : rest)
    if (kinds.contains(lower_case(token.text)))
      refuse(token, "sources of the kind '" + token.text + "' are not read",
             "write the gain as a number, a name or {an expression in s}");
}

LimitReached too_many_elements(std::size_t most, const NetlistToken& first_too_many, const SourceSpan& circuit) {
  const SourceSpan& where = first_too_many.where;
  const bool included = where.file && circuit.file && *where.file != *circuit.file;
  return LimitReached("the circuit has more than " + std::to_string(most) + " elements and instances in line " +
                          std::to_string(where.line) + (included ? " of '" + *where.file + "'" : ""),
                      "study a part of it");
}

std::string nearest_subcircuit(const std::string& name, const std::map<std::string, NetlistSubcircuit>& subcircuits) {
  std::vector<std::string> names;
  for (const auto& [lower, subcircuit] : subcircuits) names.push_back(subcircuit.name.text);
  const std::string near = nearest(name, names);
  return near.empty() ? "define it with .subckt in this file; GYRATOR, TRANSFORMER and TRIODE are known"
                      : "did you mean '" + near + "'?";
}

StatedSource stated_source(NetlistTokens rest) {
  StatedSource result;
  std::optional<NetlistToken> dc, ac;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const std::string word = lower_case(rest[i].text);
    if ((is_waveform(word) && result.waveform) || (word == "ac" && ac)) refuse_twice(rest[i]);
    if (is_waveform(word)) {
      result.waveform = rest[i];
      result.rest = beginning(rest, i);
      i = end_of_waveform(rest, i);
    } else if (word == "ac") {
      ac = rest[i];
      const bool sized = i + 1 < rest.size() && (is_number(rest[i + 1]) || rest[i + 1].kind == NetlistToken::Kind::expression);
      result.ac = !sized || !is_zero(rest[i + 1]);
      const bool turned = sized && i + 2 < rest.size() && is_number(rest[i + 2]);
      if (result.ac && ((sized && !is_one(rest[i + 1])) || (turned && !is_zero(rest[i + 2])))) result.scaled = ac;
      i += (sized ? 1 : 0) + (turned ? 1 : 0);
    } else if (word != "dc") {
      if (dc || rest[i].kind == NetlistToken::Kind::sign)
        refuse(rest[i], "entry '" + rest[i].text + "' is not expected here", "write DC value or AC value");
      dc = rest[i];
      if (dc->kind == NetlistToken::Kind::word && !is_name(dc->text)) netlist_number(dc->text, dc->where);
    }
  }
  result.zero = !result.ac && !result.waveform && dc && is_zero(*dc);
  if (dc) result.rest = dc;
  return result;
}

bool follows_ac_or_dc(const NetlistToken& sign, NetlistTokens before) {
  if (!sign.is('=') || before.empty()) return false;
  const std::string word = lower_case(before.back().text);
  return word == "ac" || word == "dc";
}

StatedProbe stated_probe(NetlistTokens rest) {
  const std::string kind = lower_case(rest[0].text);
  static const std::set<std::string> parts{"", "m", "p", "r", "i", "db"};
  if ((kind[0] != 'v' && kind[0] != 'i') || !parts.contains(kind.substr(1)))
    refuse(rest[0], "output '" + rest[0].text + "' is neither a voltage nor a current",
           "write v(node), v(node1,node2) or i(element)");
  std::size_t end = 2;
  while (end < rest.size() && !rest[end].is(')')) ++end;
  StatedProbe result;
  result.voltage = kind[0] == 'v';
  if (end < rest.size()) result.names.assign(rest.begin() + 2, rest.begin() + static_cast<std::ptrdiff_t>(end));
  if (result.names.empty() || result.names.size() > (result.voltage ? 2U : 1U))
    refuse(rest[0], "output '" + rest[0].text + "(…)' is not complete", "write v(node), v(node1,node2) or i(element)");
  result.length = end + 1;
  return result;
}

bool reads_as_element(const NetlistStatement& title, const std::map<std::string, std::string>& nodes,
                      const std::map<std::string, std::size_t>& elements) {
  constexpr std::string_view with_two_nodes = "rclvi";
  if (title.size() < 4 || with_two_nodes.find(lower_case(title[0].text)[0]) == std::string_view::npos) return false;
  const auto is_node = [&](const NetlistToken& word) {
    const std::string lower = lower_case(word.text);
    return lower == "0" || lower == "gnd" || nodes.contains(lower);
  };
  const std::string entry = lower_case(title[3].text);
  const bool valued = is_number(title[3]) || title[3].is('=') || entry == "ac" || entry == "dc";
  return is_node(title[1]) && is_node(title[2]) && valued && !elements.contains(lower_case(title[0].text));
}

void name_the_title(const NetlistToken& first, const std::string& title, bool has_source, std::vector<Diagnostic>& problems) {
  const std::string reason = "the first line, '" + title + "', is the title of a netlist: put a title line above it";
  const char letter = lower_case(first.text)[0];
  if (problems.empty() && (letter == 'v' || letter == 'i') && !has_source)
    problems.push_back({first.where, "the circuit has no source, and '" + first.text + "' is none: " + reason, ""});
  for (Diagnostic& problem : problems)
    if (problem.message.find("'" + first.text + "'") != std::string::npos && !problem.hint.empty()) problem.hint = reason;
}

std::string hint_for_element(char letter) {
  if (letter == 'j')
    return "take the values that a simulator finds at its operating point, or write its small-signal model as a subcircuit "
           "(.subckt) and use it as X…";
  return "known are R L C V I E F G H K O X D B Q M T Y Z";
}

void require(const NetlistToken& name, NetlistTokens rest, std::size_t count, const char* form) {
  if (rest.size() < count) refuse(name, "element '" + name.text + "' needs more entries", std::string("write ") + form);
}

}  // namespace sfg
