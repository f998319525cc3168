#include "sfg/expr/variable_map.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "sfg/error.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/name.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/print_form.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;

using ExSet = std::set<ex, GiNaC::ex_is_less>;

const Number& imaginary_base() {
  static const Number minus_one(-1);
  return minus_one;
}

/// Finds the symbols, kernels and roots of expressions. Its sets are for lookup; all order comes from the names.
class Collector {
 public:
  struct Named {
    std::string name;
    ex generator;
  };
  struct FoundRoot {
    ex base;
    std::int64_t degree = 1;
  };

  void visit(const ex& e) {
    if (GiNaC::is_exactly_a<Number>(e)) {
      if (!exact_number(e)) root(imaginary_base(), 2);
    } else if (GiNaC::is_exactly_a<GiNaC::add>(e) || GiNaC::is_exactly_a<GiNaC::mul>(e)) {
      for (std::size_t i = 0; i < e.nops(); ++i) visit(e.op(i));
    } else if (whole_exponent(e)) {
      visit_once(e.op(0));
    } else if (const auto constant = constant_root(e)) {
      if (constant->radicand != Number(1)) root(constant->radicand, 2);
    } else if (is_root(e)) {
      visit_once(e.op(0));
      root(e.op(0), ex_to<Number>(e.op(1)).denom());
    } else if (seen_.insert(e).second) {
      const bool is_symbol = GiNaC::is_a<GiNaC::symbol>(e);
      (is_symbol ? symbols : kernels).push_back({print(e), e});
    }
  }

  std::vector<Named> symbols;
  std::vector<Named> kernels;
  std::vector<FoundRoot> roots;  ///< in the order of discovery: a root after those in its base

 private:
  /// A shared subexpression is walked through once.
  void visit_once(const ex& e) {
    if (!GiNaC::is_exactly_a<GiNaC::add>(e) || walked_.insert(e).second) visit(e);
  }

  void root(const ex& base, const Number& degree) {
    static const Number greatest(std::numeric_limits<std::int64_t>::max());
    const auto [entry, is_new] = root_index_.emplace(base, roots.size());
    if (is_new) roots.push_back({base, 1});
    const Number common = lcm(Number(roots[entry->second].degree), degree);
    if (common > greatest) throw LimitReached("an exponent has a denominator of more than 18 digits", "round the exponent");
    roots[entry->second].degree = whole_value(common);
  }

  ExSet seen_, walked_;
  std::map<ex, std::size_t, GiNaC::ex_is_less> root_index_;
};

void order_by_name(std::vector<Collector::Named>& list) {
  std::ranges::stable_sort(list, [](const auto& a, const auto& b) { return name_less(a.name, b.name); });
}

using Add = std::function<std::size_t(const std::string& name, const ex& generator)>;

void place_kernels(VariableMap& map, std::span<const Collector::Named> kernels, const Add& add) {
  std::map<std::string, std::vector<ExponentialFamily>> families;  // by text: GiNaC may hold one thing in two forms
  for (const auto& [name, kernel] : kernels) {
    const auto exponent = exponential(kernel);
    if (!exponent) continue;
    auto& known = families[print(exponent->unit)];
    if (std::ranges::none_of(known, [&](ExponentialFamily& family) { return family.join(exponent->multiple); }))
      known.emplace_back(*exponent);
  }
  std::map<std::string, std::size_t> known;
  for (const auto& [name, kernel] : kernels) {
    std::string variable = name;
    ex generator = kernel;
    long power = 1;
    if (const auto exponent = exponential(kernel)) {
      const auto family = std::ranges::find_if(families.at(print(exponent->unit)),
                                               [&](const auto& one) { return one.contains(exponent->multiple); });
      generator = family->generator();
      variable = print(generator);
      power = family->power(exponent->multiple);
    }
    if (!known.contains(variable)) known[variable] = add(variable, generator);
    map.places[kernel] = {known[variable], power};
  }
}

}  // namespace

VariableMap::VariableMap(std::span<const ex> expressions, const ex& main) {
  Collector found;
  for (const ex& e : expressions) found.visit(e);
  order_by_name(found.symbols);
  order_by_name(found.kernels);

  std::vector<std::string> names;
  const Add add = [&](const std::string& name, const ex& generator) {
    names.push_back(name);
    generators.push_back(generator);
    return generators.size() - 1;
  };
  const bool has_main = GiNaC::is_a<GiNaC::symbol>(main);
  if (has_main) places[main] = {add(print(main), main), 1};
  for (const auto& [name, symbol] : found.symbols)
    if (!has_main || !symbol.is_equal(main)) places[symbol] = {add(name, symbol), 1};

  place_kernels(*this, found.kernels, add);

  std::ranges::reverse(found.roots);
  std::vector<std::string> root_names;
  for (const auto& [base, degree] : found.roots) {
    roots.push_back({0, degree, base});
    root_names.push_back(print(GiNaC::power(base, Number(1, degree))));
  }
  std::vector<std::size_t> order(roots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return name_less(root_names[a], root_names[b]); });
  for (const std::size_t i : order)
    roots[i].variable = add(root_names[i], GiNaC::power(roots[i].base, Number(1, roots[i].degree)));
  for (std::size_t i = 0; i < roots.size(); ++i) root_of[roots[i].base] = i;
  context = std::make_shared<const ring::PolynomialContext>(std::move(names));
}

VariableMap::Place VariableMap::place(const ex& e) const {
  if (is_root(e)) {
    const auto found = root_of.find(e.op(0));
    if (found == root_of.end()) return {0, 0};
    const Root& root = roots[found->second];
    const Number power = ex_to<Number>(e.op(1)) * Number(root.degree);
    if (!power.is_integer()) return {0, 0};
    return {root.variable, whole_value(power)};
  }
  const auto found = places.find(e);
  return found == places.end() ? Place{0, 0} : found->second;
}

}  // namespace sfg
