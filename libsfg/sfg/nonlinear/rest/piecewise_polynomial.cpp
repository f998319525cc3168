#include "sfg/nonlinear/rest/piecewise_polynomial.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "sfg/numeric/lookup_table.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Coefficients = std::vector<double>;
using Piece = PiecewisePolynomial::Piece;

constexpr std::size_t most_pieces = 20'000;  ///< of a quantiser with very small steps
constexpr long highest_power = 30;

Coefficients sum(const Coefficients& a, const Coefficients& b) {
  Coefficients result(std::max(a.size(), b.size()), 0);
  for (std::size_t i = 0; i < a.size(); ++i) result[i] += a[i];
  for (std::size_t i = 0; i < b.size(); ++i) result[i] += b[i];
  return result;
}

Coefficients product(const Coefficients& a, const Coefficients& b) {
  if (a.empty() || b.empty()) return {};
  Coefficients result(a.size() + b.size() - 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) result[i + j] += a[i] * b[j];
  return result;
}

double value(const Coefficients& c, double x) {
  double result = 0;
  for (std::size_t i = c.size(); i-- > 0;) result = result * x + c[i];
  return result;
}

bool is_linear(const Coefficients& c) {
  return std::all_of(c.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, c.size())), c.end(),
                     [](double x) { return x == 0; });
}

/// No piecewise polynomial, or not one that is found here.
struct Other {};

class Reading {
 public:
  Reading(const ex& u, double radius) : u_(u), radius_(radius) {}

  PiecewisePolynomial operator()(const ex& e) const {
    if (e.is_equal(u_)) return whole({0, 1});
    if (!e.has(u_)) return whole({number(e)});
    if (GiNaC::is_exactly_a<GiNaC::add>(e)) return folded(e, sum);
    if (GiNaC::is_exactly_a<GiNaC::mul>(e)) return folded(e, product);
    if (GiNaC::is_exactly_a<GiNaC::power>(e)) return raised(e);
    if (GiNaC::is_exactly_a<GiNaC::function>(e)) return function(e);
    throw Other{};
  }

 private:
  static double number(const ex& e) {
    const ex n = e.evalf();
    if (!GiNaC::is_exactly_a<GiNaC::numeric>(n) || !ex_to<GiNaC::numeric>(n).is_real()) throw Other{};
    return ex_to<GiNaC::numeric>(n).to_double();
  }

  PiecewisePolynomial whole(Coefficients c) const { return {{{-radius_, radius_, std::move(c)}}}; }

  using Binary = Coefficients (*)(const Coefficients&, const Coefficients&);
  PiecewisePolynomial folded(const ex& e, Binary operation) const {
    PiecewisePolynomial result = (*this)(e.op(0));
    for (std::size_t i = 1; i < e.nops(); ++i) result = combined(result, (*this)(e.op(i)), operation);
    return result;
  }

  PiecewisePolynomial raised(const ex& e) const {
    if (!GiNaC::is_exactly_a<GiNaC::numeric>(e.op(1))) throw Other{};
    const auto& n = ex_to<GiNaC::numeric>(e.op(1));
    if (!n.is_pos_integer() || n > highest_power) throw Other{};
    const PiecewisePolynomial base = (*this)(e.op(0));
    PiecewisePolynomial result = base;
    for (long i = 1; i < n.to_long(); ++i) result = combined(result, base, product);
    return result;
  }

  static PiecewisePolynomial combined(const PiecewisePolynomial& a, const PiecewisePolynomial& b, Binary operation) {
    PiecewisePolynomial result;
    for (std::size_t i = 0, j = 0; i < a.pieces.size() && j < b.pieces.size();) {
      const double low = std::max(a.pieces[i].low, b.pieces[j].low), high = std::min(a.pieces[i].high, b.pieces[j].high);
      add(result, {low, high, operation(a.pieces[i].coefficients, b.pieces[j].coefficients)});
      (a.pieces[i].high <= b.pieces[j].high ? i : j) += 1;
    }
    return result;
  }

  static void add(PiecewisePolynomial& to, Piece piece) {
    if (to.pieces.size() >= most_pieces) throw Other{};
    if (piece.high > piece.low) to.pieces.push_back(std::move(piece));
  }

  /// Cuts every piece of a function that is linear between its corners where it passes one of the levels.
  static PiecewisePolynomial cut(const PiecewisePolynomial& argument,
                                 const std::function<std::vector<double>(double, double)>& levels,
                                 const std::function<Coefficients(const Coefficients&, double)>& piece) {
    PiecewisePolynomial result;
    for (const Piece& p : argument.pieces) {
      if (!is_linear(p.coefficients)) throw Other{};
      const double slope = p.coefficients.size() > 1 ? p.coefficients[1] : 0,
                   offset = p.coefficients.empty() ? 0 : p.coefficients[0];
      std::set<double> ends{p.low, p.high};
      const double a = value(p.coefficients, p.low), b = value(p.coefficients, p.high);
      if (slope != 0)
        for (const double level : levels(std::min(a, b), std::max(a, b)))
          if (const double x = (level - offset) / slope; p.low < x && x < p.high) ends.insert(x);
      for (auto low = ends.begin(), high = std::next(low); high != ends.end(); ++low, ++high)
        add(result, {*low, *high, piece(p.coefficients, value(p.coefficients, (*low + *high) / 2))});
    }
    return result;
  }

  PiecewisePolynomial function(const ex& e) const {
    const std::string name = ex_to<GiNaC::function>(e).get_name();
    const auto zero = [](double, double) { return std::vector<double>{0}; };
    const auto negative = [](const Coefficients& c) { return product({-1}, c); };
    const PiecewisePolynomial x = (*this)(e.op(0));
    if (name == "abs") return cut(x, zero, [&](const Coefficients& c, double at) { return at < 0 ? negative(c) : c; });
    if (name == "sign")
      return cut(x, zero, [](const Coefficients&, double at) { return Coefficients{at > 0 ? 1.0 : at < 0 ? -1.0 : 0.0}; });
    if (name == "step") return cut(x, zero, [](const Coefficients&, double at) { return Coefficients{at < 0 ? 0.0 : 1.0}; });
    if (name == "floor") {
      const auto whole_numbers = [](double low, double high) {
        if (high - low > static_cast<double>(most_pieces)) throw Other{};
        std::vector<double> levels;
        for (double k = std::ceil(low); k <= high; ++k) levels.push_back(k);
        return levels;
      };
      return cut(x, whole_numbers, [](const Coefficients&, double at) { return Coefficients{std::floor(at)}; });
    }
    if (name == "min" || name == "max") {  // min(x, y) = y + min(x − y, 0)
      const PiecewisePolynomial y = (*this)(e.op(1));
      const bool least = name == "min";
      const PiecewisePolynomial difference =
          combined(x, y, [](const Coefficients& a, const Coefficients& b) { return sum(a, product({-1}, b)); });
      return combined(
          y, cut(difference, zero, [&](const Coefficients& c, double at) { return (at < 0) == least ? c : Coefficients{}; }),
          sum);
    }
    if (name == "lookup") return table(x, ex_to<GiNaC::numeric>(e.op(1)).to_long());
    throw Other{};
  }

  static PiecewisePolynomial table(const PiecewisePolynomial& x, long code) {
    const numeric::LookupTable& points = numeric::table_of_number(static_cast<std::size_t>(code / 8));
    if (points.interpolation() != numeric::Interpolation::linear || code % 8 != 0) throw Other{};
    const auto knots = [&](double, double) { return std::vector<double>(points.x().begin(), points.x().end()); };
    return cut(x, knots, [&](const Coefficients& c, double at) {
      const double slope = points.value(at, 1);
      return sum(product({slope}, c), {points.value(at) - slope * at});
    });
  }

  const ex& u_;
  double radius_;
};

}  // namespace

std::optional<PiecewisePolynomial> piecewise_polynomial(const ex& law, const ex& u, double radius) {
  try {
    return Reading(u, radius)(law);
  } catch (const Other&) {
    return {};
  }
}

double describing_function(const PiecewisePolynomial& f, double amplitude) {
  std::size_t powers = 0;
  for (const Piece& piece : f.pieces) powers = std::max(powers, piece.coefficients.size());
  // ∫ cos^n = (cos^(n−1) sin + (n − 1) ∫ cos^(n−2))/n
  const auto integrals = [&](double x) {
    const double c = std::clamp(x / amplitude, -1.0, 1.0), angle = std::acos(c), s = std::sqrt((1 - c) * (1 + c));
    std::vector<double> all(powers + 2);
    all[0] = angle;
    all[1] = s;
    for (std::size_t n = 2; n < all.size(); ++n)
      all[n] = (std::pow(c, static_cast<double>(n - 1)) * s + static_cast<double>(n - 1) * all[n - 2]) / static_cast<double>(n);
    return all;
  };
  double result = 0;
  for (const Piece& piece : f.pieces) {
    const std::vector<double> from = integrals(piece.high), to = integrals(piece.low);
    double scale = 1;
    for (std::size_t n = 0; n < piece.coefficients.size(); ++n, scale *= amplitude)
      result += piece.coefficients[n] * scale * (to[n + 1] - from[n + 1]);
  }
  return 2 / (std::numbers::pi * amplitude) * result;
}

}  // namespace sfg
