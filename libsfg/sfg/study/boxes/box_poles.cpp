#include "sfg/study/boxes/box_poles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sfg/numeric/numbers.hpp"
#include "sfg/numeric/polynomial_roots.hpp"

namespace sfg {

using ring::ComplexJet;
using ring::Interval;
using ring::Jet;
using ring::ParameterBox;

namespace {

using Complex = std::complex<double>;
using JetPolynomial = std::vector<Jet>;

struct Rectangle {
  Interval real, imaginary;
};
Rectangle operator-(const Rectangle& a, const Rectangle& b) { return {a.real - b.real, a.imaginary - b.imaginary}; }
Rectangle operator+(const Rectangle& a, const Rectangle& b) { return {a.real + b.real, a.imaginary + b.imaginary}; }
Rectangle operator-(const Rectangle& a) { return {-a.real, -a.imaginary}; }
Rectangle operator*(const Rectangle& a, const Rectangle& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
Rectangle operator/(const Rectangle& a, const Rectangle& b) {
  const Interval norm = square(b.real) + square(b.imaginary);
  const Rectangle product = a * Rectangle{b.real, -b.imaginary};
  return {product.real / norm, product.imaginary / norm};
}
bool rectangle_excludes_zero(const Rectangle& z) { return !z.real.contains(0) || !z.imaginary.contains(0); }
bool finite_rectangle(const Rectangle& z) { return z.real.finite() && z.imaginary.finite(); }
/// Inside, without touching an edge that is not on the real axis already.
bool strictly_inside(const Rectangle& inner, const Rectangle& outer) {
  const auto within = [](const Interval& a, const Interval& b) {
    return (b.low < a.low && a.high < b.high) || (a.zero() && b.zero());
  };
  return within(inner.real, outer.real) && within(inner.imaginary, outer.imaginary);
}
bool disjoint(const Rectangle& a, const Rectangle& b) { return !common(a.real, b.real) || !common(a.imaginary, b.imaginary); }

using ComplexPolynomial = std::vector<ComplexJet>;

ComplexJet box_value_at(const ComplexPolynomial& p, const Rectangle& z) {
  const ComplexJet at{z.real, z.imaginary};
  ComplexJet result;
  for (std::size_t k = p.size(); k-- > 0;) result = result * at + p[k];
  return result;
}
Rectangle rectangle_of(const ComplexJet& z) { return {z.real.value(), z.imaginary.value()}; }

ComplexPolynomial derivative_of(const ComplexPolynomial& p) {
  ComplexPolynomial result;
  for (std::size_t k = 1; k < p.size(); ++k) {
    const Jet factor(static_cast<double>(k));
    result.push_back({factor * p[k].real, factor * p[k].imaginary});
  }
  return result;
}

/// D(z₀ + h)/D′(z₀) by powers of h: what all coefficients have in common is divided out, and near a simple root it is h and
/// little more.
struct Shifted {
  Complex from;
  ComplexPolynomial p;
};

std::optional<Shifted> shifted(const JetPolynomial& d, const Complex& from) {
  ComplexPolynomial p;
  for (const Jet& coefficient : d) p.push_back({coefficient, Jet()});
  const ComplexJet step{from.real(), from.imag()};
  for (std::size_t i = 0; i + 1 < p.size(); ++i)
    for (std::size_t j = p.size() - 1; j-- > i;) p[j] = p[j] + step * p[j + 1];
  if (!rectangle_excludes_zero(rectangle_of(p[1]))) return {};
  const ComplexJet slope = p[1];
  for (std::size_t k = 0; k < p.size(); ++k) p[k] = k == 1 ? ComplexJet{1.0, Jet()} : p[k] / slope;
  return Shifted{from, std::move(p)};
}

/// Where h can be: h = −p₀/(1 + p₂h + p₃h² + …) for every point of the box.
std::optional<Rectangle> newton_rectangle(const ComplexPolynomial& p, const Rectangle& h) {
  const Rectangle slope = rectangle_of(box_value_at({p.begin() + 1, p.end()}, h));
  if (!rectangle_excludes_zero(slope)) return {};
  const Rectangle next = -(rectangle_of(p.front()) / slope);
  return finite_rectangle(next) ? std::optional(next) : std::nullopt;
}

Rectangle about(const Complex& z, double radius) {
  return {{z.real() - radius, z.real() + radius}, z.imag() == 0 ? Interval() : Interval(z.imag() - radius, z.imag() + radius)};
}

Rectangle narrowed(const ComplexPolynomial& p, Rectangle h) {
  for (int round = 0; round < 5; ++round) {
    const auto next = newton_rectangle(p, h);
    if (!next) break;
    const auto real = common(h.real, next->real), imaginary = common(h.imaginary, next->imaginary);
    if (!real || !imaginary) break;
    const bool better = real->width() < 0.9 * h.real.width() || imaginary->width() < 0.9 * h.imaginary.width();
    h = {*real, *imaginary};
    if (!better) break;
  }
  return h;
}

/// A rectangle about z₀ with exactly one root for every point of the box (Brouwer; D is injective where the hull of its
/// derivative is without 0); of a real one a piece of the real axis.
std::optional<Rectangle> simple_root(const Shifted& D) {
  const bool real = D.from.imag() == 0;
  double radius = 1e-9 * std::abs(D.from) + 1e-300;
  for (int round = 0; round < 10; ++round) {
    const Rectangle cell{{-radius, radius}, real ? Interval() : Interval(-radius, radius)};
    const auto next = newton_rectangle(D.p, cell);
    if (!next) return {};
    if (strictly_inside(*next, cell)) {
      if (!rectangle_excludes_zero(rectangle_of(box_value_at(derivative_of(D.p), *next)))) return {};  // there may be two
      return narrowed(D.p, *next);
    }
    radius = 1.1 * std::max(next->real.greatest(), next->imaginary.greatest()) + 1e-14 * std::abs(D.from);
  }
  return {};
}

/// h_k = −p_k/p′, and once more.
ComplexJet complex_root_jet(const ParameterBox& box, const ParameterBox& point, const Shifted& D, const Rectangle& h) {
  const std::size_t n = box.size();
  ComplexPolynomial at_centre;
  for (const ComplexJet& c : D.p) at_centre.push_back({c.real.at_centre(point), c.imaginary.at_centre(point)});
  const Rectangle middle = narrowed(at_centre, h);
  const ComplexPolynomial first = derivative_of(D.p);
  const auto slope = [](const ComplexJet& f, std::size_t k) { return Rectangle{f.real.slope(k), f.imaginary.slope(k)}; };
  const auto second = [](const ComplexJet& f, std::size_t i, std::size_t j) {
    return Rectangle{f.real.second(i, j), f.imaginary.second(i, j)};
  };
  const ComplexJet narrow = box_value_at(at_centre, middle), wide = box_value_at(D.p, h), wide_first = box_value_at(first, h);
  const Rectangle narrow_first = rectangle_of(box_value_at(derivative_of(at_centre), middle)), over = rectangle_of(wide_first),
                  twice = rectangle_of(box_value_at(derivative_of(first), h));
  const Rectangle from{D.from.real(), D.from.imag()}, root = from + h, central = from + middle;
  for (const ComplexJet* f : {&narrow, &wide, &wide_first})
    if (!f->real.smooth() || !f->imaginary.smooth()) return {Jet::rough(root.real), Jet::rough(root.imaginary)};
  std::vector<Rectangle> centre_slopes, slopes, seconds;
  for (std::size_t k = 0; k < n; ++k) {
    centre_slopes.push_back(-(slope(narrow, k) / narrow_first));
    slopes.push_back(-(slope(wide, k) / over));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      seconds.push_back(-((second(wide, i, j) + slope(wide_first, i) * slopes[j] + slope(wide_first, j) * slopes[i] +
                           twice * slopes[i] * slopes[j]) /
                          over));
  const auto part = [&](Interval Rectangle::*of) {
    const auto all = [&](const std::vector<Rectangle>& list) {
      std::vector<Interval> result;
      for (const Rectangle& z : list) result.push_back(z.*of);
      return result;
    };
    return Jet::of(box, central.*of, root.*of, all(centre_slopes), all(slopes), all(seconds));
  };
  return {part(&Rectangle::real), D.from.imag() == 0 ? Jet() : part(&Rectangle::imaginary)};
}

std::vector<Complex> central_roots(const JetPolynomial& p) {
  std::vector<double> centre;
  for (const Jet& coefficient : p) centre.push_back(coefficient.centre().middle());
  const std::size_t n = centre.size() - 1;
  const double radius = std::pow(std::abs(centre.front() / centre.back()), 1.0 / static_cast<double>(n));
  std::vector<Complex> starts;
  for (std::size_t k = 0; k < n; ++k)
    starts.push_back(std::polar(radius, 0.4 + 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n)));
  numeric::ComplexRoots roots;
  const auto found = roots(centre, starts);
  return {found.begin(), found.end()};
}

/// Smith's discs: their union holds all roots, and as many of every part of it as there are discs.
std::vector<Rectangle> discs(const JetPolynomial& p, std::vector<Complex> z) {
  const std::size_t n = z.size();
  for (std::size_t i = 0; i < n; ++i)  // no two alike
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(z[i] - z[j]) < 1e-6 * std::abs(z[i])) z[i] += Complex(2e-6, 1e-6) * std::abs(z[i]);
  ComplexPolynomial complex;
  for (const Jet& coefficient : p) complex.push_back({coefficient, Jet()});
  std::vector<Rectangle> result;
  for (std::size_t i = 0; i < n; ++i) {
    Rectangle weight = rectangle_of(box_value_at(complex, about(z[i], 0))) / Rectangle{p.back().value(), {}};
    for (std::size_t j = 0; j < n; ++j)
      if (j != i) weight = weight / (Rectangle{z[i].real(), z[i].imag()} - Rectangle{z[j].real(), z[j].imag()});
    const double radius = static_cast<double>(n) * sqrt(square(weight.real) + square(weight.imaginary)).high * (1 + 1e-12);
    result.push_back({{z[i].real() - radius, z[i].real() + radius}, {z[i].imag() - radius, z[i].imag() + radius}});
  }
  return result;
}

/// Discs that touch become one group.
std::vector<BoxPole> grouped(std::vector<Rectangle> parts) {
  std::vector<BoxPole> groups;
  for (const Rectangle& part : parts) groups.push_back({part.real, part.imaginary, 1, {}, false});
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = i + 1; j < groups.size(); ++j)
      if (!disjoint({groups[i].real, groups[i].imaginary}, {groups[j].real, groups[j].imaginary})) {
        groups[i].real = hull(groups[i].real, groups[j].real);
        groups[i].imaginary = hull(groups[i].imaginary, groups[j].imaginary);
        groups[i].count += groups[j].count;
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(j));
        i = 0, j = 0;
      }
  return groups;
}

/// D without a real root, or without a pair.
JetPolynomial deflated(const JetPolynomial& d, const ComplexJet& root, bool real) {
  if (real) {
    JetPolynomial q(d.size() - 1);
    for (std::size_t k = q.size(); k-- > 0;) q[k] = k + 1 == q.size() ? d[k + 1] : d[k + 1] + root.real * q[k + 1];
    return q;
  }
  const Jet twice = Jet(2.0) * root.real, norm = square_of_modulus(root);
  JetPolynomial q(d.size() - 2);
  for (std::size_t k = q.size(); k-- > 0;) {
    q[k] = d[k + 2];
    if (k + 1 < q.size()) q[k] = q[k] + twice * q[k + 1];
    if (k + 2 < q.size()) q[k] = q[k] - norm * q[k + 2];
  }
  return q;
}

/// Takes the root out that is isolated best. Says whether there was one.
bool take_simple_root(const ParameterBox& box, JetPolynomial& d, std::vector<BoxPole>& found) {
  const std::vector<Complex> centre = central_roots(d);
  if (centre.size() + 1 != d.size()) return false;
  std::optional<Shifted> best;
  Rectangle offset;
  double least = infinity;
  for (const Complex& z : centre) {
    if (z.imag() < 0) continue;
    auto polynomial = shifted(d, z);
    const auto h = polynomial ? simple_root(*polynomial) : std::nullopt;
    if (!h || (z.imag() > 0 && z.imag() + h->imaginary.low <= 0)) continue;
    double nearest = infinity;
    for (const Complex& other : centre)
      if (other != z) nearest = std::min(nearest, std::abs(other - z));
    const double size = std::max(h->real.greatest(), h->imaginary.greatest()) / nearest;
    if (size < least) least = size, best = std::move(polynomial), offset = *h;
  }
  if (!best) return false;
  const bool real = best->from.imag() == 0;
  const ComplexJet root = complex_root_jet(box, box.point(), *best, offset);
  if (!root.real.smooth() || !root.imaginary.smooth()) return false;
  found.push_back({root.real.value(), root.imaginary.value(), 1, root, real});
  d = deflated(d, root, real);
  return true;
}

/// The roots of what has degree 1 or 2.
void add_last_roots(const JetPolynomial& d, std::vector<BoxPole>& found, bool together) {
  const auto add = [&](const ComplexJet& root, bool real) {
    found.push_back({root.real.value(), root.imaginary.value(), 1, root, real});
  };
  if (d.size() == 2) return add({-(d[0] / d[1]), Jet()}, true);
  const Jet half = Jet(-0.5) * (d[1] / d[2]), product = d[0] / d[2], discriminant = square(half) - product;
  const Interval& sign = discriminant.value();
  constexpr double near = 0.25;  // of the half sum, squared: partial fractions of such lose what they are told apart by
  const bool two = together && sign.greatest() < near * square(half.value()).low;
  if (sign.high < 0 && !two) return add({half, sqrt(-discriminant)}, false);
  if (sign.low > 0 && !two) {
    const Jet root = sqrt(discriminant);
    add({half + root, Jet()}, true);
    return add({half - root, Jet()}, true);
  }
  const double apart = std::sqrt(std::max(0.0, sign.high)) * (1 + 1e-15),
               above = std::sqrt(std::max(0.0, -sign.low)) * (1 + 1e-15);
  found.push_back({half.value() + Interval(-apart, apart), {0, above}, 2, {}, false, BoxPole::Two{half, discriminant}});
}

}  // namespace

std::optional<std::vector<BoxPole>> box_poles(const ParameterBox& box, std::span<const Jet> ascending, bool together) {
  JetPolynomial p(ascending.begin(), ascending.end());
  std::vector<BoxPole> result;
  while (!p.empty() && p.back().constant() && p.back().value().zero()) p.pop_back();
  if (p.empty() || p.back().value().contains(0)) return {};
  std::size_t at_zero = 0;
  while (p.front().constant() && p.front().value().zero()) p.erase(p.begin()), ++at_zero;
  if (at_zero > 0) result.push_back({{}, {}, at_zero, ComplexJet{}, true});
  while (p.size() > 3 && take_simple_root(box, p, result)) {
  }
  if (p.size() == 1) return result;
  if (p.size() <= 3) {
    if (p.back().value().contains(0)) return {};
    add_last_roots(p, result, together);
    return result;
  }
  const std::vector<Complex> centre = central_roots(p);
  if (centre.size() + 1 != p.size() || p.back().value().contains(0)) return {};
  std::vector<BoxPole> groups = grouped(discs(p, centre));
  std::erase_if(groups, [](const BoxPole& group) { return group.imaginary.high < 0; });
  result.insert(result.end(), groups.begin(), groups.end());
  return result;
}

BoxPoles::BoxPoles(const ParameterBox& box, const BoxTransfer& T) : period_(T.period), poles_(box_poles(box, T.below)) {}

/// The pole itself, or of a system in z the logarithm over the sample time.
ComplexJet BoxPoles::in_s(const BoxPole& pole) const {
  const ComplexJet p = pole.root.value_or(ComplexJet{Jet::rough(pole.real), Jet::rough(pole.imaginary)});
  if (period_ == 0) return p;
  const Jet h(Interval::rounded(period_)), real = Jet(0.5) * log(square_of_modulus(p)) / h;
  if (pole.on_axis && p.real.value().low > 0) return {real, Jet()};
  if (!pole.root) return {real, Jet::rough({0, (Interval::rounded(std::numbers::pi) / h.value()).high})};
  if (pole.on_axis) return {real, Jet(Interval::rounded(std::numbers::pi)) / h};
  return {real, argument(p) / h};
}

Jet BoxPoles::abscissa() const {
  if (!poles_) return Jet::rough(Interval::everything());
  Jet result = Jet::rough({-infinity, -infinity});
  for (const BoxPole& pole : *poles_) {
    Jet real = in_s(pole).real;
    if (pole.two && period_ == 0) real = real.within({pole.two->half.value().low, infinity});
    result = max(result, real);
  }
  return result;
}

Jet BoxPoles::damping() const {
  if (!poles_) return Jet::rough({-1, infinity});
  Jet result = Jet::rough({infinity, infinity});
  for (const BoxPole& pole : *poles_) {
    if (pole.on_axis && (period_ == 0 || pole.real.low >= 0)) continue;
    const ComplexJet p = in_s(pole);
    if (pole.root) {
      result = min(result, -p.real / sqrt(square_of_modulus(p)));
      continue;
    }
    const Interval ratio = (-p.real / sqrt(square_of_modulus(p))).value();
    result = min(result, Jet::rough({std::isfinite(ratio.low) ? std::max(-1.0, ratio.low) : -1, infinity}));
  }
  return result;
}

Jet BoxPole::Two::product() const { return square(half) - discriminant; }

namespace {

/// The moduli of what is no single pole.
Interval moduli(const BoxPole& pole) { return sqrt(square(pole.real) + square(pole.imaginary)); }

double central(const Jet& x) { return x.smooth() ? x.centre().middle() : x.value().middle(); }

}  // namespace

const BoxPole* BoxPoles::mode(double frequency) const {
  const BoxPole* found = nullptr;
  double nearest = infinity;
  if (!poles_ || !std::isfinite(frequency)) return found;
  for (const BoxPole& pole : *poles_) {
    double distance = 0;
    if (pole.root) {
      const ComplexJet p = in_s(pole);
      distance = std::abs(std::hypot(central(p.real), central(p.imaginary)) - frequency);
    } else if (period_ == 0) {
      const Interval all = moduli(pole);
      distance = all.contains(frequency) ? 0 : std::min(std::abs(all.low - frequency), std::abs(all.high - frequency));
    } else {
      return nullptr;
    }
    if (distance < nearest || (distance == nearest && !pole.root)) nearest = distance, found = &pole;
  }
  return found;
}

/// Of two that are real the mode of the smaller number is the slower one.
Jet BoxPoles::frequency_of_two(const BoxPole& pole, double at_centre, std::size_t number) const {
  const Interval product = pole.two->product().value(), half = pole.two->half.value(),
                 apart = sqrt(Interval(0, std::max(0.0, pole.two->discriminant.value().high)));
  if (half.high >= 0 || product.low <= 0) return Jet::rough(moduli(pole));
  const Interval together = sqrt(product), slower{(product / (-half + apart)).low, together.high},
                 faster{together.low, (-half + apart).high};
  std::size_t before = 0;
  for (const BoxPole& other : *poles_) {
    if (&other == &pole) continue;
    if (!other.root) return Jet::rough(hull(slower, faster));
    const ComplexJet p = in_s(other);
    if (std::hypot(central(p.real), central(p.imaginary)) < at_centre) ++before;
  }
  return Jet::rough(number == before + 1 ? slower : number == before + 2 ? faster : hull(slower, faster));
}

/// Whether there are nowhere so many modes.
bool BoxPoles::has_no(std::size_t number) const {
  if (!poles_) return false;
  std::size_t most = 0;
  for (const BoxPole& pole : *poles_) most += pole.count;
  return number > most;
}

Jet BoxPoles::mode_frequency(double at_centre, std::size_t number) const {
  if (has_no(number)) return Jet::rough({infinity, infinity});
  const BoxPole* pole = mode(at_centre);
  if (pole == nullptr) return Jet::rough({0, infinity});
  if (pole->two) return frequency_of_two(*pole, at_centre, number);
  if (!pole->root) return Jet::rough(moduli(*pole));
  const ComplexJet p = in_s(*pole);
  return p.imaginary.constant() && p.imaginary.value().zero() ? abs(p.real) : sqrt(square_of_modulus(p));
}

Jet BoxPoles::mode_damping(double frequency_at_centre, std::size_t number) const {
  if (has_no(number)) return Jet::rough({infinity, infinity});
  const BoxPole* pole = mode(frequency_at_centre);
  if (pole == nullptr) return Jet::rough({-1, 1});
  if (pole->two && pole->two->half.value().high < 0 && pole->two->product().value().low > 0)
    return min(Jet(1.0), -pole->two->half / sqrt(pole->two->product()));
  if (!pole->root) return Jet::rough({-1, 1});
  if (pole->real.zero() && pole->imaginary.zero()) return 1.0;
  const ComplexJet p = in_s(*pole);
  if (p.imaginary.constant() && p.imaginary.value().zero() && !p.real.value().contains(0))
    return p.real.value().high < 0 ? Jet(1.0) : Jet(-1.0);
  return -p.real / sqrt(square_of_modulus(p));
}

}  // namespace sfg
