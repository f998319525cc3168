// The signals are cut out of the text first, since their names need not be names of the grammar: "v(out)" reads as a call there.
#include "sfg/model/signal_sum.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <utility>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

struct Piece {
  std::size_t begin = 0, end = 0;  ///< in the text
  std::string name;
};

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & '\x80') != 0; }
bool continues_name(char c) { return begins_name(c) || std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// One behind the parenthesis that closes the one at `open`; npos when none does.
std::size_t behind_parentheses(std::string_view text, std::size_t open) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return std::string_view::npos;
}

std::vector<Piece> pieces(std::string_view text) {
  std::vector<Piece> found;
  for (std::size_t i = 0; i < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[i])) != 0) {  // "1e3" holds no name
      while (i < text.size() && (continues_name(text[i]) || text[i] == '.')) ++i;
      continue;
    }
    if (!begins_name(text[i])) {
      ++i;
      continue;
    }
    Piece piece{.begin = i, .end = i, .name = {}};
    while (piece.end < text.size() && continues_name(text[piece.end])) ++piece.end;
    const std::string_view word = text.substr(i, piece.end - i);
    const std::size_t open = text.find_first_not_of(' ', piece.end);
    if (open != std::string_view::npos && text[open] == '(' && function_rule(word) == nullptr)
      if (const std::size_t behind = behind_parentheses(text, open); behind != std::string_view::npos) piece.end = behind;
    for (const char c : text.substr(i, piece.end - i))
      if (c != ' ') piece.name += c;
    i = piece.end;
    found.push_back(std::move(piece));
  }
  return found;
}

/// A signal and how often it is differentiated.
using Rate = std::pair<std::string, std::size_t>;

class SumReader {
 public:
  SumReader(std::string_view text, const SymbolTable& parameters, std::span<const std::string> signals, SourceSpan where)
      : text_(text), symbols_(parameters), signals_(signals.begin(), signals.end()), where_(std::move(where)) {}

  SignalSum sum() {
    const ex value = parsed();
    SignalSum result;
    ex rest = value;
    for (const auto& [rate, symbol] : found_) {
      const ex coefficient = value.diff(GiNaC::ex_to<GiNaC::symbol>(symbol));
      for (const auto& [other, other_symbol] : found_)
        if (coefficient.has(other_symbol) && !vanishes(coefficient.diff(GiNaC::ex_to<GiNaC::symbol>(other_symbol))))
          refuse("is not linear in the signals: it has a product, a power or a function of " + quoted(rate.first),
                 "write a sum of signals with parameters as coefficients");
      rest -= coefficient * symbol;
      result.terms.push_back({rate.first, rate.second, coefficient});
    }
    if (!vanishes(rest)) refuse_rest(rest);
    return result;
  }

 private:
  static std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

  [[noreturn]] void refuse(const std::string& message, Remedy hint) const {
    throw Error(where_, "expression " + quoted(text_) + " " + message, std::move(hint));
  }

  [[noreturn]] void refuse_rest(const ex& rest) const {
    for (const auto& [rate, symbol] : found_)
      if (rest.has(symbol))
        refuse("is not linear in the signals: it has a function of " + quoted(rate.first),
               "write a sum of signals with parameters as coefficients");
    if (found_.empty()) refuse("names no signal", "write a sum of signals with parameters as coefficients");
    refuse("has a constant added to its signals, which is no linear answer to an input", "leave the constant out");
  }

  ex parsed() {
    std::string text;
    std::size_t done = 0;
    for (const Piece& piece : pieces(text_)) {
      text.append(text_, done, piece.begin - done);
      text += replacement(piece);
      done = piece.end;
    }
    text.append(text_, done);
    try {
      return parse_known(text, symbols_);
    } catch (const Error& error) {
      const Diagnostic& problem = error.diagnostics().front();
      throw Error(where_, "expression " + quoted(text_) + ": " + problem.message, problem.hint);
    }
  }

  /// What stands in the text of the grammar for a name: the symbol of a signal, or the name itself.
  std::string replacement(const Piece& piece) {
    const bool function = function_rule(piece.name) != nullptr && !signals_.contains(piece.name);
    const std::optional<Rate> rate = function ? std::nullopt : rate_of(piece.name);
    if (!rate) {
      if (!function && piece.name != "pi" && symbols_.find(piece.name) == nullptr) refuse_name(piece.name);
      return std::string(std::string_view(text_).substr(piece.begin, piece.end - piece.begin));
    }
    const auto known = std::ranges::find_if(found_, [&](const auto& entry) { return entry.first == *rate; });
    if (known != found_.end()) return GiNaC::ex_to<GiNaC::symbol>(known->second).get_name();
    std::string name = "signal";
    while (symbols_.find(name) != nullptr) name += '_';
    found_.emplace_back(*rate, symbols_.symbol(name));
    return name;
  }

  std::optional<Rate> rate_of(const std::string& name) const {
    if (signals_.contains(name)) return Rate{name, 0};
    if (const Symbol* parameter = symbols_.find(name); parameter && parameter->value) return {};
    for (std::size_t rates = 1; rates < name.size() && name[rates - 1] == 'D'; ++rates)
      if (const std::string signal = name.substr(rates); signals_.contains(signal)) return Rate{signal, rates};
    return {};
  }

  [[noreturn]] void refuse_name(const std::string& name) const {
    const bool power = name.starts_with("p(") && std::ranges::any_of(signals_, [&](const std::string& signal) {
                         return signal.starts_with("v(") || signal.starts_with("i(");
                       });
    if (power)
      refuse("is not linear in the signals: " + quoted(name) + " is a power, the product of a voltage and a current",
             "ask for the voltage or the current");
    const std::vector<std::string> known(signals_.begin(), signals_.end());
    const std::string near = nearest(name, known);
    throw Error(
        where_, "there is no signal " + quoted(name),
        near.empty() ? Remedy("write a sum of signals with parameters as coefficients") : Remedy("did you mean '" + near + "'?"));
  }

  std::string text_;
  SymbolTable symbols_;
  std::set<std::string> signals_;
  SourceSpan where_;
  std::vector<std::pair<Rate, ex>> found_;
};

}  // namespace

SignalSum signal_sum(std::string_view text, const SymbolTable& parameters, std::span<const std::string> signals,
                     const SourceSpan& where) {
  return SumReader(text, parameters, signals, where).sum();
}

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (Piece& piece : pieces(text)) names.push_back(std::move(piece.name));
  return names;
}

}  // namespace sfg
