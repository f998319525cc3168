#include "sfg/draw/graph/shown_names.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

namespace sfg {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_plain(char c) { return is_upper(c) || is_lower(c) || is_digit(c); }
bool all_plain(std::string_view text) { return !text.empty() && std::ranges::all_of(text, is_plain); }
std::string lower(std::string_view text) {
  std::string made(text);
  std::ranges::transform(made, made.begin(), [](char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; });
  return made;
}
template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::ranges::find(list, text) != list.end();
}

// Words of two letters, units, abbreviations of filters, and beginnings of Greek letters.
constexpr std::array<std::string_view, 57> words{
    "in", "is", "it", "if", "as", "at", "an", "am", "be", "by", "up", "us", "go", "do", "no", "on", "or", "of", "to",
    "me", "my", "we", "he", "so", "ok", "hi", "lo", "ac", "dc", "hp", "lp", "bp", "ap", "pi", "mu", "nu", "xi", "ln",
    "al", "ga", "ep", "rh", "th", "ph", "om", "ze", "ka", "la", "ta", "ps", "si", "tf", "ms", "kg", "km", "cm", "mm"};
constexpr std::array<std::string_view, 24> capital_words{"In", "On", "Of", "If", "It", "At", "As", "To", "No", "Or", "Up", "Go",
                                                         "By", "So", "IN", "ON", "OF", "NO", "OR", "UP", "AC", "DC", "HP", "LP"};
constexpr std::array<std::string_view, 34> endings{"in",  "out", "ref", "dd", "cc",  "be", "ce",  "bc",  "gs",   "gd", "ds", "bb",
                                                   "ss",  "ee",  "th",  "oc", "sc",  "eq", "max", "min", "off",  "on", "cm", "dm",
                                                   "err", "fb",  "dc",  "ac", "rms", "pi", "mu",  "src", "load", "tot"};

/// Of a transistor in small signals: gm, ro, rpi, Cmu.
std::optional<std::pair<std::string, std::string>> small_signal(std::string_view stem) {
  static constexpr std::array<std::string_view, 22> known{"gm",  "gds", "gmb", "gmbs", "go",  "gpi", "gmu", "ro",
                                                          "rpi", "rmu", "rb",  "rc",   "re",  "rx",  "cpi", "cmu",
                                                          "cgs", "cgd", "cds", "cbe",  "cbc", "rds"};
  if (!is_one_of(lower(stem), known) || std::ranges::any_of(stem.substr(1), is_upper)) return std::nullopt;
  const bool capacitance = lower(stem).front() == 'c';
  return std::pair{std::string(capacitance ? "C" : stem.substr(0, 1)), lower(stem.substr(1))};
}

/// "XQ10" is transistor 10: what stands after the letters of its kind.
std::string_view number_of_device(std::string_view device) {
  std::size_t at = 0;
  while (at < device.size() && device[at] == 'X') ++at;
  if (at < device.size() && (device[at] == 'Q' || device[at] == 'M' || device[at] == 'J')) ++at;
  return at < device.size() && is_digit(device[at]) && all_plain(device.substr(at)) ? device.substr(at) : std::string_view();
}

/// A letter and what stands below it: "Vin", "KP", "Jxy", "V1o"; nothing where the name may be a word.
std::optional<std::pair<std::string, std::string>> letter_and_rest(std::string_view name, std::string_view operator_symbol) {
  if (name.size() < 2 || !all_plain(name) || is_digit(name.front()) || name.substr(0, 1) == operator_symbol) return std::nullopt;
  const std::string rest(name.substr(1)), small = lower(rest);
  const auto made = std::pair{std::string(name.substr(0, 1)), rest};
  if (is_digit(name.back())) return std::nullopt;  // x12, and th1: the grammar's
  if (is_one_of(name, words) || is_one_of(name, capital_words)) return std::nullopt;
  constexpr std::string_view stems_of_two = "abcefgikmqrtuvwxy", stems = "VIRCLGJZYKPQ";
  if (name.size() == 2)
    return is_upper(name.front()) || (stems_of_two.find(name.front()) != std::string_view::npos && is_lower(name.back()))
               ? std::optional(made)
               : std::nullopt;
  if (!is_upper(name.front())) {
    constexpr std::string_view signals = "vir";
    return signals.find(name.front()) != std::string_view::npos && is_one_of(small, endings) ? std::optional(made) : std::nullopt;
  }
  if (is_one_of(small, endings) && stems.find(name.front()) != std::string_view::npos) return made;
  constexpr std::string_view vowels = "aeiou";
  const bool capitals = std::ranges::all_of(rest, is_upper);
  const bool vowel = std::ranges::any_of(rest, [&](char c) { return vowels.find(c) != std::string_view::npos; });
  if (is_digit(rest.front()) && name.size() == 3) return made;  // V1o
  return name.size() == 3 && !capitals && !vowel ? std::optional(made) : std::nullopt;
}

/// "thetaC" is θ with C.
std::optional<std::pair<std::string, std::string>> greek_and_rest(std::string_view name) {
  if (!all_plain(name)) return std::nullopt;
  const auto capital = std::find_if(name.begin() + 1, name.end(), is_upper);
  const std::string stem(name.begin(), capital), rest(capital, name.end());
  if (rest.empty() || rest.size() > 3 || shown_name(stem).stem == stem) return std::nullopt;
  return std::pair{stem, rest};
}

Math with_below(const std::string& stem, const std::string& below) { return Math::name(stem + "_" + below); }

/// v(c17): the voltage V with c17; i(R1): the current.
std::optional<Math> electrical(std::string_view name) {
  if (name.size() < 4 || name[1] != '(' || name.back() != ')') return std::nullopt;
  const std::string_view at = name.substr(2, name.size() - 3);
  const bool voltage = name[0] == 'v' || name[0] == 'V', current = name[0] == 'i' || name[0] == 'I';
  if ((!voltage && !current) || !all_plain(at)) return std::nullopt;
  return with_below(voltage ? "V" : "I", std::string(at));
}

std::string key(const Math& shown) { return write(shown, Notation::unicode); }

}  // namespace

std::vector<Math> ways_to_show(std::string_view name, std::string_view operator_symbol) {
  std::vector<Math> ways;
  if (const auto potential = electrical(name)) ways.push_back(*potential);
  if (name.starts_with("e_"))
    if (const auto of = electrical(name.substr(2))) ways.push_back(Math::element(Math::name("e"), {*of}));
  const std::size_t bar = name.find('_');
  const std::string_view stem = name.substr(0, bar);
  const std::string rest(bar == std::string_view::npos ? "" : name.substr(bar + 1));
  const auto parts = small_signal(stem);
  if (parts && !rest.empty())
    if (const std::string_view device = number_of_device(rest); !device.empty())
      ways.push_back(with_below(parts->first, parts->second + std::string(device)));
  auto split = parts ? parts : letter_and_rest(stem, operator_symbol);
  if (!split) split = greek_and_rest(stem);
  if (split && (rest.empty() || Math::signal(name).kind == Math::Kind::name))
    ways.push_back(with_below(split->first, split->second + (rest.empty() ? "" : "_" + rest)));
  ways.push_back(Math::signal(name));
  return ways;
}

ShownNames::ShownNames(const SignalFlowGraph& graph) {
  std::map<std::string, std::vector<Math>> ways;
  for (const Symbol& symbol : graph.symbols.all()) ways.try_emplace(symbol.name, ways_to_show(symbol.name, graph.op.symbol()));
  for (const Node& node : graph.nodes()) ways.try_emplace(node.name, ways_to_show(node.name, graph.op.symbol()));
  ways.erase(std::string(graph.op.symbol()));
  for (bool clash = true; clash;) {  // names that would look alike are shown at greater length
    clash = false;
    std::map<std::string, std::vector<std::string>> alike;
    for (const auto& [name, left] : ways) alike[key(left.front())].push_back(name);
    for (const auto& [text, names] : alike) {
      if (names.size() == 1) continue;
      for (const std::string& name : names) {
        std::vector<Math>& left = ways[name];
        if (left.size() == 1) continue;
        left.erase(left.begin());
        clash = true;
      }
    }
  }
  for (auto& [name, left] : ways)
    if (left.size() > 1) shown_.emplace(name, std::move(left.front()));
}

Math ShownNames::signal(std::string_view name) const {
  const auto found = shown_.find(name);
  return found == shown_.end() ? Math::signal(name) : found->second;
}

Math ShownNames::in(Math formula) const {
  if (formula.kind == Math::Kind::name) {
    const auto found = shown_.find(formula.text);
    return found == shown_.end() ? formula : found->second;
  }
  for (Math& part : formula.parts) part = in(std::move(part));
  return formula;
}

}  // namespace sfg
