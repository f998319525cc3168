#include "sfg/model/quantities.hpp"

#include <algorithm>

namespace sfg {

Amount& Amount::operator*=(const Amount& other) {
  known *= other.known;
  size *= other.size;
  for (const auto& [quantity, exponent] : other.unknown) {
    exact::Rational& own = unknown[quantity];
    own += exponent;
    if (own.is_zero()) unknown.erase(quantity);
  }
  return *this;
}

Amount Amount::power(const exact::Rational& exponent) const {
  if (exponent.is_zero()) return {};
  Amount result = *this;
  result.known = known.power(exponent);
  result.size = size.power(exponent);
  for (auto& [quantity, own] : result.unknown) own *= exponent;
  return result;
}

void Quantities::state(const std::string& name, const Dimension& dimension, const std::string& unit, const UnitSize& size) {
  names_.insert_or_assign(name, Amount{dimension, {}, size});
  stated_.insert_or_assign(name, unit);
}

void Quantities::define(const std::string& name, const Amount& amount) { names_.try_emplace(name, amount); }

Amount Quantities::anything() { return {{}, {{next_++, exact::Rational(1)}}}; }

Amount Quantities::of(const std::string& name) {
  if (const auto known = names_.find(name); known != names_.end()) return known->second;
  return names_.emplace(name, anything()).first->second;
}

Amount Quantities::resolved(const Amount& amount) const {
  Amount result{amount.known, {}, amount.size};
  for (const auto& [quantity, exponent] : amount.unknown) {
    const auto by = solved_.find(quantity);
    result *= by == solved_.end() ? Amount{{}, {{quantity, exponent}}} : by->second.power(exponent);
  }
  return result;
}

bool Quantities::equate(const Amount& a, const Amount& b) {
  const Amount rest = resolved(a * b.power(-1));
  if (rest.unknown.empty()) return rest.known.is_number() && rest.size.is_one();
  // One unknown is what the others make it; those solved before are rewritten, so that nothing refers to it.
  const auto [quantity, exponent] = *rest.unknown.rbegin();
  Amount others = rest;
  others.unknown.erase(quantity);
  const Amount value = others.power(exact::Rational(-1) / exponent);
  solved_.emplace(quantity, value);
  for (auto& [known, by] : solved_)
    if (by.unknown.contains(quantity)) by = resolved(by);
  return true;
}

namespace {

/// "N/m", "10^-3 m", "deg".
std::string text_of_known(const Amount& amount) {
  if (amount.size.is_one()) return amount.known.text();
  return amount.size.text() + (amount.known.is_number() ? "" : " " + amount.known.text());
}

}  // namespace

std::string Quantities::text(const Amount& amount) const {
  const Amount known = resolved(amount);
  std::string result = text_of_known(known);
  for (const auto& [quantity, exponent] : known.unknown) {
    std::string name = "something open";
    for (const auto& [candidate, its] : names_)
      if (its.unknown.size() == 1 && its.unknown.contains(quantity) && its.known.is_number() && its.size.is_one())
        name = "that of '" + candidate.substr(candidate.find(' ') + 1) + "'";
    result += " times " + name + (exponent == 1 ? "" : "^" + exponent.text());
  }
  return result;
}

std::string Quantities::unit(const std::string& name) const {
  if (const auto stated = stated_.find(name); stated != stated_.end()) return stated->second;
  const auto known = names_.find(name);
  if (known == names_.end()) return "";
  const Amount amount = resolved(known->second);
  return amount.unknown.empty() ? text_of_known(amount) : "";
}

/// One walk through an expression.
class DimensionCheck {
 public:
  DimensionCheck(Quantities& quantities, const TextPlace& place, const Quantities::Report& report)
      : quantities_(quantities), place_(place), report_(report) {}

  using Kind = SyntaxNode::Kind;
  using Wanted = std::optional<std::pair<Amount, std::string>>;

  /// Of a summand: what it is to agree with comes from the whole, or else from the first summand that is definite.
  Amount sum(const SyntaxNode& node, Wanted wanted) {
    if (node.kind != Kind::sum) {
      Amount own = summand(node);
      if (!wanted) return own;
      compare(node, own, *wanted);
      return wanted->first;
    }
    for (const SyntaxNode* part : node.parts) {
      Amount own = summand(*part);
      if (!wanted)
        wanted = {std::move(own), "the summand '" + written(*part) + "' before it"};
      else
        compare(*part, own, *wanted);
    }
    return wanted->first;
  }

 private:
  static std::string written(const SyntaxNode& node) { return std::string(node.text.empty() ? node.token->text : node.text); }

  void complain(const SyntaxNode& node, std::string message) const { report_(place_.at(*node.token), std::move(message)); }

  void compare(const SyntaxNode& node, const Amount& own, const std::pair<Amount, std::string>& wanted) {
    if (is_zero(node) || quantities_.equate(own, wanted.first)) return;
    complain(node, "the dimensions differ: '" + written(node) + "' is in " + quantities_.text(own) + ", " + wanted.second +
                       " in " + quantities_.text(wanted.first));
  }

  static bool is_zero(const SyntaxNode& node) {
    if (node.kind == Kind::negation) return is_zero(*node.parts[0]);
    return node.kind == Kind::number && node.token->text.find_first_of("123456789") == std::string_view::npos;
  }

  /// A summand with a number that may stand for a quantity is of any dimension: 9.81*m, or 80*x where nothing says what 80 is.
  Amount summand(const SyntaxNode& node) {
    const Amount own = of(node);
    return stands_for_quantity(node) ? own * quantities_.anything() : own;
  }

  bool stands_for_quantity(const SyntaxNode& node) const {
    std::size_t parameters = 0, names = 0;
    const Factor factor = numbers_of(node, parameters, names);
    return factor == Factor::value || (factor == Factor::small && names > 0 && parameters == 0);
  }

  enum class Factor { none, small, value };

  /// Numbers of formulas are small: 1/2, 3/8, 48; others are values whose units are not stated.
  Factor numbers_of(const SyntaxNode& node, std::size_t& parameters, std::size_t& names) const {
    switch (node.kind) {
      case Kind::number: return number(node.token->text);
      case Kind::name:
        ++names;
        if (quantities_.parameters_.contains(std::string(node.token->text))) ++parameters;
        return Factor::none;
      case Kind::negation: return numbers_of(*node.parts[0], parameters, names);
      case Kind::product: {
        Factor most = Factor::none;
        for (const SyntaxNode* part : node.parts) most = std::max(most, numbers_of(*part, parameters, names));
        return most;
      }
      case Kind::power: {
        const Factor base = numbers_of(*node.parts[0], parameters, names);
        return base;
      }
      case Kind::sum:
      case Kind::call: {
        for (const SyntaxNode* part : node.parts) numbers_of(*part, parameters, names);
        return Factor::none;  // looked at on their own
      }
    }
    return Factor::none;
  }

  static Factor number(std::string_view text) {
    static const std::vector<std::string_view> formulas{"2",   "3",  "4",    "5",    "6",   "7",   "8",    "9",   "12",
                                                        "15",  "16", "24",   "32",   "36",  "48",  "64",   "192", "384",
                                                        "0.5", ".5", "0.25", "0.75", "1.5", "2.0", "0.125"};
    if (text == "1" || text == "1.0" || text == "0") return Factor::none;
    return std::ranges::find(formulas, text) != formulas.end() ? Factor::small : Factor::value;
  }

  Amount of(const SyntaxNode& node) {
    switch (node.kind) {
      case Kind::number: return {};
      case Kind::name: return node.token->text == "pi" ? Amount() : quantities_.of(std::string(node.token->text));
      case Kind::negation: return of(*node.parts[0]);
      case Kind::sum: return sum(node, {});
      case Kind::product: {
        Amount result;
        for (std::size_t i = 0; i < node.parts.size(); ++i) result *= of(*node.parts[i]).power(node.inverse[i] ? -1 : 1);
        return result;
      }
      case Kind::power: return power(node);
      case Kind::call: return call(node);
    }
    return {};
  }

  Amount power(const SyntaxNode& node) {
    const Amount base = of(*node.parts[0]);
    if (const auto exponent = number_of(*node.parts[1])) return base.power(*exponent);
    number_wanted(*node.parts[1], "an exponent");
    const Amount known = quantities_.resolved(base);
    return known.unknown.empty() && known.known.is_number() && known.size.is_one() ? Amount() : quantities_.anything();
  }

  /// An exponent that is stated as a number.
  static std::optional<exact::Rational> number_of(const SyntaxNode& node) {
    if (node.kind == Kind::number) {
      const GiNaC::numeric value = decimal(node.token->text, {}, {});
      const GiNaC::numeric greatest = 1'000'000;  // beyond it an exponent is one of no law of physics, and none of an int
      if (value.numer() > greatest || value.denom() > greatest) return {};
      return exact::Rational(value.numer().to_int()) / value.denom().to_int();
    }
    if (node.kind == Kind::negation)
      if (const auto value = number_of(*node.parts[0])) return -*value;
    if (node.kind != Kind::product) return {};
    exact::Rational result = 1;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      const auto part = number_of(*node.parts[i]);
      if (!part || (node.inverse[i] && part->is_zero())) return {};
      if (node.inverse[i])
        result /= *part;
      else
        result *= *part;
    }
    return result;
  }

  void number_wanted(const SyntaxNode& node, const std::string& what) {
    const Amount own = sum(node, {});
    if (stands_for_quantity(node) || quantities_.equate(own, Amount())) return;
    complain(node, "the dimensions differ: '" + written(node) + "' is in " + quantities_.text(own) + ", but " + what +
                       " is a number, in 1 or rad");
  }

  /// Laws of nonlinear elements: in the first arguments a signal with its thresholds, then the size of the output.
  std::optional<Amount> of_law(const SyntaxNode& node) {
    const std::string& name = node.function->name;
    const std::size_t count = node.parts.size();
    std::size_t thresholds = count,
                size = 0;  // arguments [1, thresholds) are like the first; `size` gives the result, 0 the first
    if (name == "coulomb" || name == "relay" || name == "hysteresis")
      thresholds = size = count - 1;
    else if (name != "dead_zone" && name != "saturation" && name != "quantise" && name != "backlash" && name != "stribeck" &&
             name != "friction")
      return {};
    const Amount first = sum(*node.parts[0], {});
    const auto compared = [&](std::size_t i, const Amount& with, std::size_t as) {
      compare(*node.parts[i], summand(*node.parts[i]), {with, "'" + written(*node.parts[as]) + "'"});
    };
    if (name == "stribeck" || name == "friction") {
      if (count > 3) compared(3, first, 0);
      const Amount force = sum(*node.parts[1], {});
      compared(2, force, 1);
      return force;
    }
    for (std::size_t i = 1; i < thresholds; ++i) compared(i, first, 0);
    return size == 0 ? first : sum(*node.parts[size], {});
  }

  Amount call(const SyntaxNode& node) {
    if (node.table) {  // what its points are measured in is not stated
      sum(*node.parts[0], {});
      return quantities_.anything();
    }
    const std::string& name = node.function->name;
    if (name == "slope") return quantities_.anything();
    if (const auto law = of_law(node)) return *law;
    if (name == "sqrt") return sum(*node.parts[0], {}).power(exact::Rational(1) / 2);
    if (name == "abs") return sum(*node.parts[0], {});
    if (name == "sign" || name == "step") {
      sum(*node.parts[0], {});
      return {};
    }
    if (name == "min" || name == "max" || name == "atan2") {
      const Amount first = sum(*node.parts[0], {});
      for (std::size_t i = 1; i < node.parts.size(); ++i)
        compare(*node.parts[i], summand(*node.parts[i]), {first, "'" + written(*node.parts[0]) + "'"});
      return name == "atan2" ? Amount() : first;
    }
    for (const SyntaxNode* part : node.parts) number_wanted(*part, "the argument of " + name);
    return {};
  }

  Quantities& quantities_;
  const TextPlace& place_;
  const Quantities::Report& report_;
};

Amount Quantities::check(std::string_view text, const TextPlace& place, const Report& report,
                         const std::optional<std::pair<Amount, std::string>>& wanted, const TableNames& tables) {
  const Syntax syntax(text, place, {}, tables);
  return DimensionCheck(*this, place, report).sum(syntax.root(), wanted);
}

}  // namespace sfg
