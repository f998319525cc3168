#include "sfg/expr/dimension.hpp"

#include <algorithm>
#include <cstdint>

namespace sfg {

namespace {

constexpr std::array<const char*, Dimension::base_units> base_names{"kg", "m", "s", "A", "K", "mol", "cd"};

struct Named {
  const char* name;
  std::array<int, Dimension::base_units> exponents;
  bool prefixes = true;
  bool shown = false;  ///< text() writes it
};

/// Units whose size is not one: of what they are powers.
const std::map<std::string_view, UnitSize>& sizes() {
  static const UnitSize ten("10"), sixty("60");
  static const std::map<std::string_view, UnitSize> known{
      {"g", ten.power(-3)},
      {"deg", UnitSize("deg")},
      {"°", UnitSize("deg")},
      {"%", ten.power(-2)},
      {"rev", UnitSize("rev")},
      {"turn", UnitSize("rev")},
      {"rpm", UnitSize("rev") * sixty.power(-1)},
      {"min", sixty},
      {"h", sixty.power(2)},
      {"d", sixty.power(2) * UnitSize("24")},
      {"l", ten.power(-3)},
      {"L", ten.power(-3)},
      {"bar", ten.power(5)},
      {"t", ten.power(3)},
      {"eV", UnitSize("eV")},
      {"Wh", sixty.power(2)},
      {"Ah", sixty.power(2)},
      {"in", UnitSize("in")},
      {"ft", UnitSize("ft")},
      {"mi", UnitSize("mi")},
      {"lb", UnitSize("lb")},
      {"lbf", UnitSize("lbf")},
      {"kgf", UnitSize("kgf")},
      {"kp", UnitSize("kgf")},
      {"psi", UnitSize("lbf") * UnitSize("in", -2)},
      {"atm", UnitSize("atm")},
      {"hp", UnitSize("hp")},
      {"PS", UnitSize("PS")},
      {"ha", ten.power(4)},
  };
  return known;
}

/// What a text says of a unit.
struct Unit {
  Dimension dimension = {};
  UnitSize size = {};

  Unit power(const exact::Rational& exponent) const { return {dimension.power(exponent), size.power(exponent)}; }
  Unit& operator*=(const Unit& other) {
    dimension *= other.dimension;
    size *= other.size;
    return *this;
  }
};

// The SI (BIPM, The International System of Units, 9th edition, tables 2, 4 and 8), and what engineers use beside it. A number's
// unit counts as 1.
constexpr std::array<Named, 62> named{{
    {"g", {1}},
    {"m", {0, 1}},
    {"s", {0, 0, 1}},
    {"A", {0, 0, 0, 1}},
    {"K", {0, 0, 0, 0, 1}},
    {"mol", {0, 0, 0, 0, 0, 1}},
    {"cd", {0, 0, 0, 0, 0, 0, 1}},
    {"N", {1, 1, -2}, true, true},
    {"Pa", {1, -1, -2}, true, true},
    {"J", {1, 2, -2}, true, true},
    {"W", {1, 2, -3}, true, true},
    {"C", {0, 0, 1, 1}, true, true},
    {"V", {1, 2, -3, -1}, true, true},
    {"F", {-1, -2, 4, 2}, true, true},
    {"Ohm", {1, 2, -3, -2}, true, true},
    {"ohm", {1, 2, -3, -2}},
    {"Ω", {1, 2, -3, -2}},
    {"S", {-1, -2, 3, 2}, true, true},
    {"Wb", {1, 2, -2, -1}, true, true},
    {"T", {1, 0, -2, -1}, true, true},
    {"H", {1, 2, -2, -2}, true, true},
    {"Hz", {0, 0, -1}},
    {"rad", {}},
    {"sr", {}},
    {"deg", {}, false},
    {"°", {}, false},
    {"%", {}, false},
    {"rev", {}, false},
    {"turn", {}, false},
    {"dB", {}, false},
    {"rpm", {0, 0, -1}, false},
    {"min", {0, 0, 1}, false},
    {"h", {0, 0, 1}, false},
    {"d", {0, 0, 1}, false},
    {"l", {0, 3}},
    {"L", {0, 3}},
    {"bar", {1, -1, -2}},
    {"t", {1}},
    {"eV", {1, 2, -2}},
    {"Wh", {1, 2, -2}},
    {"VA", {1, 2, -3}},
    {"var", {1, 2, -3}},
    {"Ah", {0, 0, 1, 1}},
    {"lm", {0, 0, 0, 0, 0, 0, 1}},
    {"lx", {0, -2, 0, 0, 0, 0, 1}},
    {"°C", {0, 0, 0, 0, 1}, false},
    {"degC", {0, 0, 0, 0, 1}, false},
    {"in", {0, 1}, false},
    {"ft", {0, 1}, false},
    {"mi", {0, 1}, false},
    {"lb", {1}, false},
    {"lbf", {1, 1, -2}, false},
    {"kgf", {1, 1, -2}, false},
    {"kp", {1, 1, -2}, false},
    {"psi", {1, -1, -2}, false},
    {"atm", {1, -1, -2}, false},
    {"hp", {1, 2, -3}, false},
    {"PS", {1, 2, -3}, false},
    {"ha", {0, 2}, false},
    {"Bq", {0, 0, -1}},
    {"sample", {}, false},
    {"samples", {}, false},
}};

constexpr std::array<std::pair<std::string_view, int>, 23> prefixes{
    {{"da", 1}, {"Q", 30}, {"R", 27}, {"Y", 24},  {"Z", 21},  {"E", 18},  {"P", 15}, {"T", 12},
     {"G", 9},  {"M", 6},  {"k", 3},  {"h", 2},   {"d", -1},  {"c", -2},  {"m", -3}, {"u", -6},
     {"µ", -6}, {"μ", -6}, {"n", -9}, {"p", -12}, {"f", -15}, {"a", -18}, {"z", -21}}};

Dimension of_exponents(const std::array<int, Dimension::base_units>& exponents) {
  Dimension result;
  for (std::size_t i = 0; i < exponents.size(); ++i) result *= Dimension::base(i).power(exponents[i]);
  return result;
}

std::optional<Unit> unit_of_name(std::string_view name) {
  const auto find = [](std::string_view text) { return std::ranges::find(named, text, &Named::name); };
  const auto of = [](const Named& unit) {
    const auto size = sizes().find(unit.name);
    return Unit{of_exponents(unit.exponents), size == sizes().end() ? UnitSize() : size->second};
  };
  if (const auto whole = find(name); whole != named.end()) return of(*whole);
  for (const auto& [prefix, power] : prefixes) {
    if (!name.starts_with(prefix)) continue;
    if (const auto rest = find(name.substr(prefix.size())); rest != named.end() && rest->prefixes) {
      Unit unit = of(*rest);
      unit.size *= UnitSize("10").power(power);
      return unit;
    }
  }
  return {};
}

constexpr std::array<std::pair<std::string_view, char>, 11> superscripts{{{"⁰", '0'},
                                                                          {"¹", '1'},
                                                                          {"²", '2'},
                                                                          {"³", '3'},
                                                                          {"⁴", '4'},
                                                                          {"⁵", '5'},
                                                                          {"⁶", '6'},
                                                                          {"⁷", '7'},
                                                                          {"⁸", '8'},
                                                                          {"⁹", '9'},
                                                                          {"⁻", '-'}}};

/// The text with powers as "^2" and products as "*" throughout.
std::string plain(std::string_view text) {
  std::string result;
  bool raised = false;
  while (!text.empty()) {
    const auto sign = std::ranges::find_if(superscripts, [&](const auto& entry) { return text.starts_with(entry.first); });
    if (sign != superscripts.end()) {
      if (!raised) result += '^';
      result += sign->second;
      text.remove_prefix(sign->first.size());
      raised = true;
      continue;
    }
    raised = false;
    const auto take = [&](std::string_view what, const char* by) {
      if (!text.starts_with(what)) return false;
      result += by;
      text.remove_prefix(what.size());
      return true;
    };
    if (take("**", "^") || take("·", "*") || take("⋅", "*") || take("×", "*") || take("√", "sqrt")) continue;
    result += text.front();
    text.remove_prefix(1);
  }
  return result;
}

/// product = factor { ("*" | "." | " " | "/") factor }; factor = ("(" product ")" | "sqrt(" product ")" | name | "1") ["^"
/// exponent]
class UnitReader {
 public:
  explicit UnitReader(std::string_view text) : text_(text) {}

  std::optional<Unit> unit() {
    const auto result = product(0);
    return position_ == text_.size() && result && result->dimension.is_moderate() ? result : std::nullopt;
  }

 private:
  void blanks() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  bool take(char c) {
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  bool at_end() const { return position_ >= text_.size() || text_[position_] == ')'; }

  std::optional<Unit> product(int depth) {
    constexpr int deepest = 20;
    if (depth > deepest) return {};
    blanks();
    auto result = factor(depth);
    for (blanks(); result && !at_end(); blanks()) {
      const bool below = take('/');
      if (!below && !take('*')) take('.');
      blanks();
      const auto next = factor(depth);
      if (!next) return {};
      *result *= below ? next->power(-1) : *next;
    }
    return result;
  }

  std::optional<Unit> factor(int depth) {
    std::optional<Unit> base;
    bool root = false;
    if (text_.substr(position_).starts_with("sqrt(")) {
      root = true;
      position_ += 4;
    }
    if (take('(')) {
      base = product(depth + 1);
      if (!base || !take(')')) return {};
      if (root) base = base->power(exact::Rational(1) / 2);
    } else if (take('1')) {
      base = Unit();
    } else {
      base = unit_of_name(name());
    }
    if (!base) return {};
    const bool marked = take('^');
    const auto exponent = this->exponent(marked);
    if (!exponent) return marked ? std::nullopt : base;
    return base->power(*exponent);
  }

  std::string_view name() {
    const std::size_t begin = position_;
    while (position_ < text_.size() && std::string_view("*/.^() -+0123456789").find(text_[position_]) == std::string_view::npos)
      ++position_;
    return text_.substr(begin, position_ - begin);
  }

  /// "2", "-1", "(1/2)", "0.5"; "m2" and "s-1" are read too.
  std::optional<exact::Rational> exponent(bool marked) {
    const std::size_t before = position_;
    const bool parenthesis = marked && take('(');
    const bool minus = take('-');
    if (marked && !minus) take('+');
    auto value = whole();
    if (value && parenthesis && take('/')) {
      const auto divisor = whole();
      if (!divisor || divisor->is_zero()) return {};
      *value /= *divisor;
    } else if (value && marked && text_.substr(position_).starts_with(".5")) {
      position_ += 2;
      *value += exact::Rational(1) / 2;
    }
    if (!value || (parenthesis && !take(')'))) {
      position_ = before;
      return {};
    }
    return minus ? -*value : *value;
  }

  std::optional<exact::Rational> whole() {
    constexpr std::size_t longest = 3;
    std::size_t digits = 0;
    std::int64_t value = 0;
    while (position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9') {
      if (++digits > longest) return {};
      value = 10 * value + (text_[position_++] - '0');
    }
    return digits > 0 ? std::optional<exact::Rational>(value) : std::nullopt;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

std::string factor_text(const std::string& name, const exact::Rational& exponent) {
  if (exponent == 1) return name;
  return name + "^" + (exponent.is_integer() ? exponent.text() : "(" + exponent.text() + ")");
}

/// How many signs the reader has to take in, with a preference for a named unit in front.
struct Candidate {
  exact::Rational cost;
  std::string text;
};

}  // namespace

Dimension Dimension::base(std::size_t unit) {
  Dimension result;
  result.exponents_.at(unit) = 1;
  return result;
}

Dimension Dimension::energy() { return mass() * length().power(2) / time().power(2); }
Dimension Dimension::power_of_energy() { return energy() / time(); }

Dimension& Dimension::operator*=(const Dimension& other) {
  for (std::size_t i = 0; i < base_units; ++i) exponents_[i] += other.exponents_[i];
  return *this;
}

Dimension& Dimension::operator/=(const Dimension& other) {
  for (std::size_t i = 0; i < base_units; ++i) exponents_[i] -= other.exponents_[i];
  return *this;
}

bool Dimension::is_moderate() const {
  constexpr int most = 99;
  return std::ranges::all_of(exponents_,
                             [](const exact::Rational& e) { return e.numerator().abs() <= most && e.denominator() <= most; });
}

Dimension Dimension::power(const exact::Rational& exponent) const {
  Dimension result = *this;
  for (exact::Rational& e : result.exponents_) e *= exponent;
  return result;
}

std::string Dimension::text() const {
  const auto written = [](const Dimension& rest, const std::string& unit, int power) {
    std::string above, below;
    std::size_t divisors = 0;
    exact::Rational cost = unit.empty() ? 0 : 1;
    const auto join = [](std::string& list, const std::string& factor) { list += (list.empty() ? "" : "*") + factor; };
    if (power > 0) join(above, unit);
    if (power < 0) join(below, unit), ++divisors;
    for (std::size_t i = 0; i < base_units; ++i) {
      const exact::Rational& e = rest.exponents_[i];
      if (e.is_zero()) continue;
      cost += e.abs() + exact::Rational(1) / 2;
      if (e.sign() > 0) join(above, factor_text(base_names[i], e));
      if (e.sign() < 0) join(below, factor_text(base_names[i], -e)), ++divisors;
    }
    if (above.empty()) above = "1";
    return Candidate{cost, below.empty() ? above : above + "/" + (divisors > 1 ? "(" + below + ")" : below)};
  };
  if (is_number()) return "1";
  Candidate best = written(*this, "", 0);
  for (const Named& unit : named) {
    if (!unit.shown) continue;
    for (const int power : {1, -1}) {
      const Candidate next = written(*this / of_exponents(unit.exponents).power(power), unit.name, power);
      if (next.cost < best.cost) best = next;
    }
  }
  return best.text;
}

UnitSize& UnitSize::operator*=(const UnitSize& other) {
  for (const auto& [of, exponent] : other.exponents_) {
    exact::Rational& own = exponents_[of];
    own += exponent;
    if (own.is_zero()) exponents_.erase(of);
  }
  return *this;
}

UnitSize UnitSize::power(const exact::Rational& exponent) const {
  if (exponent.is_zero()) return {};
  UnitSize result = *this;
  for (auto& [of, own] : result.exponents_) own *= exponent;
  return result;
}

std::string UnitSize::text() const {
  std::string result;
  for (const auto& [of, exponent] : exponents_) result += (result.empty() ? "" : "*") + factor_text(of, exponent);
  return result;
}

std::optional<Dimension> dimension_of_unit(std::string_view text) {
  const std::string unit = plain(text);
  if (unit.empty() || unit == "-") return Dimension();
  const auto found = UnitReader(unit).unit();
  return found ? std::optional(found->dimension) : std::nullopt;
}

UnitSize size_of_unit(std::string_view text) {
  const auto found = UnitReader(plain(text)).unit();
  return found ? found->size : UnitSize();
}

std::string unit_quotient(const std::string& of, const std::string& by) {
  if (of == by) return "";
  if (by.empty() || by == "1" || by == "-") return of;
  const std::string above = of.empty() || of == "-" ? "1" : of;
  const bool composite = by.find_first_of("*/. ") != std::string::npos || by.find("·") != std::string::npos;
  if (const std::size_t slash = above.find('/');
      slash != std::string::npos && slash == above.rfind('/') && above.find('(') == std::string::npos && !composite)
    return above.substr(0, slash + 1) + "(" + above.substr(slash + 1) + "*" + by + ")";
  return above + "/" + (composite ? "(" + by + ")" : by);
}

}  // namespace sfg
