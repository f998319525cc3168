#include "sfg/read/spice/netlist_entries.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sfg {

namespace {

using Part = ElementEntries::Part;
using Place = Part::Place;

struct KnownPart {
  const char* name;
  Circuit::Kind kind;
  Place place;
  const char* elements;  ///< the letters that may have it
};

/// In the order in which the parts are put together.
constexpr KnownPart known_parts[] = {
    {"Rser", Circuit::Kind::resistor, Place::series, "clv"},  {"Lser", Circuit::Kind::inductor, Place::series, "c"},
    {"RLshunt", Circuit::Kind::resistor, Place::shunt, "c"},  {"Rpar", Circuit::Kind::resistor, Place::across, "cl"},
    {"Cpar", Circuit::Kind::capacitor, Place::across, "clv"},
};

/// What is known of an element, for the hint.
std::string hint_of(char letter) {
  if (letter == 'g') return "a controlled source has nodes and a gain, and G may have noise=\"density\"";
  if (letter == 'y' || letter == 'z') return "an immittance has nodes and an expression in s, and may have noise=\"density\"";
  if (letter == 'i') return "a source has nodes, DC and AC values, and may have noise=\"density\"";
  if (letter == 'v') return "a source has nodes, DC and AC values, and may have noise=\"density\", Rser= and Cpar=";
  std::string known = "m=, ";
  for (const KnownPart& part : known_parts)
    if (std::string_view(part.elements).find(letter) != std::string_view::npos) known += std::string(part.name) + "=, ";
  if (letter == 'r') known += "noisy=, ";
  return "an element has nodes and a value; known are " + known + "IC=, TC1= and TC2=";
}

/// Ratings, makers and limits: they say which part to buy.
bool describes_the_part(const std::string& word) {
  static const std::set<std::string> known{"v", "irms", "ipk", "mfg", "pn", "type", "tol", "pwr", "power"};
  return known.contains(word);
}

/// An entry that changes nothing in a linear analysis; nothing for any other.
std::optional<Diagnostic> left_out(const NetlistToken& key, const std::string& word) {
  if (word == "ic")
    return Diagnostic{key.where, "initial conditions have no meaning for transfer functions and are ignored", "",
                      Severity::remark};
  return {};
}

/// PWL file=x.txt, wavefile=x.wav chan=0: signals over time.
std::optional<Diagnostic> left_out_of_source(const NetlistToken& key, const std::string& word) {
  if (word != "file" && word != "wavefile" && word != "chan") return {};
  return Diagnostic{key.where, "entry '" + key.text + "' is of a waveform and has no meaning for transfer functions", "",
                    Severity::remark};
}

/// TC=a,b is TC1=a TC2=b.
std::vector<NetlistToken> with_both_coefficients(NetlistTokens rest) {
  std::vector<NetlistToken> result;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    result.push_back(rest[i]);
    if (lower_case(rest[i].text) != "tc" || i + 2 >= rest.size() || !rest[i + 1].is('=')) continue;
    result.back().text = "TC1";
    result.insert(result.end(), {rest[i + 1], rest[i + 2]});
    i += 2;
    const bool second = i + 1 < rest.size() && (i + 2 == rest.size() || !rest[i + 2].is('='));
    if (!second) continue;
    NetlistToken key = rest[i + 1], sign = key;
    key.text = "TC2", key.behind_comma = false;
    sign.text = "=", sign.kind = NetlistToken::Kind::sign;
    result.insert(result.end(), {key, sign, rest[++i]});
  }
  return result;
}

std::optional<NetlistToken>* temperature_entry(ElementEntries::Temperature& temperature, const std::string& word) {
  if (word == "tc1") return &temperature.first;
  if (word == "tc2") return &temperature.second;
  if (word == "temp") return &temperature.own;
  return word == "dtemp" ? &temperature.beside : nullptr;
}

}  // namespace

ElementEntries element_entries(const NetlistToken& element, NetlistTokens rest, std::vector<Diagnostic>& notes) {
  const char letter = lower_case(element.text)[0];
  const bool source = std::string_view("vigyz").find(letter) != std::string_view::npos;
  ElementEntries result;
  std::string described;
  SourceSpan described_at;
  std::map<std::string, const KnownPart*> parts;
  for (const KnownPart& part : known_parts)
    if (std::string_view(part.elements).find(letter) != std::string_view::npos) parts.emplace(lower_case(part.name), &part);
  std::set<std::string> given;
  for (const auto& [key, value] : assignments(with_both_coefficients(rest))) {
    const std::string word = lower_case(key.text);
    given.insert(word);
    if (source && word == "noise") {
      result.noise = value;
    } else if (letter == 'r' && (word == "noisy" || word == "noise")) {
      if (value.text != "0" && value.text != "1")
        refuse(value, "entry '" + key.text + "=" + value.text + "' is neither 0 nor 1", "noisy=0 is a resistor without noise");
      result.noiseless = value.text == "0";
    } else if (auto* entry = source ? nullptr : temperature_entry(result.temperature, word)) {
      *entry = value;
    } else if (!source && word == "m") {
      result.multiplicity = value;
    } else if (!source && word == "scale") {
      result.scale = value;
    } else if (const auto part = parts.find(word); part != parts.end()) {
      if (part->second->kind == Circuit::Kind::resistor && part->second->place != Place::series && is_zero(value))
        refuse(value, "a resistance of 0 across an element", "leave the element out, or the entry");
      if (!is_zero(value)) result.parts.push_back({part->second->name, part->second->kind, part->second->place, key, value});
    } else if (!source && describes_the_part(word)) {
      described += (described.empty() ? "" : ", ") + key.text;
      if (described_at.line == 0) described_at = key.where;
    } else if (auto note = source ? left_out_of_source(key, word) : left_out(key, word)) {
      notes.push_back(std::move(*note));
    } else {
      refuse(key, "unknown entry '" + key.text + "'", hint_of(letter));
    }
  }
  if (!described.empty())
    notes.push_back({described_at, "what describes the part '" + element.text + "' has no meaning for its signals: " + described,
                     "", Severity::note});
  const ElementEntries::Temperature& own = result.temperature;
  if (own.own || own.beside) {
    const bool scaled = own.first || own.second;
    notes.push_back({(own.own ? own.own : own.beside)->where,
                     "the temperature of '" + element.text + "' alone counts in its " +
                         (scaled ? "TC1 and TC2, not in its noise" : "TC1 and TC2, and it has none: it is left out"),
                     "", Severity::remark});
  }
  const auto order = [&](const Part& part) {
    return std::ranges::find(known_parts, part.name, [](const KnownPart& known) { return std::string(known.name); });
  };
  std::ranges::sort(result.parts, [&](const Part& a, const Part& b) { return order(a) < order(b); });
  if (given.contains("rlshunt") && !given.contains("lser")) {
    const auto shunt = std::ranges::find(result.parts, Place::shunt, &Part::place);
    if (shunt != result.parts.end()) refuse(shunt->key, "RLshunt is across Lser, and there is none", "add Lser=");
  }
  return result;
}

void make_noiseless(Circuit::Element& resistor) {
  resistor.kind = Circuit::Kind::vccs;
  resistor.value = 1 / resistor.value;
  for (std::size_t i = 0; i < 2; ++i) resistor.nodes.push_back(resistor.nodes[i]);
}

}  // namespace sfg
