#include "sfg/approximate/equation_products.hpp"

#include <ginac/ex.h>

#include <map>

namespace sfg {

namespace {

PolynomialSpace space_of(const EquationSystem& system, const GiNaC::ex& variable) {
  std::vector<GiNaC::ex> all{variable};
  for (const auto& equation : system.equations) {
    for (const auto& [column, entry] : equation.left) all.push_back(entry);
    for (const auto& [source, entry] : equation.right) all.push_back(entry);
  }
  return PolynomialSpace(all, variable);
}

}  // namespace

EquationProducts::EquationProducts(const EquationSystem& system)
    : system_(system), space_(space_of(system, system.op.in(system.symbols))) {
  for (std::size_t row = 0; row < system.equations.size(); ++row)
    for (const auto& [column, entry] : system.equations[row].left)
      for (ring::Polynomial::Term& term : polynomial(entry).terms()) products_.push_back({row, column, std::move(term)});
}

ring::Polynomial EquationProducts::polynomial(const GiNaC::ex& entry) const {
  const RationalFunction fraction = space_.rational(entry);
  return exact_quotient(fraction.numerator(), fraction.denominator()).value();
}

EquationSystem EquationProducts::of(const std::vector<bool>& kept) const {
  EquationSystem result = system_;
  std::vector<std::map<std::size_t, std::vector<ring::Polynomial::Term>>> rows(result.equations.size());
  for (std::size_t i = 0; i < products_.size(); ++i)
    if (kept[i]) rows[products_[i].row][products_[i].column].push_back(products_[i].term);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    EquationSystem::Equation& equation = result.equations[row];
    std::map<std::size_t, ring::Polynomial> left, right;
    for (const auto& [column, terms] : rows[row]) left.emplace(column, ring::Polynomial::sum_of(space_.context(), terms));
    for (const auto& [source, entry] : equation.right) right.emplace(source, polynomial(entry));
    ring::Polynomial common(space_.context());
    for (const auto* side : {&left, &right})
      for (const auto& [key, entry] : *side) common = gcd(common, entry.monomial_content());
    const auto rest = [&](const ring::Polynomial& entry) { return space_.expression(exact_quotient(entry, common).value()); };
    equation.left.clear();
    for (const auto& [column, entry] : left) equation.left[column] = rest(entry);
    for (const auto& [source, entry] : right) equation.right[source] = rest(entry);
  }
  return result;
}

}  // namespace sfg
