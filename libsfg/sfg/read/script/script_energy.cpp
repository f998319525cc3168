#include "sfg/read/script/script_energy.hpp"

#include <ginac/ginac.h>

#include <cctype>
#include <string_view>

#include "sfg/read/script/script_statements.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// Whether the sign at `i` of the text joins two terms: not that of 1e-5, of a*-b, of a leading sign.
bool joins_terms(std::string_view text, std::size_t i) {
  std::size_t before = i;
  while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1])) != 0) --before;
  if (before == 0) return false;
  const char last = text[before - 1];
  if (std::string_view("+-*/^(,").find(last) != std::string_view::npos) return false;
  if (before != i || (last != 'e' && last != 'E')) return true;
  std::size_t mantissa = before - 1;  // of a number such as 2.5e-3
  while (mantissa > 0 && (std::isdigit(static_cast<unsigned char>(text[mantissa - 1])) != 0 || text[mantissa - 1] == '.'))
    --mantissa;
  const bool is_number = mantissa != before - 1;
  const bool in_name =
      mantissa > 0 && (std::isalpha(static_cast<unsigned char>(text[mantissa - 1])) != 0 || text[mantissa - 1] == '_');
  return !is_number || in_name;
}

struct Term {
  int sign = 1;
  Passage text;
};

/// The terms of a sum, split at signs outside of all brackets.
std::vector<Term> terms_of(const Passage& sum) {
  std::vector<Term> terms;
  std::size_t begin = 0;
  int depth = 0, sign = 1;
  const auto end_term = [&](std::size_t end) {
    if (Passage text = sum.part(begin, end - begin).trimmed(); !text.text.empty() || end == sum.text.size())
      terms.push_back({sign, text});
  };
  for (std::size_t i = 0; i < sum.text.size(); ++i) {
    const char c = sum.text[i];
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth != 0 || (c != '+' && c != '-')) continue;
    const bool leading =
        std::string_view(sum.text).substr(begin, i - begin).find_first_not_of(" \t\r\n") == std::string_view::npos;
    if (!leading && !joins_terms(sum.text, i)) continue;
    if (!leading) end_term(i);
    if (leading && begin != 0) continue;  // a second sign belongs to the term: a - -b
    sign = c == '-' ? -1 : 1;
    begin = i + 1;
  }
  end_term(sum.text.size());
  return terms;
}

/// What is done to every element: value ↦ (value^power) * factor.
struct Operations {
  ex factor = 1;
  long power = 1;
};

class EnergyReader {
 public:
  EnergyReader(const SourceText& source, SymbolTable& symbols, Problems& problems)
      : source_(source), symbols_(symbols), problems_(problems) {}

  std::vector<Lagrangian::Energy> operator()(const Passage& text) {
    for (const Term& term : terms_of(text)) problems_.attempt([&] { add(term); });
    return std::move(result_);
  }

 private:
  ex scalar(const Passage& text) { return parse(scalar_operators(text.trimmed()), source_, symbols_); }

  [[noreturn]] void fail(const Passage& where, std::string message, std::string hint) const {
    throw Error(place(source_, where), std::move(message), std::move(hint));
  }

  void add(const Term& term) {
    const std::size_t open = term.text.text.find('[');
    if (open == std::string::npos) {
      result_.push_back({term.sign * scalar(term.text), place(source_, term.text)});
      return;
    }
    const std::size_t close = matching(term.text, open);
    Operations operations = after(term.text.part(close + 1, term.text.text.size() - close - 1));
    operations.factor *= term.sign * before(term.text.part(0, open));
    const auto rows = script_rows(term.text.part(open + 1, close - open - 1));
    if (rows.empty()) fail(term.text.part(open, 1), "the brackets are empty", "write the energy's terms, or 0");
    for (const auto& row : rows)
      for (const Passage& element : row)
        problems_.attempt([&] {
          result_.push_back({operations.factor * GiNaC::power(scalar(element), operations.power), place(source_, element)});
        });
  }

  std::size_t matching(const Passage& text, std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < text.text.size(); ++i) {
      if (text.text[i] == '[') ++depth;
      if (text.text[i] == ']' && --depth == 0) return i;
      if (text.text[i] == '[' && depth > 1)
        fail(text.part(i, 1), "a bracket inside a bracket", "list the elements in one pair of brackets");
    }
    fail(text.part(open, 1), "bracket '[' is not closed", "end the rows with ']'");
  }

  /// "k/2*" → k/2.
  ex before(const Passage& prefix) {
    Passage factor = prefix.trimmed();
    if (factor.text.empty()) return 1;
    const char last = factor.text.back();
    if (last == '/') fail(factor, "division by a vector", "divide the elements: write the factor behind the bracket");
    if (last != '*') fail(factor, "an operator is missing before '['", "write '*' between the factor and the bracket");
    const bool elementwise = factor.text.size() > 1 && factor.text[factor.text.size() - 2] == '.';
    return scalar(factor.part(0, factor.text.size() - (elementwise ? 2 : 1)));
  }

  /// ".^2*k/3" and the like.
  Operations after(const Passage& suffix) {
    Operations operations;
    Passage rest = suffix.trimmed();
    if (rest.text.starts_with("'")) rest = rest.part(1, rest.text.size() - 1).trimmed();  // transposed: the same sum
    while (rest.text.starts_with(".^")) operations.power *= exponent(operand(rest, 2));
    if (rest.text.starts_with("^"))
      fail(rest.part(0, 1), "power '^' of a vector has no meaning", "square every element: write '.^' instead of '^'");
    while (!rest.text.empty()) {
      const std::size_t length = rest.text.starts_with(".*") || rest.text.starts_with("./") ? 2 : 1;
      const char sign = rest.text[length - 1];
      if (sign != '*' && sign != '/')
        fail(rest.part(0, 1), "only '.^', '*' and '/' may follow the bracket",
             "write terms in brackets of their own, joined by '+'");
      const Passage where = rest.part(0, 1);
      const ex value = scalar(operand(rest, length));
      if (sign == '/' && value.is_zero()) fail(where, "division by zero", "correct the divisor");
      operations.factor = sign == '*' ? operations.factor * value : operations.factor / value;
    }
    return operations;
  }

  /// Takes the operator and its operand from the front of `rest`.
  Passage operand(Passage& rest, std::size_t operator_length) const {
    int depth = 0;
    std::size_t end = operator_length;
    for (bool begun = false; end < rest.text.size(); ++end) {
      const char c = rest.text[end];
      if (c == '[') fail(rest.part(end, 1), "two brackets in one product", "multiply the elements inside one pair of brackets");
      if (c == '(') ++depth;
      if (c == ')') --depth;
      if (depth != 0) continue;
      const bool is_operator =
          c == '*' || c == '/' || (operator_length == 2 && rest.text[1] == '^' && c == '^') ||
          (c == '.' && end + 1 < rest.text.size() && std::string_view("*/^").find(rest.text[end + 1]) != std::string_view::npos &&
           (rest.text[end + 1] != '^' || rest.text[1] == '^'));
      if (begun && is_operator) break;
      begun = begun || std::isspace(static_cast<unsigned char>(c)) == 0;
    }
    const Passage result = rest.part(operator_length, end - operator_length).trimmed();
    if (result.text.empty()) fail(rest.part(0, operator_length), "an operand is missing here", "complete the expression");
    rest = rest.part(end, rest.text.size() - end).trimmed();
    return result;
  }

  long exponent(const Passage& text) {
    const ex value = scalar(text);
    if (!value.info(GiNaC::info_flags::posint) || GiNaC::ex_to<GiNaC::numeric>(value) > 1000)
      fail(text, "the exponent of the vector is not a positive integer", "write '.^2'");
    return GiNaC::ex_to<GiNaC::numeric>(value).to_long();
  }

  const SourceText& source_;
  SymbolTable& symbols_;
  Problems& problems_;
  std::vector<Lagrangian::Energy> result_;
};

}  // namespace

std::vector<Lagrangian::Energy> script_energy(const Passage& text, const SourceText& source, SymbolTable& symbols,
                                              Problems& problems) {
  return EnergyReader(source, symbols, problems)(text);
}

}  // namespace sfg
