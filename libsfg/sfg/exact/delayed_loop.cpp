// With w the time function of 1/D, every output is Σ N_j(d/dt) w(t − θ_j), and D_0(d/dt) w(t) = δ(t) − Σ R_i(d/dt) w(t − τ_i). At
// a sum c of dead times w jumps in its derivative of order n − 1 (only at 0, unless an R_i has the degree n of D_0); all jumps
// and impulses are the coefficients of W_c = ([c = 0] − Σ R_i W_(c−τ_i))/D_0 as a series in 1/s, which is exact. Between two
// sums the derivatives of w at the beginning of a step follow from the equation one by one, the delayed ones from the series
// stored for the earlier time (Bellman and Cooke, Differential-Difference Equations, 1963, ch. 3). Balls would grow with every
// step; plain numbers of many digits lose what the system itself magnifies, and two runs that differ in everything show how much.
#include "sfg/exact/delayed_loop.hpp"

#include <arf.h>
#include <mag.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

/// A number of so many bits.
class Float {
 public:
  Float() { arf_init(x); }
  Float(const Float& other) : Float() { arf_set(x, other.x); }
  Float(Float&& other) noexcept : Float() { arf_swap(x, other.x); }
  Float& operator=(const Float& other) {
    arf_set(x, other.x);
    return *this;
  }
  Float& operator=(Float&& other) noexcept {
    arf_swap(x, other.x);
    return *this;
  }
  ~Float() { arf_clear(x); }
  Float(const Rational& value, slong bits) : Float() {
    arf_fmpz_div_fmpz(x, fmpq_numref(raw(value)), fmpq_denref(raw(value)), bits, ARF_RND_NEAR);
  }
  explicit Float(double value) : Float() { arf_set_d(x, value); }
  double value() const { return arf_get_d(x, ARF_RND_NEAR); }
  arf_t x;
};

/// p(s) e^(−delay s), lowest power first.
struct LoopPart {
  Rational delay;
  std::vector<Rational> coefficients;
  const Rational& top() const { return coefficients.back(); }
};

LoopPart part_of(const DelayedPolynomial& given) {
  LoopPart part{given.delay, {given.coefficients.rbegin(), given.coefficients.rend()}};
  return part;
}

std::vector<LoopPart> parts_of(std::span<const DelayedPolynomial> given) {
  std::vector<LoopPart> parts;
  for (const DelayedPolynomial& part : given)
    if (!part.coefficients.empty()) parts.push_back(part_of(part));
  return parts;
}

using Series = std::vector<Rational>;  ///< Σ a_m s^(−n−m)

struct Problem {
  std::vector<LoopPart> numerator;
  LoopPart leading;             ///< D_0
  std::vector<LoopPart> later;  ///< R_i
  double until = 0;
  double rate = 0;                   ///< bounds the modulus of the characteristic roots that matter: how fast series converge
  std::map<Rational, Series> jumps;  ///< of w at the sums of dead times

  std::size_t order() const { return leading.coefficients.size() - 1; }
  const Rational& lead() const { return leading.top(); }
};

constexpr std::size_t most_sums = 60'000;
constexpr std::size_t most_terms = 2'000'000;  // of all series together

/// W_c as a series, from those of c − τ_i.
Series series_at(const Problem& problem, const Rational& c, std::size_t count) {
  const std::size_t n = problem.order();
  Series a(count);
  if (c.is_zero()) a[0] = 1;
  for (const LoopPart& part : problem.later) {
    const auto before = problem.jumps.find(c - part.delay);
    if (before == problem.jumps.end()) continue;
    for (std::size_t j = 0; j < part.coefficients.size(); ++j)
      for (std::size_t m = n - j; m < count; ++m) a[m] -= part.coefficients[j] * before->second[m + j - n];
  }
  for (std::size_t m = 0; m < count; ++m) {
    for (std::size_t k = 1; k <= std::min(m, n); ++k) a[m] -= problem.leading.coefficients[n - k] * a[m - k];
    a[m] = a[m] / problem.lead();
  }
  return a;
}

/// Fujiwara's bound of the roots, with the delayed parts counted in full.
double rate_of(const Problem& problem) {
  const std::size_t n = problem.order();
  double rate = 0;
  for (std::size_t k = 1; k <= n; ++k) {
    Rational sum;
    const auto add_size = [&](const LoopPart& part) {
      if (n - k >= part.coefficients.size()) return;
      const Rational size = part.coefficients[n - k].abs();
      sum = sum + size;
    };
    add_size(problem.leading);
    for (const LoopPart& part : problem.later) add_size(part);
    if (sum.is_zero()) continue;
    const Rational ratio = sum / problem.lead();
    Magnitude size;
    arf_get_mag(size, Float(ratio, 64).x);
    rate = std::max(rate, 2 * std::exp2(mag_get_d_log2_approx(size) / static_cast<double>(k)));
  }
  return rate;
}

Problem problem_of(std::span<const DelayedPolynomial> numerator, std::span<const DelayedPolynomial> denominator, double until,
                   const Budget& budget) {
  Problem problem;
  problem.numerator = parts_of(numerator);
  std::vector<LoopPart> below = parts_of(denominator);
  if (below.empty() || !below.front().delay.is_zero())
    throw std::invalid_argument("DelayedLoop: the denominator has no part without dead time");
  problem.leading = std::move(below.front());
  problem.later.assign(std::make_move_iterator(below.begin() + 1), std::make_move_iterator(below.end()));
  problem.until = until;
  std::size_t count = 1;
  for (const LoopPart& part : problem.numerator)
    if (part.coefficients.size() > problem.order() + 1) count = std::max(count, part.coefficients.size() - problem.order());
  for (const LoopPart& part : problem.later)
    if (part.coefficients.size() > problem.order() + 1)
      throw std::invalid_argument("DelayedLoop: a delayed part is of a higher degree than what is not delayed");
  problem.rate = rate_of(problem);
  problem.jumps.emplace(Rational(), Series());
  for (auto sum = problem.jumps.begin(); sum != problem.jumps.end(); ++sum) {  // ascending, and grows ahead
    if (problem.jumps.size() > most_sums) throw std::length_error("DelayedLoop: too many sums of dead times");
    if (problem.jumps.size() % 256 == 0) budget.check("the time response");
    sum->second = series_at(problem, sum->first, count);
    for (const LoopPart& part : problem.later) {
      const Rational next = sum->first + part.delay;
      if (Float(next, 53).value() <= until) problem.jumps.emplace(next, Series());
    }
  }
  return problem;
}

std::vector<DelayedImpulse> impulses_of(const Problem& problem) {
  std::map<std::pair<Rational, std::size_t>, Rational> weights;
  const std::size_t n = problem.order();
  for (const LoopPart& part : problem.numerator)
    for (const auto& [c, series] : problem.jumps) {
      const Rational at = c + part.delay;
      if (Float(at, 53).value() > problem.until) break;
      for (std::size_t j = n; j < part.coefficients.size(); ++j)
        for (std::size_t m = 0; m + n <= j; ++m) weights[{at, j - n - m}] += part.coefficients[j] * series[m];
    }
  std::vector<DelayedImpulse> impulses;
  for (const auto& [place, weight] : weights)
    if (!weight.is_zero()) impulses.push_back({place.first, place.second, weight});
  return impulses;
}

/// How finely the series are made; every further try is finer in all respects.
struct Fineness {
  slong bits;
  double step;  ///< of a series, times the rate
};
Fineness fineness(std::size_t attempt) {
  const auto k = static_cast<double>(attempt);
  return {128 + 64 * static_cast<slong>(attempt), 4 / (1 + 0.3 * k)};
}

/// Of a series that is used up to x times the rate (and half as far again where it is looked at from later): until what is left
/// out is below the last bit. No fewer than the derivatives that an equation of order n takes.
std::size_t terms_for(double x, const Fineness& fineness, std::size_t n) {
  std::size_t terms = 0;
  for (double bits = 0; bits > -static_cast<double>(fineness.bits) + 16 || static_cast<double>(terms) < 4 * x;)
    bits += std::log2(2 * std::max(x, 1e-6) / static_cast<double>(++terms));
  return terms + 2 * n + 4;
}

/// w piece by piece.
class March {
 public:
  March(const Problem& problem, const Fineness& fineness, const Budget& budget)
      : problem_(problem), fineness_(fineness), terms_(terms_for(widest(problem, fineness.step), fineness, problem.order())) {
    for (const Rational& c : problem.leading.coefficients) own_.emplace_back(c / problem.lead(), fineness.bits);
    for (const LoopPart& part : problem.later) {
      later_.push_back({Float(part.delay, fineness.bits), {}});
      for (const Rational& c : part.coefficients) later_.back().coefficients.emplace_back(c / problem.lead(), fineness.bits);
    }
    for (const LoopPart& part : problem.numerator) {
      above_.push_back({Float(part.delay, fineness.bits), {}});
      for (const Rational& c : part.coefficients) above_.back().coefficients.emplace_back(c, fineness.bits);
    }
    run(budget);
  }

  double at(double t) const {
    Float sum;
    for (const Delayed& part : above_) {
      Float local;
      arf_set_d(local.x, t);
      arf_sub(local.x, local.x, part.delay.x, fineness_.bits, ARF_RND_NEAR);
      const double near = 4 * 0x1p-53 * std::abs(t);  // a time that was rounded is that of the event it was rounded from
      if (local.value() < -near) continue;
      const Piece& piece = piece_at(local.value() + near);
      arf_sub(local.x, local.x, piece.begin.x, fineness_.bits, ARF_RND_NEAR);
      const std::vector<Float> powers = powers_of(local);
      for (std::size_t j = 0; j < part.coefficients.size(); ++j)
        arf_addmul(sum.x, part.coefficients[j].x, derivative(piece, j, powers).x, fineness_.bits, ARF_RND_NEAR);
    }
    return sum.value() + 0.0;  // no −0
  }

  /// Beginnings and middles of the series.
  std::vector<double> marks() const {
    std::vector<double> times;
    for (std::size_t i = 0; i < begins_.size(); ++i) {
      times.push_back(begins_[i]);
      times.push_back((begins_[i] + (i + 1 < begins_.size() ? begins_[i + 1] : problem_.until)) / 2);
    }
    times.push_back(problem_.until);
    return times;
  }

 private:
  /// The longest step times the rate.
  static double widest(const Problem& problem, double step) {
    double width = 0;
    for (auto sum = problem.jumps.begin(); sum != problem.jumps.end(); ++sum) {
      const auto next = std::next(sum);
      const double end = next == problem.jumps.end() ? problem.until : Float(next->first, 53).value();
      width = std::max(width, end - Float(sum->first, 53).value());
    }
    return std::min(step, width * problem.rate);
  }

  struct Piece {
    Float begin;
    std::vector<Float> derivatives;  ///< of w, at the beginning
  };
  struct Delayed {
    Float delay;
    std::vector<Float> coefficients;
  };

  const Piece& piece_at(double t) const {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), t);
    return pieces_[after == begins_.begin() ? 0 : static_cast<std::size_t>(after - begins_.begin()) - 1];
  }

  /// x^k/k!
  std::vector<Float> powers_of(const Float& x) const {
    std::vector<Float> powers(terms_ + 1);
    arf_one(powers[0].x);
    for (std::size_t k = 1; k <= terms_; ++k) {
      arf_mul(powers[k].x, powers[k - 1].x, x.x, fineness_.bits, ARF_RND_NEAR);
      arf_div_ui(powers[k].x, powers[k].x, k, fineness_.bits, ARF_RND_NEAR);
    }
    return powers;
  }

  Float derivative(const Piece& piece, std::size_t order, const std::vector<Float>& powers) const {
    Float sum;
    for (std::size_t k = order; k < piece.derivatives.size(); ++k)
      arf_addmul(sum.x, piece.derivatives[k].x, powers[k - order].x, fineness_.bits, ARF_RND_NEAR);
    return sum;
  }

  /// The derivatives of w at begin − delay; `middle` lies inside the step that is made.
  std::vector<Float> earlier(const Float& begin, double middle, const Delayed& part) const {
    const double when = middle - part.delay.value();
    if (when < 0) return {};
    const Piece& piece = piece_at(when);
    Float local;
    arf_sub(local.x, begin.x, part.delay.x, fineness_.bits, ARF_RND_NEAR);
    arf_sub(local.x, local.x, piece.begin.x, fineness_.bits, ARF_RND_NEAR);
    Float nothing(problem_.until);
    arf_mul_2exp_si(nothing.x, nothing.x, 8 - fineness_.bits);
    if (arf_cmpabs(local.x, nothing.x) <= 0) return piece.derivatives;
    const std::vector<Float> powers = powers_of(local);
    std::vector<Float> result(terms_ + 1);
    for (std::size_t m = 0; m <= terms_; ++m) result[m] = derivative(piece, m, powers);
    return result;
  }

  /// One step: its derivatives by the equation, from the first n of them.
  void add_piece(Float begin, double middle, std::vector<Float> state) {
    const std::size_t n = problem_.order();
    std::vector<Float> d = std::move(state);
    d.resize(terms_ + 1);
    for (const Delayed& part : later_) {
      const std::vector<Float> w = earlier(begin, middle, part);
      for (std::size_t m = 0; !w.empty() && m + n <= terms_; ++m)
        for (std::size_t j = 0; j < part.coefficients.size(); ++j)
          arf_submul(d[m + n].x, part.coefficients[j].x, w[m + j].x, fineness_.bits, ARF_RND_NEAR);
    }
    for (std::size_t m = 0; m + n <= terms_; ++m)
      for (std::size_t j = 0; j < n; ++j) arf_submul(d[m + n].x, own_[j].x, d[m + j].x, fineness_.bits, ARF_RND_NEAR);
    begins_.push_back(begin.value());
    pieces_.push_back({std::move(begin), std::move(d)});
  }

  /// From one sum of dead times to the next, in equal steps.
  void cross(const Float& from, const Float& to, std::vector<Float>& state, const Budget& budget) {
    const std::size_t n = problem_.order();
    Float width;
    arf_sub(width.x, to.x, from.x, fineness_.bits, ARF_RND_NEAR);
    const double steps = std::ceil(width.value() * problem_.rate / fineness_.step);
    if (!(steps < most_terms)) throw std::length_error("DelayedLoop: too many steps");
    const auto count = std::max<std::size_t>(1, static_cast<std::size_t>(steps));
    arf_div_ui(width.x, width.x, count, fineness_.bits, ARF_RND_NEAR);
    const std::vector<Float> powers = powers_of(width);
    for (std::size_t i = 0; i < count; ++i) {
      if (pieces_.size() * terms_ >= most_terms) throw std::length_error("DelayedLoop: too many steps");
      if (pieces_.size() % 64 == 0) budget.check("the time response");
      Float begin(from);
      Float index;
      arf_set_ui(index.x, i);
      arf_addmul(begin.x, index.x, width.x, fineness_.bits, ARF_RND_NEAR);
      add_piece(begin, begin.value() + width.value() / 2, std::move(state));
      state.assign(n, Float());
      for (std::size_t m = 0; m < n; ++m) state[m] = derivative(pieces_.back(), m, powers);
    }
  }

  void run(const Budget& budget) {
    const std::size_t n = problem_.order();
    std::vector<Float> state(n);
    for (auto sum = problem_.jumps.begin(); sum != problem_.jumps.end(); ++sum) {
      const auto next = std::next(sum);
      const Float jump(sum->second[0], fineness_.bits);
      if (n > 0) arf_add(state[n - 1].x, state[n - 1].x, jump.x, fineness_.bits, ARF_RND_NEAR);
      cross(Float(sum->first, fineness_.bits),
            next == problem_.jumps.end() ? Float(problem_.until) : Float(next->first, fineness_.bits), state, budget);
    }
  }

  const Problem& problem_;
  Fineness fineness_;
  std::size_t terms_;
  std::vector<Float> own_;  ///< of D_0, its leading coefficient 1
  std::vector<Delayed> later_, above_;
  std::vector<double> begins_;
  std::vector<Piece> pieces_;
};

/// Do two runs agree, everywhere to what a double tells of the largest value up to there?
bool agree(const March& a, const March& b, const Budget& budget) {
  constexpr double sharp = 1e-17;
  double largest = 0;
  constexpr std::size_t enough = 4'000;  // an error goes on: it need not be caught where it begins
  const std::vector<double> marks = a.marks();
  const std::size_t every = marks.size() / enough + 1;
  for (std::size_t i = (marks.size() - 1) % every; i < marks.size(); i += every) {  // the last one is among them
    const double t = marks[i];
    if (i % 64 < every) budget.check("the time response");
    const double x = a.at(t), y = b.at(t);
    largest = std::max(largest, std::abs(y));
    if (!(std::abs(x - y) <= sharp * largest + 0x1p-52 * std::abs(y))) return false;
  }
  return true;
}

}  // namespace

struct DelayedLoop::Impl {
  Problem problem;
  std::vector<DelayedImpulse> impulses;
  std::unique_ptr<const March> march;

  void certify(const Budget& budget) {
    constexpr std::size_t most_attempts = 8;
    march = std::make_unique<const March>(problem, fineness(0), budget);
    for (std::size_t attempt = 1; attempt <= most_attempts; ++attempt) {
      auto finer = std::make_unique<const March>(problem, fineness(attempt), budget);
      const bool certain = agree(*march, *finer, budget);
      march = std::move(finer);
      if (certain) return;
    }
    throw std::length_error("DelayedLoop: the series do not settle to the precision of a double");
  }
};

DelayedLoop::DelayedLoop(std::span<const DelayedPolynomial> numerator, std::span<const DelayedPolynomial> denominator,
                         double until, const Budget& budget)
    : impl_(std::make_unique<Impl>()) {
  impl_->problem = problem_of(numerator, denominator, until, budget);
  impl_->impulses = impulses_of(impl_->problem);
  impl_->certify(budget);
}
DelayedLoop::~DelayedLoop() = default;
DelayedLoop::DelayedLoop(DelayedLoop&&) noexcept = default;
DelayedLoop& DelayedLoop::operator=(DelayedLoop&&) noexcept = default;

std::vector<double> DelayedLoop::at(std::span<const double> times) const {
  std::vector<double> values;
  values.reserve(times.size());
  for (const double t : times) values.push_back(impl_->march->at(t));
  return values;
}

const std::vector<DelayedImpulse>& DelayedLoop::impulses() const noexcept { return impl_->impulses; }

}  // namespace sfg::exact
