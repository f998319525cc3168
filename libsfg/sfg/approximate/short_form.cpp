#include "sfg/approximate/short_form.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/approximate/rest_formula.hpp"
#include "sfg/approximate/root_formula.hpp"
#include "sfg/approximate/root_pruning.hpp"
#include "sfg/approximate/simplified_graph.hpp"
#include "sfg/error.hpp"
#include "sfg/exact/roots.hpp"

namespace sfg {

namespace {

using exact::Rational;
using exact::RationalPolynomial;
using ring::Polynomial;
using Complex = std::complex<double>;

constexpr std::uint64_t few_terms = 200;  ///< where there is another formula already
constexpr double upwards = 1 + 1e-12;

std::vector<SoughtRoot> groups_of(const RationalPolynomial& side, bool zeros) {
  std::vector<SoughtRoot> result;
  for (const exact::Root& root : exact::roots(side.coefficients(), 25)) {
    if (root.value == 0.0 || root.imaginary.sign() < 0) continue;
    for (std::size_t i = 0; i < root.multiplicity; ++i) {
      if (root.is_real) {
        result.push_back({root.value, {root.real}, zeros});
        continue;
      }
      const Rational square = root.real * root.real + root.imaginary * root.imaginary;
      const bool damped = !root.on_axis;
      result.push_back({root.value, {square}, zeros});
      result.back().wanted.push_back(damped ? square / (Rational(4) * root.real * root.real) : Rational(0));
    }
  }
  return result;
}

/// An expression by its factors.
GiNaC::ex in_factors(const PolynomialSpace& space, const Polynomial& polynomial) {
  const auto factors = polynomial.factor();
  GiNaC::ex product = space.expression(Polynomial::constant(space.context(), factors.constant));
  for (const auto& [factor, exponent] : factors.factors)
    product *= GiNaC::pow(space.expression(factor), static_cast<long>(exponent));
  return product;
}
GiNaC::ex in_factors(const RationalFunction& value) {
  return in_factors(value.space(), value.numerator()) / in_factors(value.space(), value.denominator());
}

/// Where there is no formula stands a number of six digits.
Rational six_digits(const Rational& value) { return exact::rounded(value, 6); }
GiNaC::ex bare_number(const Rational& value) { return GiNaC::numeric(six_digits(value).text().c_str()); }

/// Builds the form of one question.
class Shortening {
 public:
  Shortening(const SignalFlowGraph& graph, const Question& question, const ShortOptions& options)
      : graph_(graph), question_(question), options_(options), values_(graph.parameter_values()) {
    if (graph.op.discrete()) throw NoAnswer("a discrete system has no short formulas here", "ask for the standard form");
    const SignalFlowGraph numbered = graph.substituted(values_);
    const TransferFunction transfer = transfer_function(numbered, question, {options.budget, options.seed});
    result_.verification = transfer.verification;
    result_.terms = transfer.terms;
    exact_ = exact_transfer(transfer, numbered);
    if (!exact_.rational()) throw NoAnswer("dead time has no short formulas", Advice::pade);
    above_ = exact_.numerator.polynomial();
    below_ = exact_.denominator.polynomial();
    if (above_.is_zero()) throw NoAnswer("the transfer function is 0: there is nothing to shorten");
  }

  ShortForm operator()() {
    result_.wanted = options_.error;
    result_.form.question = question_;
    result_.form.variable = graph_.op.symbol();
    choose_roots();
    add_gain();
    AskedEquations asked = asked_equations(graph_, question_);
    const EquationQuestion& in = asked.question;
    const EquationSystem zeros = with_zeros_of(asked.system, in.source, in.output);
    const EquationSystem poles =
        in.reference ? with_zeros_of(asked.system, in.source, *in.reference) : without_sources(asked.system);
    for (const SoughtRoot& group : chosen_) roots_.push_back(solved(group, group.zero ? zeros : poles));
    for (std::size_t i = 0; i < hidden_.size(); ++i) add_hidden(hidden_[i], result_.cancelling[i], poles);
    take_out_common();
    for (const Solved& root : roots_) add_root(root);
    measure();
    return std::move(result_);
  }

 private:
  static EquationSystem without_sources(EquationSystem system) {
    for (EquationSystem::Equation& equation : system.equations) equation.right.clear();
    system.sources.clear();
    system.inputs.clear();
    system.outputs.clear();
    system.definitions.clear();
    return system;
  }

  void choose_roots() {
    std::vector<SoughtRoot> zeros = groups_of(above_, true), poles = groups_of(below_, false);
    for (const auto* side : {&zeros, &poles})
      for (const SoughtRoot& group : *side) {
        moduli_.push_back(std::abs(group.value));
        lowest_ = *std::ranges::min_element(moduli_);
      }
    std::vector<ShortForm::Pair> cancelling;
    std::vector<SoughtRoot> groups;
    const double nearly = options_.error / 4;
    std::erase_if(poles, [&](const SoughtRoot& pole) {
      const auto near = std::ranges::find_if(zeros, [&](const SoughtRoot& zero) {
        return zero.count() == pole.count() && std::abs(zero.value - pole.value) <= nearly * std::abs(pole.value);
      });
      if (near == zeros.end()) return false;
      cancelling.push_back({pole.value, near->value, {}, 0});
      groups.push_back(pole);
      zeros.erase(near);
      return true;
    });
    double last = 0;
    const auto choose = [&](const std::vector<SoughtRoot>& side, std::size_t most, std::size_t& more) {
      std::size_t found = 0;
      for (const SoughtRoot& group : side) {
        const bool asked = options_.range ? std::abs(group.value) <= options_.range->second : found < most;
        if (!asked) {
          more += group.count();
          continue;
        }
        found += group.count();
        chosen_.push_back(group);
        last = std::max(last, group.zero ? 0 : std::abs(group.value));
      }
    };
    choose(zeros, 1, result_.more_zeros);
    choose(poles, 2, result_.more_poles);
    for (std::size_t i = 0; i < cancelling.size(); ++i) {
      const ShortForm::Pair& pair = cancelling[i];
      const bool between = std::abs(pair.pole) <= (options_.range ? options_.range->second : last);
      const std::size_t count = pair.pole.imag() == 0 ? 1 : 2;
      if (between) result_.cancelling.push_back(pair);
      if (between) hidden_.push_back(groups[i]);
      result_.more_poles += between ? 0 : count;
      result_.more_zeros += between ? 0 : count;
    }
    const double first = lowest_ == 0 ? 1 : lowest_;
    std::tie(result_.low, result_.high) = options_.range ? *options_.range : std::pair(first / 10, last == 0 ? first / 10 : last);
  }

  /// T·s^−k at rest.
  void add_gain() {
    const double slow = 1e-6 * (lowest_ == 0 ? 1 : lowest_);
    Asymptote rest{question_, slow, value_at(exact_, Complex(0, slow)), {}, 0};
    std::tie(rest.constant, rest.power) = at_rest(exact_);
    power_ = rest.power;
    const TransferOptions options{options_.budget, options_.seed};
    const double most = power_ > 0 ? options_.error / (1 + options_.error) : options_.error;  // 1/A_0 is what is said then
    const auto whole = asymptote_formula(graph_, rest, values_, most, error_shares, options);
    numeric_gain_ = whole ? whole->at_values : six_digits(rest.constant);
    if (!whole || letter_count(*whole) > few_letters)
      if (const auto parts = stages(graph_, rest, values_, options_.error, options)) {
        add_stages(*parts, rest.constant);
        return;
      }
    result_.form.gain = whole ? named(in_factors(whole->value)) : bare_number(rest.constant);
    say("A_0", whole, rest.constant);
    if (power_ != 0) add_integrators(rest.constant.sign() < 0);
  }

  void add_stages(const Stages& parts, const Rational& wanted) {
    numeric_gain_ = parts.first.at_values * parts.second.at_values;
    const std::string from = graph_[question_.input].name, to = graph_[question_.output].name;
    const GiNaC::ex first = defined_symbol("A_1", named(in_factors(parts.first.value)));
    ShortFraction own = parts.first;
    own.relative_error = ((own.at_values - parts.exact_first) / parts.exact_first).abs().to_double();
    say(corner_name(), own, parts.exact_first);
    result_.formulas.back().means = parts.between + "/" + from;
    const GiNaC::ex second = defined_symbol("A_2", named(in_factors(parts.second.value)));
    say(corner_name(), parts.second, wanted / parts.exact_first);
    result_.formulas.back().means = to + "/" + parts.between;
    result_.form.gain = first * second;
    const Rational error = ((numeric_gain_ - wanted) / wanted).abs();
    result_.formulas.push_back({"A_0", numeric_gain_.to_double(), wanted.to_double(), error.to_double() * upwards, 2, true, {}});
  }

  /// ω_u/s, s/ω_u; the gain is then ±1.
  void add_integrators(bool negative) {
    const GiNaC::ex size = negative ? -result_.form.gain : result_.form.gain;
    const long n = std::abs(power_);
    const GiNaC::ex frequency = power_ > 0 ? 1 / size : size;
    const Math unity = define("omega_u", n == 1 ? frequency : GiNaC::pow(frequency, GiNaC::numeric(1, n)));
    say_unity_gain();
    const auto raised = [&](Math base) { return n == 1 ? base : Math::power(std::move(base), Math::number(std::to_string(n))); };
    result_.form.gain = negative ? -1 : 1;
    result_.form.above.push_back(raised(power_ > 0 ? variable() : unity));
    result_.form.below.push_back(raised(power_ > 0 ? unity : variable()));
  }

  /// What was said of the gain, of its |s^k| now.
  void say_unity_gain() {
    ShortForm::Formula& said = result_.formulas.back();
    const double exponent = (power_ > 0 ? -1.0 : 1.0) / static_cast<double>(std::abs(power_));
    const auto of_gain = [&](double gain) { return std::pow(std::abs(gain), exponent); };
    const double ratio = said.value / said.exact;
    if (said.relative_error != 0) said.relative_error = std::abs(of_gain(ratio) - 1) * upwards;
    said.value = of_gain(said.value);
    said.exact = of_gain(said.exact);
    said.name = corner_name();
  }

  /// A long formula by names for its parts, which are defined before it.
  GiNaC::ex named(const GiNaC::ex& value) {
    auto parts = in_named_parts(value, few_letters, "X_", taken_, graph_.symbols);
    GiNaC::ex whole = parts.back().second;
    parts.pop_back();
    for (auto& [name, part] : parts) result_.form.definitions.push_back({std::move(name), std::move(part), {}});
    return whole;
  }
  GiNaC::ex defined_symbol(std::string name, GiNaC::ex value) {
    define(std::move(name), std::move(value));
    return GiNaC::symbol(corner_name());
  }
  /// The gain by its name, which other formulas may use.
  GiNaC::ex gain_symbol() {
    if (!gain_symbol_) {
      gain_symbol_ = defined_symbol("A_0", result_.form.gain);
      result_.form.gain = *gain_symbol_;
      std::ranges::find(result_.formulas, "A_0", &ShortForm::Formula::name)->name = corner_name();
    }
    return *gain_symbol_;
  }

  /// A root far below all others by the slope behind it: ω_p = |T(jω)·ω|/|A_0|.
  struct BySlope {
    ShortFraction slope;  ///< ω_p·A_0
    Rational at_values;   ///< ω_p
  };
  std::optional<BySlope> by_slope(const SoughtRoot& group) const {
    if (group.zero || group.count() != 1 || power_ != 0) return std::nullopt;
    constexpr double far = 10;
    const double corner = std::abs(group.value);
    double next = INFINITY;
    for (const double other : moduli_)
      if (other < corner)
        return std::nullopt;
      else if (other > corner)
        next = std::min(next, other);
    if (!(next > far * corner)) return std::nullopt;
    const double between = std::isfinite(next) ? std::sqrt(corner * next) : far * corner;
    const Asymptote behind{question_, between, value_at(exact_, Complex(0, between)), -group.wanted[0] * numeric_gain_, -1};
    auto found = asymptote_formula(graph_, behind, values_, options_.error, error_shares, {options_.budget, options_.seed});
    if (!found) return std::nullopt;
    Rational at_values = found->at_values / numeric_gain_;
    return BySlope{std::move(*found), std::move(at_values)};
  }

  std::vector<std::optional<ShortFraction>> formulas_of(const SoughtRoot& group, const EquationSystem& system,
                                                        std::uint64_t most_terms) const {
    return root_formulas(group, system, values_, options_.error, options_.budget.with_terms(most_terms));
  }

  /// A root that is asked for with its formulas, where there are any.
  struct Solved {
    SoughtRoot group;
    std::vector<std::optional<ShortFraction>> found;
    std::optional<BySlope> slope;  ///< where that is shorter
  };
  Solved solved(const SoughtRoot& group, const EquationSystem& system) const {
    auto slope = by_slope(group);
    auto found = formulas_of(group, system, slope ? few_terms : most_weighed_terms);
    const bool short_already = found[0] && letter_count(*found[0]) <= few_letters;
    const bool shorter = slope && !short_already && (!found[0] || letter_count(slope->slope) + 1 < letter_count(*found[0]));
    if (!shorter) slope.reset();
    return {group, std::move(found), std::move(slope)};
  }

  void add_root(const Solved& root_found) {
    const SoughtRoot& group = root_found.group;
    const std::vector<std::optional<ShortFraction>>& found = root_found.found;
    const std::optional<BySlope>& slope = root_found.slope;
    const auto of_kind = std::ranges::count_if(
        roots_, [&](const Solved& other) { return other.group.zero == group.zero && other.group.count() == group.count(); });
    const std::size_t number_of = ++count_[group.zero][group.count() - 1];
    const std::string suffix = of_kind == 1 ? "" : std::to_string(number_of);
    const auto value = [&](std::size_t i) { return found[i] ? found[i]->at_values : six_digits(group.wanted[i]); };
    const auto formula = [&](std::size_t i) { return found[i] ? in_factors(found[i]->value) : bare_number(group.wanted[i]); };
    Rational numeric = value(0);
    std::vector<Math>& side = group.zero ? result_.form.above : result_.form.below;
    RationalPolynomial& numbers = group.zero ? numeric_above_ : numeric_below_;
    if (group.count() == 1) {
      const bool left = group.value.real() < 0;
      const std::string name = (group.zero ? "omega_z" : "omega_p") + suffix;
      if (slope) {
        const GiNaC::ex gain = gain_symbol();
        define(name, in_factors(slope->slope.value) / gain);
        add(corner_name(), slope->slope, slope->at_values.to_double(), -group.wanted[0].to_double(),
            ((slope->at_values + group.wanted[0]) / group.wanted[0]).abs().to_double());
        ++result_.formulas.back().letters;
        numeric = -slope->at_values;
      } else {
        define(name, named(left ? -formula(0) : formula(0)));
        say(corner_name(), found[0], group.wanted[0], left ? -1 : 1);
      }
      const Math corner = Math::name(corner_name());
      const Math ratio = Math::quotient(variable(), corner);
      side.push_back(Math::sum({Math::number("1"), left ? ratio : Math::negative(ratio)}));
      numbers *= RationalPolynomial{Rational(-1) / numeric, 1};
      return;
    }
    const auto root = [](const GiNaC::ex& square) { return GiNaC::sqrt(square); };
    const Math frequency = define((group.zero ? "omega_0z" : "omega_0") + suffix, root(named(formula(0))));
    say_root(corner_name(), found[0], group.wanted[0]);
    std::vector<Math> terms{Math::number("1")};
    const double w0 = std::sqrt(value(0).to_double());
    Rational linear = 0;
    if (!group.wanted[1].is_zero()) {
      const bool left = group.value.real() < 0;
      const Math quality =
          define((group.zero ? "Q_z" : "Q") + (suffix.empty() || group.zero ? suffix : "_" + suffix), root(named(formula(1))));
      say_root(corner_name(), found[1], group.wanted[1]);
      const Math damping = Math::quotient(variable(), Math::product({quality, frequency}));
      terms.push_back(left ? damping : Math::negative(damping));
      linear = Rational::of((left ? 1 : -1) / (w0 * std::sqrt(value(1).to_double())));
    }
    terms.push_back(Math::power(Math::quotient(variable(), frequency), Math::number("2")));
    side.push_back(Math::sum(std::move(terms)));
    numbers *= RationalPolynomial{Rational(1) / value(0), linear, 1};
  }

  /// A zero and a pole of one formula are a factor of both sides: it is taken out, and they are said with those that cancel.
  void take_out_common() {
    const auto single = [](const Solved& each) { return each.group.count() == 1 && each.found[0] && !each.slope; };
    for (auto zero = roots_.begin(); zero != roots_.end();) {
      const auto pole = std::ranges::find_if(roots_, [&](const Solved& each) {
        return zero->group.zero && !each.group.zero && single(*zero) && single(each) &&
               in_factors(each.found[0]->value).is_equal(in_factors(zero->found[0]->value));
      });
      if (pole == roots_.end()) {
        ++zero;
        continue;
      }
      const double error = std::max(zero->found[0]->relative_error, pole->found[0]->relative_error) * upwards;
      result_.cancelling.push_back({pole->group.value, zero->group.value, in_factors(pole->found[0]->value), error});
      for (const Solved* each : {&*zero, &*pole})
        for (const auto& [left_out, standing] : each->found[0]->same) merge(left_out, standing);
      roots_.erase(pole);  // behind the zero
      zero = roots_.erase(zero);
    }
  }

  /// What a real pole that is left out beside a zero comes from; the zero is as near as the pair is.
  void add_hidden(const SoughtRoot& group, ShortForm::Pair& pair, const EquationSystem& system) const {
    if (group.count() != 1) return;
    const auto found = formulas_of(group, system, few_terms).front();
    if (!found || letter_count(*found) > few_letters) return;
    pair.formula = in_factors(found->value);
    for (const Complex root : {pair.pole, pair.zero})
      pair.relative_error = std::max(pair.relative_error, std::abs(found->at_values.to_double() / root.real() - 1) * upwards);
  }

  Math variable() const { return Math::name(result_.form.variable); }
  const std::string& corner_name() const { return result_.form.definitions.back().name; }

  Math define(std::string name, GiNaC::ex value) {
    while (std::ranges::find(taken_, name) != taken_.end()) name += "_";
    taken_.push_back(name);
    result_.form.definitions.push_back({name, std::move(value), {}});
    return Math::name(name);
  }

  /// @param sign  of what is written, beside what was looked for
  void say(const std::string& name, const std::optional<ShortFraction>& found, const Rational& wanted, int sign = 1) {
    const Rational value = found ? found->at_values : six_digits(wanted);
    const double error = found ? found->relative_error : ((value - wanted) / wanted).abs().to_double();
    add(name, found, sign * value.to_double(), sign * wanted.to_double(), error);
  }
  /// The same of a square root.
  void say_root(const std::string& name, const std::optional<ShortFraction>& found, const Rational& wanted) {
    const double ratio = ((found ? found->at_values : six_digits(wanted)) / wanted).to_double();
    const double exact = std::sqrt(wanted.to_double());
    add(name, found, exact * std::sqrt(ratio), exact, std::abs(std::sqrt(ratio) - 1));
  }
  void add(const std::string& name, const std::optional<ShortFraction>& found, double value, double exact, double error) {
    result_.formulas.push_back({name, value, exact, error * upwards, found ? letter_count(*found) : 0, found.has_value(), {}});
    if (!found) return;
    result_.formulas.back().sensitivity_error = found->sensitivity_error;
    for (const auto& [left_out, standing] : found->same) merge(left_out, standing);
  }

  /// Letters of one value, whichever formula they stand in: each that is left out once, with the one that stands for all.
  void merge(const std::string& left_out, const std::string& standing) {
    const auto stands_for = [&](const std::string& name) {
      const auto known = std::ranges::find(result_.same, name, &std::pair<std::string, std::string>::first);
      return known == result_.same.end() ? name : known->second;
    };
    const std::string letter = stands_for(left_out), other = stands_for(standing);
    if (letter == other) return;
    for (auto& pair : result_.same)
      if (pair.second == letter) pair.second = other;
    result_.same.emplace_back(letter, other);
  }

  void measure() {
    RationalPolynomial above = numeric_above_ * RationalPolynomial::constant(numeric_gain_), below = numeric_below_;
    for (long i = 0; i < std::abs(power_); ++i) (power_ > 0 ? above : below) *= RationalPolynomial::variable();
    ExactTransfer shown = exact_;
    shown.numerator = {{{0, std::move(above)}}};
    shown.denominator = {{{0, std::move(below)}}};
    result_.whole = deviation(shown, exact_, result_.low, result_.high);
  }

  const SignalFlowGraph& graph_;
  const Question& question_;
  const ShortOptions& options_;
  GiNaC::exmap values_;
  ExactTransfer exact_;
  RationalPolynomial above_, below_;
  double lowest_ = 0;
  std::vector<double> moduli_;               ///< of all roots that are not 0
  std::vector<SoughtRoot> chosen_, hidden_;  ///< hidden: the poles beside a zero
  std::vector<Solved> roots_;
  std::vector<std::string> taken_ = graph_.symbols.names();
  std::optional<GiNaC::ex> gain_symbol_;
  std::size_t count_[2][2] = {{0, 0}, {0, 0}};
  Rational numeric_gain_;
  long power_ = 0;
  RationalPolynomial numeric_above_{1}, numeric_below_{1};
  ShortForm result_;
};

}  // namespace

ShortForm short_form(const SignalFlowGraph& graph, const Question& question, const ShortOptions& options) {
  return Shortening(graph, question, options)();
}

}  // namespace sfg
