// L = R e^(−τs). The phase arg R(jω) − ωτ is stationary at the roots of an exact polynomial in x = ω²: with N D̄ = U + jωV,
//   d arg R / dω = (UV + 2x (V′U − VU′)) / |N D|²,
// and |R| at those of A′B − AB′, A = |N|², B = |D|². Between these frequencies and the poles and zeros on the axis both are
// monotone. So every turn of the phase within a piece is one crossing, found by bisection; and on any part of a piece L lies
// in the sector between the moduli and phases at its ends, on which the least 1/|S + (σ − 1)/2| bounds that of L: for σ = 1 its
// distance from −1.
#include "sfg/control/delayed_margins.hpp"

#include <cmath>
#include <queue>
#include <unordered_map>

#include "sfg/control/on_axis.hpp"
#include "sfg/control/phase_of_roots.hpp"
#include "sfg/error.hpp"
#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

using exact::RationalPolynomial;

constexpr double beside = 1e-13;  // how close to the end of a piece its limits are taken, relatively

class DelayedLoop {
 public:
  explicit DelayedLoop(const ExactTransfer& L)
      : rational_(L),
        delay_(L.numerator.parts.front().delay),
        tau_(delay_.to_double()),
        N_(L.numerator.parts.front().polynomial),
        D_(L.denominator.polynomial()),
        phase_(N_.coefficients(), D_.coefficients()) {
    rational_.numerator.parts.front().delay = 0;
  }

  double phase(double w) const { return phase_(w) - w * tau_ * degrees; }
  double modulus(double w) const { return std::abs(value_at(rational_, {0, w})); }
  /// Both, remembered: boxes meet at the same frequencies, and so do the searches of several σ.
  struct Polar {
    double modulus, phase;
  };
  const Polar& polar(double w) const {
    const auto known = known_.find(w);
    return known != known_.end() ? known->second : known_.emplace(w, Polar{modulus(w), phase(w)}).first->second;
  }
  double gain_margin(double w) const { return -20.0 * std::log10(modulus(w)); }

  /// |L| at infinite frequency.
  double last_modulus() const {
    if (N_.degree() != D_.degree()) return N_.degree() < D_.degree() ? 0 : infinity;
    const auto n = static_cast<std::size_t>(D_.degree());
    return std::abs((N_.coefficient(n) / D_.coefficient(n)).to_double());
  }

  /// Ends of the pieces on which phase and modulus are monotone, ascending, from 0; the last piece has no end.
  std::vector<double> pieces() const {
    const OnAxis N(N_), D(D_);
    const RationalPolynomial A = N.squared_magnitude(), B = D.squared_magnitude();
    const RationalPolynomial U = N.even * D.even + (N.odd * D.odd).shifted_up(1), V = N.odd * D.even - N.even * D.odd;
    const RationalPolynomial two = RationalPolynomial::constant(2);
    const RationalPolynomial turning =
        U * V + (two * (V.derivative() * U - V * U.derivative())).shifted_up(1) - RationalPolynomial::constant(delay_) * A * B;
    std::vector<double> ends{0.0};
    for (const RationalPolynomial& p : {turning, A.derivative() * B - A * B.derivative(), A, B})
      for (const exact::RealRoot& x : positive_roots(p)) ends.push_back(std::sqrt(x.value));
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
  }

 private:
  ExactTransfer rational_;
  exact::Rational delay_;
  double tau_;
  RationalPolynomial N_, D_;
  PhaseOfRoots phase_;
  mutable std::unordered_map<double, Polar> known_;
};

/// Where a monotone phase takes the value, between a and b.
double bisected(const DelayedLoop& loop, double a, double b, double phase) {
  const bool rising = loop.phase(b) > loop.phase(a);
  constexpr int halvings = 200;
  for (int i = 0; i < halvings && b - a > 1e-16 * b; ++i) {
    const double middle = (a + b) / 2;
    ((loop.phase(middle) < phase) == rising ? a : b) = middle;
  }
  return (a + b) / 2;
}

class PhaseCrossings {
 public:
  PhaseCrossings(Margins& margins, const DelayedLoop& loop) : margins_(margins), loop_(loop) {}

  void find(const std::vector<double>& pieces) {
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) within(pieces[i] * (1 + beside), pieces[i + 1] * (1 - beside));
    const double last = margins_.gain_crossovers.empty() ? 0 : margins_.gain_crossovers.back().frequency;
    double a = pieces.back() * (1 + beside), phase = loop_.phase(a);
    for (bool beyond = false; !beyond || margins_.phase_crossovers.size() < wanted || a < last; beyond = true) {
      phase = 360.0 * (std::ceil((phase - 180.0) / 360.0) - 1) + 180.0;  // the next one below
      double b = a > 0 ? 2 * a : 1;
      while (loop_.phase(b) >= phase) b *= 2;
      a = bisected(loop_, a, b, phase);
      add(a);
    }
  }

 private:
  static constexpr std::size_t wanted = 50, most = 20'000;

  void add(double w) {
    if (margins_.phase_crossovers.size() >= most)
      throw LimitReached("the dead time makes more than " + std::to_string(most) + " phase crossovers below " +
                             std::to_string(w) + " rad/s, where the gain matters still",
                         "ask for a loop with less dead time, or with less bandwidth");
    margins_.phase_crossovers.push_back({w, loop_.gain_margin(w)});
  }

  void within(double a, double b) {
    const double from = loop_.phase(a), to = loop_.phase(b);
    const double first = std::ceil((std::min(from, to) - 180.0) / 360.0), last = std::floor((std::max(from, to) - 180.0) / 360.0);
    for (double k = first; k <= last; ++k) {
      const double phase = 180.0 + 360.0 * (to > from ? k : first + last - k);
      if (phase == from || phase == to) continue;
      a = bisected(loop_, a, b, phase);
      add(a);
    }
  }

  Margins& margins_;
  const DelayedLoop& loop_;
};

/// The least 1/|S + (σ − 1)/2| of L = r e^{jφ} with r and φ (degrees) in ranges: at the phase next to the negative axis, and
/// there at an end or at the r where it is stationary.
double least_radius(int skew, double r1, double r2, double phi1, double phi2) {
  if (r1 > r2) std::swap(r1, r2);
  if (phi1 > phi2) std::swap(phi1, phi2);
  const double turns = std::ceil((phi1 - 180.0) / 360.0);
  double angle = 0;  // from the negative axis
  if (180.0 + 360.0 * turns > phi2)
    angle = std::min(std::abs(std::remainder(phi1 - 180.0, 360.0)), std::abs(std::remainder(phi2 - 180.0, 360.0))) / degrees;
  const double cosine = std::max(0.0, std::cos(angle)), stationary = skew == 0 ? 1 : skew == 1 ? cosine : 1 / cosine;
  double least = infinity;
  for (const double r : {r1, std::clamp(stationary, r1, r2), r2})
    least = std::min(least, disk_radius(skew, std::isinf(r) ? r : -std::polar(r, angle)));
  return least;
}

/// Branch and bound over the pieces, of one σ.
class LeastRadius {
 public:
  LeastRadius(int skew, const DelayedLoop& loop, const std::vector<double>& pieces) : skew_(skew), loop_(loop) {
    best_.value = disk_radius(skew_, -loop.last_modulus());  // the phase takes every value while |L| goes to its limit
    improve(0, 0);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) add(pieces[i] * (1 + beside), pieces[i + 1] * (1 - beside));
    add(pieces.back() * (1 + beside), infinity);
    refine();
    if (best_.frequency) polish();
  }

  const LeastOnAxis& found() const { return best_; }

 private:
  struct Box {
    double bound, a, b;
    bool operator<(const Box& other) const { return bound > other.bound; }
  };
  static constexpr double tolerance = 1e-7;
  static constexpr std::size_t most_boxes = 200'000;

  void add(double a, double b) {
    const DelayedLoop::Polar from = loop_.polar(a);
    double bound = 0;
    if (std::isinf(b)) {
      bound = least_radius(skew_, from.modulus, loop_.last_modulus(), 0, 360);
    } else {
      const DelayedLoop::Polar to = loop_.polar(b);
      bound = least_radius(skew_, from.modulus, to.modulus, from.phase, to.phase);
    }
    if (bound < best_.value * (1 - tolerance)) boxes_.push({bound, a, b});
  }

  double radius(const DelayedLoop::Polar& L) const {
    return disk_radius(skew_, std::isinf(L.modulus) ? L.modulus : std::polar(L.modulus, L.phase / degrees));
  }

  void improve(double w, double reach) {
    constexpr double rounding = 1e-14;
    const double here = radius(loop_.polar(w));
    if (!(here < best_.value * (1 - rounding))) return;
    best_ = {here, w};
    reach_ = reach;
  }

  void refine() {
    for (std::size_t i = 0; i < most_boxes && !boxes_.empty() && boxes_.top().bound < best_.value * (1 - tolerance); ++i) {
      const Box box = boxes_.top();
      boxes_.pop();
      const double middle = !std::isinf(box.b) ? (box.a + box.b) / 2 : box.a > 0 ? 2 * box.a : 1;
      if (!(middle > box.a && middle < box.b)) continue;
      improve(middle, std::min(middle - box.a, box.b - middle));
      add(box.a, middle);
      add(middle, box.b);
    }
  }

  /// Golden section around the best point.
  void polish() {
    double a = *best_.frequency - reach_, b = *best_.frequency + reach_;
    const auto at = [&](double w) { return radius({loop_.modulus(w), loop_.phase(w)}); };
    const double golden = (std::sqrt(5.0) - 1) / 2;
    constexpr int sections = 80;
    for (int i = 0; i < sections; ++i) {
      const double c = b - golden * (b - a), d = a + golden * (b - a);
      const bool lower = at(c) < at(d);
      (lower ? b : a) = lower ? d : c;
    }
    if (const double here = at((a + b) / 2); here < best_.value) best_ = {here, (a + b) / 2};
  }

  int skew_;
  const DelayedLoop& loop_;
  std::priority_queue<Box> boxes_;
  LeastOnAxis best_;
  double reach_ = 0;
};

}  // namespace

void find_delayed_margins(Margins& margins, const ExactTransfer& L) {
  const DelayedLoop loop(L);
  const std::vector<double> pieces = loop.pieces();
  PhaseCrossings(margins, loop).find(pieces);
  const LeastOnAxis distance = LeastRadius(1, loop, pieces).found();
  margins.modulus_margin = distance.value;
  margins.modulus_frequency = distance.frequency;
  if (margins.closed_loop.verdict != ClosedLoop::Verdict::stable) return;
  for (const int skew : {0, 1, -1}) {
    const LeastOnAxis least = skew == 1 ? distance : LeastRadius(skew, loop, pieces).found();
    margins.disk.push_back(disk_margin(skew, least.value, least.frequency));
  }
}

}  // namespace sfg
