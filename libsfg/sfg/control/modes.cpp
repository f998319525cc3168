#include "sfg/control/modes.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>

#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/numeric/dense.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;
using exact::Rational;
using exact::RationalPolynomial;

/// By Horner's rule in exact numbers: rounded once.
Complex value_at(const RationalPolynomial& p, const Rational& re, const Rational& im) {
  Rational x = 0, y = 0;
  for (const Rational& c : p.coefficients()) {
    Rational next = x * re - y * im + c;
    y = x * im + y * re;
    x = std::move(next);
  }
  return {x.to_double(), y.to_double()};
}

/// The sum of the moduli of the terms: what the value is small or large against.
double size_at(const RationalPolynomial& p, double modulus) {
  double size = 0;
  for (const Rational& c : p.coefficients()) size = size * modulus + std::abs(c.to_double());
  return size;
}

/// D(p), and the sizes of its entries before anything in them cancels.
struct Dynamics {
  Matrix values;
  Eigen::MatrixXd sizes;
};

/// Rows and columns of like size: powers of two, so that nothing is rounded. An entry that is nothing but rounding stays nothing.
/// The null vectors are those of the balanced matrix once multiplied by the factors of the columns.
Eigen::VectorXd balance(Dynamics& D) {
  constexpr int rounds = 4;
  Eigen::VectorXd columns = Eigen::VectorXd::Ones(D.values.cols());
  const auto power = [](double largest) { return largest > 0 ? std::ldexp(1.0, -std::ilogb(largest)) : 1.0; };
  for (int round = 0; round < rounds; ++round) {
    for (Eigen::Index i = 0; i < D.values.rows(); ++i) {
      const double factor = power(D.sizes.row(i).maxCoeff());
      D.sizes.row(i) *= factor;
      D.values.row(i) *= factor;
    }
    for (Eigen::Index j = 0; j < D.values.cols(); ++j) {
      const double factor = power(D.sizes.col(j).maxCoeff());
      D.sizes.col(j) *= factor;
      D.values.col(j) *= factor;
      columns[j] *= factor;
    }
  }
  return columns;
}

/// The same space with ones and zeros in the pivots' rows: real where the space is, and as sparse as it can be.
void reduce(Matrix& basis) {
  for (Eigen::Index k = 0; k < basis.cols(); ++k) {
    Eigen::Index row = 0, column = 0;
    basis.rightCols(basis.cols() - k).cwiseAbs().maxCoeff(&row, &column);
    basis.col(k).swap(basis.col(k + column));
    basis.col(k) /= Complex(basis(row, k));
    for (Eigen::Index j = 0; j < basis.cols(); ++j)
      if (j != k) basis.col(j) -= Complex(basis(row, j)) * basis.col(k).eval();
  }
}

/// The largest component is 1; of equal ones the first.
std::vector<Complex> scaled_shape(const Eigen::VectorXcd& shape, bool is_real) {
  constexpr double equal = 1 - 1e-9, nothing = 1e-15;
  const double largest = shape.cwiseAbs().maxCoeff();
  Eigen::Index first = 0;
  while (std::abs(shape[first]) < equal * largest) ++first;
  std::vector<Complex> result;
  for (Eigen::Index i = 0; i < shape.size(); ++i) {
    const Complex z = i == first ? Complex(1) : shape[i] / shape[first];
    const auto part = [](double x) { return std::abs(x) < nothing ? 0.0 : x; };
    result.emplace_back(part(z.real()), is_real ? 0.0 : part(z.imag()));
  }
  return result;
}

/// A multiplicity is known exactly; how many shapes there are to it is read off the singular values.
std::vector<std::vector<Complex>> null_space(Dynamics D, std::size_t multiplicity, bool is_real) {
  constexpr double nothing = 1e-9;  // of entries whose size is about 1
  const Eigen::VectorXd columns = balance(D);
  const Eigen::JacobiSVD<Matrix> decomposition(D.values, Eigen::ComputeFullV);
  const auto& values = decomposition.singularValues();
  Eigen::Index count = 1;
  while (count < static_cast<Eigen::Index>(multiplicity) && count < values.size() && values[values.size() - 1 - count] < nothing)
    ++count;
  Matrix basis = columns.asDiagonal() * decomposition.matrixV().rightCols(count);
  reduce(basis);
  std::vector<std::vector<Complex>> shapes;
  for (Eigen::Index k = 0; k < count; ++k) shapes.push_back(scaled_shape(basis.col(k), is_real));
  return shapes;
}

/// Poles on the axis alone, oscillations among them, none of which grows for want of shapes.
bool is_undamped(const PolesZeros& poles) {
  bool oscillates = false;
  for (const Mode& mode : poles.modes) {
    if (!mode.pole.on_axis) return false;
    if (mode.pole.is_real) continue;
    oscillates = true;
    if (mode.shapes.size() < mode.pole.multiplicity) return false;
  }
  return oscillates && !poles.op.discrete();
}

}  // namespace

ModeKind kind_of(const Mode& mode) {
  if (mode.frequency == 0) return ModeKind::rigid;
  return mode.pole.is_real ? ModeKind::real : ModeKind::oscillating;
}

const char* name_of(ModeKind kind) {
  switch (kind) {
    case ModeKind::rigid: return "rigid";
    case ModeKind::oscillating: return "oscillating";
    case ModeKind::real: break;
  }
  return "real";
}

void add_shapes(PolesZeros& poles, const EquationSystem& equations, const Budget& budget) {
  const auto rows = operator_rows(equations, budget);
  const auto n = static_cast<Eigen::Index>(equations.unknowns.size());
  poles.signals.clear();
  for (const auto& unknown : equations.unknowns) poles.signals.push_back(unknown.name);
  for (Mode& mode : poles.modes) {
    budget.check("the shapes of the modes");
    const Rational above = mode.pole.imaginary.abs();  // one of a pair has the conjugate shapes of the other
    const Rational re = mode.pole.on_axis && !poles.op.discrete() ? Rational(0) : mode.pole.real;
    Dynamics D{Matrix::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const auto& [column, entry] : rows[i]) {
        const auto row = static_cast<Eigen::Index>(i), place = static_cast<Eigen::Index>(column);
        D.values(row, place) = value_at(entry, re, above);
        D.sizes(row, place) = size_at(entry, std::abs(mode.pole.value));
      }
    mode.shapes = null_space(std::move(D), mode.pole.multiplicity, mode.pole.is_real);
    if (mode.pole.imaginary.sign() < 0)
      for (auto& shape : mode.shapes)
        for (Complex& z : shape)
          if (z.imag() != 0) z = std::conj(z);
  }
  if (poles.output.empty()) poles.undamped = is_undamped(poles);
}

void choose_signals(PolesZeros& poles, const EquationSystem& equations, std::span<const std::string> names) {
  const GiNaC::exmap values = equations.symbols.values();
  const GiNaC::ex p = equations.op.in(equations.symbols);
  const auto at = [&](const std::string& name) { return std::ranges::find(poles.signals, name) - poles.signals.begin(); };
  const auto component = [&](const std::string& name, const std::vector<Complex>& shape, const Complex& pole) {
    if (const auto place = at(name); place < std::ssize(poles.signals)) return shape[static_cast<std::size_t>(place)];
    Complex sum = 0;
    for (const auto& definition : equations.definitions)
      if (definition.name == name)
        for (const auto& [signal, factor] : definition.terms)
          if (const auto place = at(signal); place < std::ssize(poles.signals))
            sum += shape[static_cast<std::size_t>(place)] *
                   complex_value(factor.subs(values, GiNaC::subs_options::no_pattern), p, pole).value_or(0);
    return sum;
  };
  for (Mode& mode : poles.modes)
    for (auto& shape : mode.shapes) {
      Eigen::VectorXcd chosen(static_cast<Eigen::Index>(names.size()));
      for (std::size_t i = 0; i < names.size(); ++i)
        chosen[static_cast<Eigen::Index>(i)] = component(names[i], shape, mode.pole.value);
      const bool moves = chosen.size() > 0 && chosen.cwiseAbs().maxCoeff() > 0;
      shape = moves ? scaled_shape(chosen, mode.pole.is_real) : std::vector<Complex>(names.size());
    }
  poles.signals.assign(names.begin(), names.end());
}

PolesZeros poles(const EquationSystem& equations, const PolesOptions& options) {
  constexpr std::size_t for_shapes = 40;
  const std::vector<exact::Rational> characteristic = characteristic_coefficients(equations, options.budget);
  const auto with_digits = [&](std::size_t digits) { return poles_zeros(characteristic, equations.op, digits); };
  PolesZeros found = with_digits(options.shapes ? std::max(options.digits, for_shapes) : options.digits);
  const bool on_axis = std::ranges::all_of(found.modes, [](const Mode& mode) { return mode.pole.on_axis; });
  if (options.shapes) {
    add_shapes(found, equations, options.budget);
  } else if (on_axis && found.modes.size() > 1) {
    PolesZeros shaped = with_digits(for_shapes);
    add_shapes(shaped, equations, options.budget);
    found.undamped = shaped.undamped;
  }
  return found;
}

}  // namespace sfg
