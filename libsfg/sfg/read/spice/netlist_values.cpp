#include "sfg/read/spice/netlist_values.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <sstream>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/syntax.hpp"
#include "sfg/model/noise.hpp"
#include "sfg/model/settings.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_name_part(char c) {
  return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_' || (c & 0x80) != 0;
}

/// "2k*R" → "2e3*R": numbers with suffixes inside expressions, which the grammar of expressions does not have.
/// `origin[i]` is the place in the netlist of character i of the result.
struct PlainExpression {
  std::string text;
  std::vector<std::uint32_t> origin;
};

std::size_t count_of_digits(std::string_view text) { return std::min(text.find_first_not_of("0123456789"), text.size()); }

/// How many characters of an expression from its digit on belong to one number: 1.5, 1e-9, 2k, 4k7.
std::size_t length_of_number(std::string_view text) {
  std::size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const std::size_t sign = end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+') ? 1 : 0;
    const std::size_t digits = count_of_digits(text.substr(std::min(end + 1 + sign, text.size())));
    if (digits > 0) end += 1 + sign + digits;
  }
  while (end < text.size() && is_name_part(text[end])) ++end;
  return end;
}

std::string_view without_ohm_sign(std::string_view text) {
  for (const std::string_view sign : {"\u03A9", "\u2126"})
    if (text.ends_with(sign)) text.remove_suffix(sign.size());
  return text;
}

/// The symbols of an expression, and those of their values, out of one table into another.
void add_needed(SymbolTable& to, const SymbolTable& from, const GiNaC::ex& value) {
  for (const std::string& name : symbol_names(value)) {
    const Symbol* symbol = from.find(name);
    if (symbol == nullptr || to.find(name) != nullptr) continue;
    to.add(*symbol);
    if (symbol->value) add_needed(to, from, *symbol->value);
  }
}

/// Units that do not begin as a suffix does.
bool is_unit(std::string_view letters) {
  static const std::set<std::string> units{"r", "ohm", "ohms", "v", "volt", "volts", "h", "henry", "hz", "s", "sec", "w"};
  return units.contains(lower_case(letters));
}

/// 4k7 → 4.7k, -2u2F → -2.2uF, 4R7 → 4.7; nothing for what is not written so.
std::optional<std::string> with_point(std::string_view text, const SourceSpan& where) {
  const std::size_t sign = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  const std::size_t whole = sign + count_of_digits(text.substr(sign));
  std::size_t suffix = whole;
  while (suffix < text.size() && (is_letter(text[suffix]) || (text[suffix] & 0x80) != 0)) ++suffix;
  const std::size_t end = suffix + count_of_digits(text.substr(suffix));
  const std::string letters(text.substr(whole, suffix - whole)), lower = lower_case(letters);
  static const std::set<std::string> known{"r", "f", "p", "n", "u", "\u00B5", "\u03BC", "m", "k", "g", "t", "meg"};
  const std::string unit = lower_case(text.substr(end));
  if (whole == sign || end == suffix || !known.contains(lower) || (!unit.empty() && unit != "f" && !is_unit(unit))) return {};
  std::string number = std::string(text.substr(0, whole)) + "." + std::string(text.substr(suffix, end - suffix));
  if (letters == "M")
    throw Error(where, "in '" + std::string(text) + "' the M is mega on schematics and milli in netlists",
                "write " + number + "meg or " + number + "m");
  return lower == "r" ? number : number + letters;
}

/// 50ohm → 50
std::string_view without_unit(std::string_view text) {
  std::size_t letters = text.size();
  while (letters > 0 && is_letter(text[letters - 1])) --letters;
  return is_unit(text.substr(letters)) ? text.substr(0, letters) : text;
}

/// A number of an expression as its grammar has it; as it stands where it is none.
std::string plain_number(std::string_view text, const SourceSpan& where) {
  if (std::ranges::none_of(text, is_letter) && std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; }))
    return std::string(text);
  const std::string number = with_point(text, where).value_or(std::string(text));
  try {
    std::ostringstream out;
    out << parse_number(number);
    return out.str().find('/') == std::string::npos ? out.str() : "(" + out.str() + ")";
  } catch (const Error&) {
    return std::string(text);
  }
}

PlainExpression plain(std::string_view text, const SourceSpan& where) {
  PlainExpression result;
  auto put = [&](std::string_view piece, std::size_t from, bool moving) {
    for (std::size_t i = 0; i < piece.size(); ++i) {
      result.text += piece[i];
      result.origin.push_back(static_cast<std::uint32_t>(from + (moving ? i : 0)));
    }
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    if (is_letter(text[i]) || text[i] == '_') {
      while (end < text.size() && is_name_part(text[end])) ++end;
      put(text.substr(i, end - i), i, true);
    } else if (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '.') {
      end = i + std::max<std::size_t>(1, length_of_number(text.substr(i)));
      const std::string_view written = text.substr(i, end - i);
      const std::string number = plain_number(written, where);
      put(number, i, number == written);
    } else {
      put(text.substr(i, 1), i, true);
      end = i + 1;
    }
    i = end;
  }
  result.origin.push_back(static_cast<std::uint32_t>(text.size()));  // what is missing at the end
  return result;
}

/// The places of an expression's errors, moved back to where the user wrote them.
[[noreturn]] void rethrow(const Error& error, const PlainExpression& expression, const SourceSpan& start) {
  std::vector<Diagnostic> moved(error.diagnostics().begin(), error.diagnostics().end());
  for (Diagnostic& diagnostic : moved) {
    if (diagnostic.where.line != start.line || diagnostic.where.column < start.column) continue;
    const std::size_t offset = diagnostic.where.column - start.column;
    if (offset < expression.origin.size()) diagnostic.where.column = start.column + expression.origin[offset];
  }
  throw Error(std::move(moved));
}

/// A name that the grammar of expressions knows: what it does not know becomes an underscore.
std::string symbol_name(std::string_view name) {
  if (is_name(name)) return std::string(name);
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    const std::string character(name.substr(i, std::max<std::size_t>(1, utf8_length(name.substr(i)))));
    result += is_name("a" + character) ? character : "_";
    i += character.size();
  }
  return is_name(result) ? result : "_" + result;
}

/// a^b^c is (a^b)^c in SPICE and a^(b^c) in mathematics.
void refuse_towers(const PlainExpression& expression, const SourceSpan& where) {
  const std::vector<Token> all = tokens(expression.text, TextPlace(where), {});
  const auto is = [&](std::size_t i, char sign) {
    return i < all.size() && all[i].kind == TokenKind::sign && all[i].sign == sign;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is(i, '^')) continue;
    std::size_t behind = i + 1;
    while (is(behind, '-') || is(behind, '+')) ++behind;
    if (behind < all.size() && all[behind].kind == TokenKind::name && is(behind + 1, '(')) ++behind;
    std::size_t depth = 0;
    do {
      if (is(behind, '(')) ++depth;
      if (is(behind, ')') && depth > 0) --depth;
      ++behind;
    } while (depth > 0 && behind < all.size());
    if (is(behind, '^'))
      throw Error(TextPlace(where).at(all[behind]), "a power of a power: in SPICE a^b^c is (a^b)^c, in mathematics a^(b^c)",
                  "write the parentheses");
  }
}

}  // namespace

bool starts_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}

GiNaC::numeric netlist_number(std::string_view text, const SourceSpan& where) {
  const std::string_view bare = without_ohm_sign(text);
  if (const auto pointed = with_point(bare, where)) return parse_number(*pointed, where);
  return parse_number(without_unit(bare), where);
}

std::string NetlistScope::full(std::string_view local) const {
  return suffix.empty() ? std::string(local) : std::string(local) + "_" + suffix;
}

NetlistValues::NetlistValues(SymbolTable& symbols, const Operator& op) : symbols_(symbols), operator_(op.symbol()) {
  op.declare(symbols_);
  spellings_.emplace(lower_case(operator_), operator_);
}

const std::string& NetlistValues::spelling(std::string_view name) {
  return spellings_.emplace(lower_case(name), symbol_name(name)).first->second;
}

GiNaC::ex NetlistValues::with_value(std::string_view name, const GiNaC::ex& value, const SourceSpan& where) {
  const std::string& known = spelling(name);
  if (known == operator_)
    throw Error(where, "name '" + known + "' is the operator of the transfer functions and cannot have a value",
                "give it another name");
  if (const Symbol* symbol = symbols_.find(known); symbol && symbol->value)
    throw Error(where, "the name '" + known + "' has a value already (" + to_string(symbol->where) + ")",
                "elements with a number as value are parameters too: give one of them another name");
  Symbol symbol;
  symbol.name = known;
  symbol.value = value;
  symbol.where = where;
  return symbols_.add(std::move(symbol)).expr;
}

void NetlistValues::define(const NetlistToken& name, const NetlistToken& value) {
  if (!is_name(name.text))
    throw Error(name.where, "word '" + name.text + "' is no name of a parameter", "use letters, digits and _");
  const NetlistScope top;
  if (value.kind == NetlistToken::Kind::word && starts_number(value.text))
    with_value(name.text, netlist_number(value.text, value.where), name.where);
  else
    with_value(name.text, value.kind == NetlistToken::Kind::word ? named(value.text, top, value.where) : expression(value, top),
               name.where);
}

GiNaC::ex NetlistValues::value(const NetlistToken& token, const NetlistScope& scope, std::string_view own) {
  if (token.kind == NetlistToken::Kind::expression) return expression(token, scope);
  if (token.kind == NetlistToken::Kind::word && starts_number(token.text))
    return with_value(own, netlist_number(token.text, token.where), token.where);
  if (token.kind == NetlistToken::Kind::word && is_name(token.text)) return named(token.text, scope, token.where);
  throw Error(token.where, "word '" + token.text + "' is no value", "write a number such as 4.7k, a name, or {an expression}");
}

GiNaC::ex NetlistValues::plain_value(const NetlistToken& token, const NetlistScope& scope) {
  if (token.kind == NetlistToken::Kind::word && starts_number(token.text)) return netlist_number(token.text, token.where);
  return value(token, scope, "");
}

GiNaC::ex NetlistValues::expression(const NetlistToken& token, const NetlistScope& scope) {
  const PlainExpression text = plain(token.text, token.where);
  SymbolTable local;
  GiNaC::ex result;
  try {
    refuse_towers(text, token.where);
    result = parse(text.text, local, token.where);
  } catch (const Error& error) {
    rethrow(error, text, token.where);
  }
  GiNaC::exmap meaning;
  for (const Symbol& symbol : local.all()) meaning[symbol.expr] = named(symbol.name, scope, token.where);
  return result.subs(meaning, GiNaC::subs_options::no_pattern);
}

GiNaC::ex NetlistValues::named(std::string_view name, const NetlistScope& scope, const SourceSpan& where) {
  if (const auto own = scope.parameters.find(lower_case(name)); own != scope.parameters.end()) return own->second;
  return symbols_.symbol(spelling(name), where);
}

GiNaC::ex NetlistValues::with_stated_values(const GiNaC::ex& value, const SourceSpan& where) const {
  SymbolTable own;
  add_needed(own, symbols_, value);
  return substituted(value, own.values(), where);
}

bool NetlistValues::is_stated_as_zero(const GiNaC::ex& e) const {
  const Symbol* symbol = GiNaC::is_a<GiNaC::symbol>(e) ? symbols_.find(GiNaC::ex_to<GiNaC::symbol>(e).get_name()) : nullptr;
  return (symbol && symbol->value ? *symbol->value : e).is_zero();
}

GiNaC::ex NetlistValues::of_noise(const char* name) const {
  const Symbol* known = symbols_.find(name);
  return known ? known->expr : symbols_.add({.name = name, .kind = SymbolKind::signal}).expr;
}

GiNaC::ex NetlistValues::shot_noise(const GiNaC::ex& amperes) const { return 2 * of_noise(elementary_charge) * amperes; }

GiNaC::ex NetlistValues::flicker_noise(const GiNaC::ex& factor, const GiNaC::ex& exponent, const GiNaC::ex& amperes,
                                       const SourceSpan& where, const GiNaC::ex& devices) const {
  if (with_stated_values(factor, where).is_zero()) return 0;
  const GiNaC::ex power = with_stated_values(exponent, where);
  return factor * GiNaC::pow(devices, 1 - power) * GiNaC::pow(amperes, power) * 2 * GiNaC::Pi / of_noise(noise_frequency);
}

GiNaC::ex NetlistValues::derived(const std::string& name, const GiNaC::ex& value, const SourceSpan& where) {
  return with_value(name, value, where);
}

}  // namespace sfg
