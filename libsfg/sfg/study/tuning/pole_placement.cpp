#include "sfg/study/tuning/pole_placement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sfg/error.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Complex = std::complex<double>;

/// A polynomial with its derivatives, lowest power first: p^(order)(s)/order!.
Complex taylor(std::span<const double> p, Complex s, std::size_t order) {
  Complex sum = 0;
  for (std::size_t k = p.size(); k > order; --k) {
    double binomial = 1;
    for (std::size_t j = 0; j < order; ++j) binomial *= static_cast<double>(k - 1 - j) / static_cast<double>(j + 1);
    sum = sum * s + binomial * p[k - 1];
  }
  return sum;
}

/// Roots as eigenvalues of the companion matrix in the variable s/size, then Newton's steps where they help.
std::vector<Complex> roots(std::span<const double> p) {
  while (!p.empty() && p.back() == 0) p = p.first(p.size() - 1);
  std::vector<Complex> result;
  while (p.size() > 1 && p.front() == 0) p = p.subspan(1), result.push_back(0);
  if (p.size() < 2) return result;
  const auto degree = static_cast<Eigen::Index>(p.size() - 1);
  const double size = std::pow(std::abs(p.front() / p.back()), 1.0 / static_cast<double>(degree));
  Eigen::MatrixXd companion = Eigen::MatrixXd::Zero(degree, degree);
  companion.diagonal(-1).setOnes();
  double power = 1;
  for (Eigen::Index k = degree; k-- > 0;) {
    power *= size;
    companion(k, degree - 1) = -p[static_cast<std::size_t>(k)] / p.back() / power;
  }
  if (!companion.allFinite()) return result;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(companion, false);
  for (Complex s : solver.eigenvalues()) {
    s *= size;
    for (int step = 0; step < 3; ++step) {
      const Complex next = s - taylor(p, s, 0) / taylor(p, s, 1);
      if (!(std::abs(taylor(p, next, 0)) < std::abs(taylor(p, s, 0)))) break;
      s = next;
    }
    result.push_back(s);
  }
  return result;
}

/// Whether every wanted pole finds a pole of its own no farther than `reach` (augmenting paths); `of` then says which.
class Matching {
 public:
  Matching(const std::vector<Complex>& wanted, const std::vector<Complex>& poles) : wanted_(wanted), poles_(poles) {}

  bool within(double reach) {
    taken_.assign(poles_.size(), free);
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      std::vector<bool> tried(poles_.size());
      if (!augment(i, reach, tried)) return false;
    }
    return true;
  }
  std::vector<std::size_t> of() const {
    std::vector<std::size_t> result(wanted_.size());
    for (std::size_t j = 0; j < taken_.size(); ++j)
      if (taken_[j] != free) result[taken_[j]] = j;
    return result;
  }

 private:
  static constexpr std::size_t free = std::numeric_limits<std::size_t>::max();
  bool augment(std::size_t i, double reach, std::vector<bool>& tried) {
    for (std::size_t j = 0; j < poles_.size(); ++j) {
      if (tried[j] || std::abs(poles_[j] - wanted_[i]) > reach) continue;
      tried[j] = true;
      if (taken_[j] == free || augment(taken_[j], reach, tried)) {
        taken_[j] = i;
        return true;
      }
    }
    return false;
  }
  const std::vector<Complex>& wanted_;
  const std::vector<Complex>& poles_;
  std::vector<std::size_t> taken_;
};

/// The assignment whose greatest distance is least: by bisection among the distances there are.
std::vector<std::size_t> matched(const std::vector<Complex>& wanted, const std::vector<Complex>& poles) {
  std::vector<double> reach;
  for (const Complex& w : wanted)
    for (const Complex& p : poles) reach.push_back(std::abs(p - w));
  std::ranges::sort(reach);
  Matching matching(wanted, poles);
  std::size_t low = 0, high = reach.size() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (matching.within(reach[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  matching.within(reach[low]);
  return matching.of();
}

void require_conjugates(const std::vector<Complex>& wanted) {
  for (const Complex& w : wanted)
    if (std::ranges::count(wanted, w) != std::ranges::count(wanted, std::conj(w)))
      throw Error(Diagnostic{{}, "a complex pole is to be placed without its conjugate", "list both: -2+3j,-2-3j"});
}

}  // namespace

PolePlacement::PolePlacement(const SignalFlowGraph& graph, const Question& question, const std::vector<std::string>& parameters,
                             std::vector<Complex> wanted, const Budget& budget)
    : program_(graph, question, parameters, budget), parameters_(parameters.size()), wanted_(std::move(wanted)) {
  require_conjugates(wanted_);
  const std::size_t poles = program_.denominator_size() == 0 ? 0 : program_.denominator_size() - 1;
  if (wanted_.size() > poles)
    throw Error(Diagnostic{
        {},
        std::to_string(wanted_.size()) + " poles are to be placed, and the transfer function has " + std::to_string(poles),
        "list no more poles than there are"});
}

std::vector<double> PolePlacement::denominator(std::span<const double> parameters, std::vector<double>* slopes) const {
  const numeric::Tape& tape = program_.tape();
  const std::size_t first = program_.numerator_size(), count = program_.denominator_size();
  std::vector<double> all(tape.outputs().size());
  if (slopes == nullptr) {
    all = tape.values<double>(parameters);
  } else {
    slopes->resize(count * parameters_);
    std::vector<double> seeds(all.size()), workspace(2 * tape.instructions().size());
    for (std::size_t k = 0; k < count; ++k) {
      seeds.assign(seeds.size(), 0);
      seeds[first + k] = 1;
      tape.gradient<double>(parameters, seeds, all, std::span(*slopes).subspan(k * parameters_, parameters_), workspace);
    }
  }
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(first + count)};
}

PolePlacement::Match PolePlacement::match(std::span<const double> parameters) const {
  std::vector<double> slopes;
  const std::vector<double> D = denominator(parameters, &slopes);
  const std::vector<Complex> poles = roots(D);
  Match result;
  if (poles.size() < wanted_.size() || !std::ranges::all_of(D, [](double d) { return std::isfinite(d); })) return result;
  const std::vector<std::size_t> of = matched(wanted_, poles);
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    const Complex pole = poles[of[i]], off = pole - wanted_[i], steep = taylor(D, pole, 1);
    result.poles.push_back(pole);
    result.distances.push_back(std::abs(off));
    for (std::size_t k = 0; k < parameters_; ++k) {
      Complex change = 0;  // dp/dk = -(∂D/∂k)/(∂D/∂s)
      for (std::size_t j = D.size(); j-- > 0;) change = change * pole + slopes[j * parameters_ + k];
      change /= -steep;
      const double slope = std::real(std::conj(off) * change) / std::abs(off);
      result.slopes.push_back(std::isfinite(slope) ? slope : 0);
    }
  }
  return result;
}

PolePlacement::Residuals PolePlacement::residuals(std::span<const double> parameters) const {
  std::vector<double> slopes;
  const std::vector<double> D = denominator(parameters, &slopes);
  Residuals result;
  const auto add = [&](double value, std::span<const double> row) {
    result.values.push_back(value);
    result.slopes.insert(result.slopes.end(), row.begin(), row.end());
  };
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    const Complex s = wanted_[i];
    if (s.imag() < 0) continue;
    const auto order = static_cast<std::size_t>(std::count(wanted_.begin(), wanted_.begin() + static_cast<std::ptrdiff_t>(i), s));
    double size = 0;
    std::vector<double> magnitudes;
    for (const double d : D) magnitudes.push_back(std::abs(d));
    size = std::abs(taylor(magnitudes, std::abs(s), order));
    if (!(size > 0)) size = 1;
    const Complex value = taylor(D, s, order) / size;
    std::vector<double> real, imaginary, column(D.size());
    for (std::size_t k = 0; k < parameters_; ++k) {
      for (std::size_t j = 0; j < D.size(); ++j) column[j] = slopes[j * parameters_ + k];
      const Complex slope = taylor(column, s, order) / size;  // the size is taken as constant: it vanishes with the value
      real.push_back(slope.real());
      imaginary.push_back(slope.imag());
    }
    add(value.real(), real);
    if (s.imag() > 0) add(value.imag(), imaginary);
  }
  return result;
}

}  // namespace sfg
