#include "sfg/approximate/approximate.hpp"

#include <ginac/ginac.h>

#include <algorithm>

#include "sfg/exact/roots.hpp"
#include "sfg/expr/constant.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;

/// At the stated values.
std::vector<Complex> roots_of(const ring::Polynomial& factor, const PolynomialSpace& space, const GiNaC::exmap& values) {
  std::vector<exact::Rational> numbers;
  for (const ring::Polynomial& coefficient : factor.coefficients(0)) {
    const auto number = rational_value(space.expression(coefficient).subs(values, GiNaC::subs_options::no_pattern));
    if (!number) return {};
    numbers.push_back(*number);
  }
  return exact::root_values(numbers);
}

}  // namespace

StandardApproximation standard_form(const ApproximateTransfer& transfer, const SignalFlowGraph& graph,
                                    const PositiveLetters& letters, const Budget& budget) {
  const RationalFunction& value = transfer.by_roots ? transfer.by_roots->value : transfer.value;
  const ring::Polynomial one = ring::Polynomial::constant(value.space().context(), 1);
  const FactoredTransfer factors = factored(TransferFunction{transfer.question, value, one, {}, {}}, letters, budget);
  const GiNaC::exmap values = graph.parameter_values();
  StandardApproximation result{standard(factors, value.space(), values, graph.symbols.names()),
                               transfer.by_roots ? transfer.by_roots->error : transfer.error,
                               {}};
  std::vector<Complex> poles = transfer.exact_poles, zeros = transfer.exact_zeros;
  std::erase(poles, 0.0);
  std::erase(zeros, 0.0);
  for (const StandardTransfer::Roots& roots : result.form.roots) {
    StandardApproximation::Roots found{roots.names, roots.zeros, roots_of(roots.factor, value.space(), values), {}, 0};
    std::vector<Complex>& exact = roots.zeros ? zeros : poles;
    if (found.values.empty() || exact.size() < found.values.size()) continue;
    for (const Complex root : found.values) {
      found.exact.push_back(take_nearest(exact, root));
      found.relative_error = std::max(found.relative_error, std::abs(root - found.exact.back()) / std::abs(found.exact.back()));
    }
    result.roots.push_back(std::move(found));
  }
  return result;
}

}  // namespace sfg
