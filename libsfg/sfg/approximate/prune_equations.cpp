#include "sfg/approximate/prune_equations.hpp"

#include <ginac/ex.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sfg/error.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using ring::Polynomial;
using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;
using Vector = Eigen::VectorXcd;

constexpr std::size_t most_unknowns = 400;

/// One product in an entry of D.
struct Product {
  std::size_t row, column;
  std::vector<Complex> values;  ///< by frequency, in the scale of its row
  double influence = 0;         ///< greatest relative change of the response when it alone is left out
  bool kept = true;
};

class Pruning {
 public:
  Pruning(const EquationSystem& system, const EquationQuestion& question, const GiNaC::exmap& values,
          std::span<const TrueValue> truth, const Budget& budget)
      : system_(system),
        question_(question),
        truth_(truth),
        budget_(budget),
        entries_(system),
        generators_(generator_values(entries_.space(), values, truth)) {
    if (system.unknowns.size() > most_unknowns)
      throw LimitReached("the approximation of " + std::to_string(system.unknowns.size()) + " equations is too large",
                         Advice::reduce_graph | Advice::ask_sequence);
    find_products();
    invert();
  }

  PrunedEquations operator()(const ErrorLimit& limit) {
    std::vector<Product*> order;
    for (Product& product : products_) order.push_back(&product);
    for (Product* product : order) product->influence = influence(*product);
    std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->influence < b->influence; });
    std::size_t kept = products_.size();
    for (Product* product : order) {
      budget_.check("leaving out what hardly matters");
      if (!dispensable(*product, limit)) continue;
      drop(*product);
      --kept;
    }
    return {remaining(), kept, products_.size()};
  }

 private:
  std::vector<Complex> values_of(const Polynomial::Term& term) const {
    std::vector<Complex> values(truth_.size(), term.coefficient.to_double());
    for (const auto& [index, exponent] : term.powers)
      for (std::size_t f = 0; f < values.size(); ++f) values[f] *= std::pow(generators_[index][f], static_cast<int>(exponent));
    return values;
  }

  /// Rows are divided by their greatest value, so that a pivot says what it seems to say.
  void find_products() {
    const std::size_t n = system_.unknowns.size();
    right_.assign(truth_.size(), Vector::Zero(static_cast<Eigen::Index>(n)));
    for (std::size_t row = 0; row < n; ++row) {
      const std::size_t first = products_.size();
      double greatest = 0;
      while (products_.size() < entries_.all().size() && entries_.all()[products_.size()].row == row) {
        const EquationProducts::Product& entry = entries_.all()[products_.size()];
        products_.push_back({row, entry.column, values_of(entry.term)});
        for (const Complex value : products_.back().values) greatest = std::max(greatest, std::abs(value));
      }
      for (std::size_t i = first; i < products_.size(); ++i)
        for (Complex& value : products_[i].values) value /= greatest;
      if (const auto entry = system_.equations[row].right.find(question_.source); entry != system_.equations[row].right.end())
        for (const Polynomial::Term& term : entries_.polynomial(entry->second).terms()) {
          const std::vector<Complex> values = values_of(term);
          for (std::size_t f = 0; f < truth_.size(); ++f) right_[f](static_cast<Eigen::Index>(row)) += values[f] / greatest;
        }
    }
  }

  void invert() {
    const auto n = static_cast<Eigen::Index>(system_.unknowns.size());
    for (std::size_t f = 0; f < truth_.size(); ++f) {
      budget_.check("inverting the equations");
      Matrix D = Matrix::Zero(n, n);
      for (const Product& product : products_)
        D(static_cast<Eigen::Index>(product.row), static_cast<Eigen::Index>(product.column)) += product.values[f];
      inverse_.push_back(D.partialPivLu().inverse());
      if (!inverse_.back().allFinite())
        throw NoAnswer("the equations are singular at " + std::to_string(truth_[f].frequency) + " rad/s",
                       Advice::change_frequencies);
      solution_.push_back(inverse_.back() * right_[f]);
    }
  }

  /// The factor of the change D⁻¹ e_row: v x_column / (1 − v D⁻¹_(column,row)).
  Complex change(const Product& product, std::size_t f) const {
    const auto row = static_cast<Eigen::Index>(product.row), column = static_cast<Eigen::Index>(product.column);
    return product.values[f] / (1.0 - product.values[f] * inverse_[f](column, row));
  }
  Complex response(std::size_t f, Complex factor, Eigen::Index row) const {
    const auto signal = [&](std::size_t unknown) {
      const auto i = static_cast<Eigen::Index>(unknown);
      return solution_[f](i) + factor * inverse_[f](i, row);
    };
    return signal(question_.output) / (question_.reference ? signal(*question_.reference) : 1.0);
  }
  Complex response_without(const Product& product, std::size_t f) const {
    return response(f, change(product, f) * solution_[f](static_cast<Eigen::Index>(product.column)),
                    static_cast<Eigen::Index>(product.row));
  }

  double influence(const Product& product) const {
    double greatest = 0;
    for (std::size_t f = 0; f < truth_.size(); ++f) {
      const double ratio = std::abs(response_without(product, f) / truth_[f].value - 1.0);
      greatest = std::isfinite(ratio) ? std::max(greatest, ratio) : std::numeric_limits<double>::infinity();
    }
    return greatest;
  }

  /// A pivot that all but vanishes would leave an inverse without a correct digit.
  bool dispensable(const Product& product, const ErrorLimit& limit) const {
    constexpr double least_pivot = 1e-6;
    const auto row = static_cast<Eigen::Index>(product.row), column = static_cast<Eigen::Index>(product.column);
    for (std::size_t f = 0; f < truth_.size(); ++f) {
      if (!(std::abs(1.0 - product.values[f] * inverse_[f](column, row)) > least_pivot)) return false;
      if (!within(response_without(product, f), truth_[f].value, limit)) return false;
    }
    return true;
  }

  void drop(Product& product) {
    product.kept = false;
    const auto row = static_cast<Eigen::Index>(product.row), column = static_cast<Eigen::Index>(product.column);
    for (std::size_t f = 0; f < truth_.size(); ++f) {
      const Vector step = change(product, f) * inverse_[f].col(row);
      const Eigen::RowVectorXcd across = inverse_[f].row(column);
      solution_[f] += step * solution_[f](column);
      inverse_[f].noalias() += step * across;
    }
  }

  EquationSystem remaining() const {
    std::vector<bool> kept;
    for (const Product& product : products_) kept.push_back(product.kept);
    return entries_.of(kept);
  }

  const EquationSystem& system_;
  const EquationQuestion& question_;
  std::span<const TrueValue> truth_;
  const Budget& budget_;
  EquationProducts entries_;
  std::vector<std::vector<Complex>> generators_;  ///< by variable and frequency
  std::vector<Product> products_;
  std::vector<Matrix> inverse_;  ///< D⁻¹ at every frequency, and what it makes of the source
  std::vector<Vector> right_, solution_;
};

PolynomialSpace space_of(const EquationSystem& system, const GiNaC::ex& variable) {
  std::vector<GiNaC::ex> all{variable};
  for (const auto& equation : system.equations) {
    for (const auto& [column, entry] : equation.left) all.push_back(entry);
    for (const auto& [source, entry] : equation.right) all.push_back(entry);
  }
  return PolynomialSpace(all, variable);
}

}  // namespace

PrunedEquations pruned(const EquationSystem& system, const EquationQuestion& question, const GiNaC::exmap& values,
                       std::span<const TrueValue> truth, const ErrorLimit& limit, const Budget& budget) {
  refuse_laws(system, ", and terms are left out of linear equations");
  return Pruning(system, question, values, truth, budget)(limit);
}

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
