#include "sfg/approximate/rest_formula.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sfg/approximate/simplified_graph.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/parallel.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {

namespace {

using exact::Rational;

ErrorLimit limit_of_part(double part) { return {20 * std::log10(1 + part), part * 57}; }

/// Nodes other than the ends without which no path leads from one to the other.
std::vector<std::string> passed_by_all(const SignalFlowGraph& graph, NodeId from, NodeId to) {
  const auto reached = [&](std::optional<NodeId> without) {
    std::vector<bool> seen(graph.nodes().size());
    std::vector<std::size_t> stack{from.index};
    seen[from.index] = true;
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      for (const Branch& branch : graph.branches())
        if (branch.from.index == at && !seen[branch.to.index] && !(without && branch.to.index == without->index)) {
          seen[branch.to.index] = true;
          stack.push_back(branch.to.index);
        }
    }
    return seen;
  };
  std::vector<std::string> result;
  for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId node = graph.find(graph.nodes()[i].name).value();
    if (node.index == from.index || node.index == to.index) continue;
    if (!reached(node)[to.index]) result.push_back(graph.nodes()[i].name);
  }
  return result;
}

std::size_t letters_in(const Math& tree) {
  std::vector<std::string> names;
  const auto visit = [&](const auto& self, const Math& part) -> void {
    if (part.kind == Math::Kind::name && std::ranges::find(names, part.text) == names.end()) names.push_back(part.text);
    for (const Math& each : part.parts) self(self, each);
  };
  visit(visit, tree);
  return names.size();
}

/// The part with the most letters that are not too many, not the whole: a sum or a parallel combination of three and more, else
/// whatever combines letters.
const Math* longest_part(const Math& tree, std::size_t most) {
  using Kind = Math::Kind;
  for (const bool sums : {true, false}) {
    const Math* best = nullptr;
    std::size_t letters = sums ? 2 : 1;
    const auto visit = [&](const auto& self, const Math& part) -> void {
      for (const Math& each : part.parts) {
        const bool combines = each.kind == Kind::sum || each.kind == Kind::relation ||
                              (!sums && (each.kind == Kind::product || each.kind == Kind::quotient));
        if (const std::size_t found = letters_in(each); combines && found > letters && found <= most) {
          best = &each;
          letters = found;
        }
        self(self, each);
      }
    };
    visit(visit, tree);
    if (best != nullptr) return best;
  }
  return nullptr;
}

/// How many formulas it takes, and the letters of the longest beyond those that are few.
std::pair<std::size_t, std::size_t> named_size(const ShortFraction& found, const SymbolTable& symbols) {
  std::vector<std::string> taken = symbols.names();
  std::size_t beyond = 0;
  const auto parts = in_named_parts(found.value.expression(), few_letters, "X_", taken, symbols);
  for (const auto& [name, value] : parts)
    beyond = std::max(beyond, std::max(symbol_names(value).size(), few_letters) - few_letters);
  return {beyond, parts.size()};
}

void replace(Math& tree, const Math& part, const Math& by) {
  for (Math& each : tree.parts)
    if (each == part)
      each = by;
    else
      replace(each, part, by);
}

}  // namespace

std::size_t letter_count(const ShortFraction& found) { return symbol_names(found.value.expression()).size(); }

void keep_shorter(std::optional<ShortFraction>& best, ShortFraction found) {
  const auto size = [](const ShortFraction& each) {
    return std::pair(letter_count(each), each.value.numerator().term_count() + each.value.denominator().term_count());
  };
  if (!best || size(found) < size(*best)) best = std::move(found);
}

std::optional<ShortFraction> shortened_if_near(const RationalFunction& value, const GiNaC::exmap& values, const Rational& wanted,
                                               double limit, const Budget& budget) {
  try {
    if (!(((value_of(value, values) - wanted) / wanted).abs().to_double() <= 0.97 * limit)) return std::nullopt;
  } catch (const NoAnswer&) {  // a denominator that vanishes
    return std::nullopt;
  }
  return shortened(value, values, wanted, limit, budget);
}

std::optional<ShortFraction> asymptote_formula(const SignalFlowGraph& graph, const Asymptote& at, const GiNaC::exmap& values,
                                               double limit, std::span<const double> shares, const TransferOptions& options) {
  const std::vector<TrueValue> truth{{at.frequency, at.value}};
  std::optional<ShortFraction> best;
  for (const double share : shares) {
    if (best && letter_count(*best) <= few_letters) break;
    try {
      const SimplifiedGraph simple = simplified(graph, at.question, values, truth, limit_of_part(share * limit), options.budget);
      const RationalFunction value =
          transfer_function(simple.graph, simple.question, {options.budget.with_terms(most_weighed_terms), options.seed}).value;
      for (const auto& [i, n] : value.numerator().sparse_coefficients(0))
        for (const auto& [j, d] : value.denominator().sparse_coefficients(0))
          if (static_cast<long>(i) - static_cast<long>(j) == at.power)
            if (auto found = shortened_if_near(RationalFunction(value.space(), n, d), values, at.constant, limit, options.budget))
              keep_shorter(best, std::move(*found));
    } catch (const LimitReached&) {
      options.budget.check("the approximation");  // it was the time that ended
    } catch (const NoAnswer&) {                   // equations that were simplified too much
    }
  }
  return best;
}

std::pair<Rational, long> at_rest(const ExactTransfer& transfer) {
  const auto lowest = [](const exact::RationalPolynomial& side) {
    std::size_t power = 0;
    while (side.coefficient(power).is_zero()) ++power;
    return std::pair(side.coefficient(power), static_cast<long>(power));
  };
  const auto [over, zeros] = lowest(transfer.numerator.polynomial());
  const auto [under, poles] = lowest(transfer.denominator.polynomial());
  return {over / under, zeros - poles};
}

std::optional<Stages> stages(const SignalFlowGraph& graph, const Asymptote& at, const GiNaC::exmap& values, double limit,
                             const TransferOptions& options) {
  if (at.question.reference || at.power != 0) return std::nullopt;
  constexpr double half[] = {0.3};
  const std::vector<TrueValue> truth{{at.frequency, at.value}};
  const SimplifiedGraph simple = simplified(graph, at.question, values, truth, limit_of_part(0.6 * limit), options.budget);
  const SignalFlowGraph numbered = graph.substituted(values);
  std::optional<Stages> best;
  const auto size = [&](const Stages& each) {
    const auto first = named_size(each.first, graph.symbols), second = named_size(each.second, graph.symbols);
    return std::tuple(std::max(first.first, second.first), first.second + second.second,
                      letter_count(each.first) + letter_count(each.second));
  };
  for (const std::string& name : passed_by_all(simple.graph, simple.question.input, simple.question.output)) {
    const auto node = graph.find(name);  // the simplified graph has nodes of its own, too; e_… only add
    if (!node || name.starts_with("e_") || node->index == at.question.input.index || node->index == at.question.output.index)
      continue;
    Asymptote first = at, second = at;
    first.question.output = *node;
    const ExactTransfer exact = exact_transfers(numbered, std::span(&first.question, 1), options).front();
    if (!exact.rational() || exact.numerator.polynomial().is_zero()) continue;
    std::tie(first.constant, first.power) = at_rest(exact);
    if (first.power != 0) continue;
    first.value = value_at(exact, {0, at.frequency});
    second.question = {*node, at.question.output, Question::Mode::ratio, driver(at.question)};
    second.constant = at.constant / first.constant;
    second.value = at.value / first.value;
    const Rational exact_first = first.constant;
    auto behind = asymptote_formula(graph, second, values, limit / 2, half, options);
    if (!behind) continue;
    first.constant = at.constant / behind->at_values;  // what makes the product right
    auto before = asymptote_formula(graph, first, values, limit, half, options);
    if (!before) continue;
    Stages found{name, std::move(*before), std::move(*behind), exact_first};
    if (!best || size(found) < size(*best)) best = std::move(found);
  }
  return best;
}

std::vector<std::pair<std::string, GiNaC::ex>> in_named_parts(const GiNaC::ex& value, std::size_t most, const std::string& letter,
                                                              std::vector<std::string>& taken, const SymbolTable& symbols) {
  std::vector<std::pair<std::string, GiNaC::ex>> result;
  SymbolTable names = symbols;
  const auto expression = [&](const Math& tree) { return parse(write(tree, Notation::text), names); };
  Math tree = parallel_math(value);
  for (std::size_t number = 1; letters_in(tree) > most;) {
    const Math* const part = longest_part(tree, most);
    if (part == nullptr) break;
    std::string name = letter + std::to_string(number++);
    while (std::ranges::find(taken, name) != taken.end()) name = letter + std::to_string(number++);
    taken.push_back(name);
    const Math named = *part;
    result.emplace_back(name, expression(named));
    replace(tree, named, Math::name(name));
  }
  if (result.empty()) return {{{}, value}};
  result.emplace_back(std::string(), expression(tree));
  return result;
}

}  // namespace sfg
