#include "sfg/read/spice/netlist_values.hpp"

#include <ginac/ginac.h>

#include <cctype>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

bool starts_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.starts_with('.')) text.remove_prefix(1);
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
}

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

/// Letters behind a number as a power of ten; nothing for an exponent or what is no suffix.
std::string_view exponent_of(std::string_view letters) {
  const std::string lower = lower_case(letters);
  if (lower.starts_with("meg")) return "e6";
  switch (lower[0]) {
    case 'f': return "e-15";
    case 'p': return "e-12";
    case 'n': return "e-9";
    case 'u': return "e-6";
    case 'm': return "e-3";
    case 'k': return "e3";
    case 'g': return "e9";
    case 't': return "e12";
    default: return "";
  }
}

PlainExpression plain(std::string_view text) {
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
      while (end < text.size() && (std::isdigit(static_cast<unsigned char>(text[end])) != 0 || text[end] == '.')) ++end;
      put(text.substr(i, end - i), i, true);
      std::size_t letters = end;
      while (letters < text.size() && is_letter(text[letters])) ++letters;
      const std::string_view exponent = letters > end ? exponent_of(text.substr(end, letters - end)) : "";
      put(exponent, end, false);
      if (!exponent.empty()) {
        end = letters;
      } else if (letters == end + 1 && (text[end] == 'e' || text[end] == 'E')) {  // 1e-9: the sign belongs to the number
        put(text.substr(end, 1), end, true);
        end = letters;
        if (end < text.size() && (text[end] == '-' || text[end] == '+')) put(text.substr(end, 1), end, true), ++end;
      }
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
  for (char c : name) result += is_name_part(c) ? c : '_';
  return is_name(result) ? result : "_" + result;
}

}  // namespace

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
    with_value(name.text, parse_number(value.text, value.where), name.where);
  else
    with_value(name.text, value.kind == NetlistToken::Kind::word ? named(value.text, top, value.where) : expression(value, top),
               name.where);
}

GiNaC::ex NetlistValues::value(const NetlistToken& token, const NetlistScope& scope, std::string_view own) {
  if (token.kind == NetlistToken::Kind::expression) return expression(token, scope);
  if (token.kind == NetlistToken::Kind::word && starts_number(token.text))
    return with_value(own, parse_number(token.text, token.where), token.where);
  if (token.kind == NetlistToken::Kind::word && is_name(token.text)) return named(token.text, scope, token.where);
  throw Error(token.where, "word '" + token.text + "' is no value", "write a number such as 4.7k, a name, or {an expression}");
}

GiNaC::ex NetlistValues::plain_value(const NetlistToken& token, const NetlistScope& scope) {
  if (token.kind == NetlistToken::Kind::word && starts_number(token.text)) return parse_number(token.text, token.where);
  return value(token, scope, "");
}

GiNaC::ex NetlistValues::expression(const NetlistToken& token, const NetlistScope& scope) {
  const PlainExpression text = plain(token.text);
  SymbolTable local;
  GiNaC::ex result;
  try {
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

GiNaC::ex NetlistValues::derived(const std::string& name, const GiNaC::ex& value, const SourceSpan& where) {
  return with_value(name, value, where);
}

}  // namespace sfg
