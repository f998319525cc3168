#include "sfg/compare/comparison.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/response/compiled_response.hpp"
#include "sfg/response/enclosed_response.hpp"

namespace sfg {

namespace {

/// From the plainest on.
std::vector<double> plain_frequencies() {
  std::vector<double> all{1, 10, 0.1, 2, 5, 0.5, 100, 0.2, 0.01, 20, 50, 3, 1000};
  for (double decade = 1e-4; decade < 2e7; decade *= 10)
    for (const double digit : {1.0, 2.0, 5.0})
      if (const double value = digit * decade; std::ranges::find(all, value) == all.end()) all.push_back(value);
  return all;
}

/// A model with numbers for everything.
CompiledValues values_of(const SignalFlowGraph& graph, const Question& question, const GiNaC::exmap& values,
                         const std::vector<std::complex<double>>& s, const Budget& budget) {
  SignalFlowGraph valued = graph.substituted(values);
  return CompiledResponse(valued, std::span(&question, 1), {.budget = budget}).values(s, {}, {.threads = 1, .budget = budget});
}

double difference(std::complex<double> a, std::complex<double> b) {
  const bool finite_a = std::isfinite(std::abs(a)), finite_b = std::isfinite(std::abs(b));
  if (!finite_a || !finite_b) return finite_a == finite_b ? 0 : 1;
  const double size = std::max(std::abs(a), std::abs(b));
  return size == 0 ? 0 : std::abs(a - b) / size;
}

/// What the parameters are worth: for each attempt other integers for those without a value.
struct Valuation {
  GiNaC::exmap values = {};
  std::vector<std::pair<std::string, std::string>> texts = {};
  bool stated = true;
};

constexpr std::size_t keep_stated = 4;                   ///< attempts before stated values give way, too
constexpr std::size_t all_positive = 12, attempts = 20;  ///< attempts before, and with, letters that are negative

Valuation valuation(const ModelPair& pair, const std::set<std::string>& relevant, std::size_t attempt) {
  constexpr std::array<int, 8> plain{2, 3, 5, 7, 4, 6, 1, 9};
  const auto integer = [&](std::size_t i) { return i < plain.size() ? plain[i] : static_cast<int>(i) + 2; };
  Valuation result;
  const bool negative = attempt >= all_positive;
  std::size_t chosen = negative ? attempt - all_positive : attempt;  // all different: equal values may hide a difference
  for (const StatedValue& stated : stated_values(pair)) {
    if (!relevant.contains(stated.name)) continue;
    const Symbol* symbol = pair.a.graph.symbols.find(stated.name);
    if (symbol == nullptr) symbol = pair.b.graph.symbols.find(stated.name);
    GiNaC::ex value = stated.a ? *stated.a : stated.b.value_or(GiNaC::ex(0));
    if ((!stated.a && !stated.b) || attempt >= keep_stated || !symbol_names(value).empty()) {
      value = integer(chosen++);
      // all letters, then every second one: √a √b and √(ab) differ where both are negative
      if (negative && (attempt % 2 == 0 || chosen % 2 == 0)) value = -value;
      result.stated = false;
    }
    result.values[symbol->expr] = value;
    result.texts.emplace_back(stated.name, print(value));
  }
  return result;
}

GiNaC::ex complex_number(std::complex<double> value) {
  return numeric_value(exact::Rational::of(value.real())) + GiNaC::I * numeric_value(exact::Rational::of(value.imag()));
}

std::set<std::string> relevant_names(const ModelPair& pair, const TransferPair& transfer) {
  std::set<std::string> names;
  for (const auto& [graph, question] : {std::pair{&pair.a.graph, &transfer.a}, std::pair{&pair.b.graph, &transfer.b}}) {
    const std::vector<bool> nodes = relevant_nodes(*graph, *question);
    for (const Branch& branch : graph->branches())
      if (branch.linear() && nodes[branch.from.index] && nodes[branch.to.index])
        for (const std::string& name : symbol_names(branch.gain())) names.insert(name);
  }
  return names;
}

}  // namespace

double magnitude_db(std::complex<double> value) { return 20 * std::log10(std::abs(value)); }
double phase_deg(std::complex<double> value) { return std::arg(value) * 180 / std::numbers::pi; }

std::optional<Counterexample> counterexample(const ModelPair& pair, std::size_t transfer, const CounterexampleOptions& options) {
  const Budget& budget = options.budget;
  const TransferPair& asked = pair.transfers.at(transfer);
  const Operator& op = pair.a.graph.op;
  std::set<std::string> names = relevant_names(pair, asked);
  const bool dynamic = names.erase(op.symbol()) > 0;
  std::vector<double> frequencies = dynamic ? plain_frequencies() : std::vector{1.0};
  if (op.discrete()) {
    const double highest = std::numbers::pi / op.period().to_double();
    std::erase_if(frequencies, [&](double w) { return w >= highest; });
    for (const double part : {0.5, 0.25, 0.75, 0.1}) frequencies.push_back(part * highest);
  }
  std::vector<std::complex<double>> s;
  for (const double w : frequencies) s.push_back(op.at_frequency(w));
  constexpr double plain = 0.1, visible = 1e-7;
  for (std::size_t attempt = 0; attempt < (options.positive ? all_positive : attempts); ++attempt) {
    Valuation values = valuation(pair, names, attempt);
    try {
      const CompiledValues a = values_of(pair.a.graph, asked.a, values.values, s, budget);
      const CompiledValues b = values_of(pair.b.graph, asked.b, values.values, s, budget);
      std::size_t best = 0;
      for (std::size_t i = 0; i < s.size(); ++i) {
        const double here = difference(a.value[i], b.value[i]);
        if (here > difference(a.value[best], b.value[best])) best = i;
        const bool finite = std::isfinite(std::abs(a.value[i])) && std::isfinite(std::abs(b.value[i]));
        if (here >= plain && finite) {
          best = i;
          break;
        }
      }
      if (difference(a.value[best], b.value[best]) < visible) continue;
      GiNaC::exmap point = values.values;
      point[op.in(pair.a.graph.symbols)] = complex_number(s[best]);
      const bool apart = apart_at(pair.a.graph, asked.a, pair.b.graph, asked.b, point, budget).has_value();
      if (!apart && !options.known) continue;
      return Counterexample{transfer,
                            dynamic ? std::optional(frequencies[best]) : std::nullopt,
                            a.value[best],
                            b.value[best],
                            std::move(values.texts),
                            values.stated,
                            apart};
    } catch (const Error&) {  // these values divide by zero
    } catch (const NoAnswer&) {
    }
    budget.check("the counterexample");
  }
  return {};
}

std::optional<std::string> point_apart(const ModelPair& pair, std::size_t transfer, const CounterexampleOptions& options) {
  constexpr std::size_t points = 48;
  const TransferPair& asked = pair.transfers.at(transfer);
  const GiNaC::ex op = pair.a.graph.op.in(pair.a.graph.symbols);
  std::mt19937_64 random(20210517);
  for (std::size_t attempt = 0; attempt < points; ++attempt) {
    // within (−1, 1) where attempts are even: the domain of inverse functions
    const auto drawn = [&](bool positive) {
      const auto top = static_cast<std::int64_t>(random() % 997) + 1;
      return exact::Rational(positive || random() % 2 == 0 ? top : -top) / (attempt % 2 == 0 ? 1000 : 100);
    };
    GiNaC::exmap point;
    std::string text;
    for (const std::string& name : relevant_names(pair, asked)) {
      const Symbol* symbol = pair.a.graph.symbols.find(name);
      if (symbol == nullptr) symbol = pair.b.graph.symbols.find(name);
      if (symbol == nullptr) continue;
      const bool is_op = symbol->expr.is_equal(op);
      const exact::Rational re = drawn(!is_op && (options.positive || attempt % 3 == 0)), im = is_op ? drawn(false) : 0;
      point[symbol->expr] = numeric_value(re) + GiNaC::I * numeric_value(im);
      text += (text.empty() ? "" : ", ") + name + " = " + decimal(re, 6);
      if (is_op) text += (im.sign() < 0 ? " - " : " + ") + decimal(im.abs(), 6) + "j";
    }
    if (apart_at(pair.a.graph, asked.a, pair.b.graph, asked.b, point, options.budget)) return text;
  }
  return {};
}

}  // namespace sfg
