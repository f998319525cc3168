// A simple root p of D moves by dp = −Σ p^i dD_i / D′(p).
#include "sfg/study/measures/pole_measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sfg/numeric/numbers.hpp"
#include "sfg/study/measures/number_polynomials.hpp"

namespace sfg {

namespace {

bool infinite(PoleMeasures::Complex z) { return std::isinf(z.real()); }

/// How far two are from each other on the sphere, where ∞ is a point as any other.
double distance(PoleMeasures::Complex a, PoleMeasures::Complex b) {
  if (infinite(a) || infinite(b)) return infinite(a) && infinite(b) ? 0 : 1 / std::hypot(1.0, std::abs(infinite(a) ? b : a));
  return std::abs(a - b) / (std::hypot(1.0, std::abs(a)) * std::hypot(1.0, std::abs(b)));
}

}  // namespace

bool oscillates(const Operator& op, std::complex<double> pole) { return pole.imag() != 0 || (op.discrete() && pole.real() < 0); }

PoleMeasures::PoleMeasures(const Operator& op, std::span<const double> denominator, std::span<const Complex> roots,
                           std::span<const Complex> poles, double unit)
    : op_(op), unit_(op.discrete() ? 1 : unit), period_(op.period().to_double()) {
  scale(nominal_, denominator, unit_);
  for (const Complex& p : roots) start_.push_back(infinite(p) ? p : p / unit_);
  std::vector<char> taken(start_.size(), 0);
  for (const Complex& p : poles) {
    std::size_t nearest = start_.size();
    for (std::size_t i = 0; i < start_.size(); ++i)
      if (!taken[i] && !infinite(start_[i]) &&
          (nearest == start_.size() || std::abs(start_[i] - p / unit_) < std::abs(start_[nearest] - p / unit_)))
        nearest = i;
    if (nearest == start_.size()) break;
    taken[nearest] = 1;
    if (start_[nearest].imag() >= 0) modes_.push_back(nearest);
  }
  std::ranges::sort(modes_);
  std::ranges::stable_sort(modes_, {}, [this](std::size_t i) { return std::abs(in_s(start_[i])); });
}

void PoleMeasures::set(std::span<const double> denominator) {
  scale(d_, denominator, unit_);
  known_ = followed_ = false;
}

PoleMeasures::Complex PoleMeasures::in_s(Complex root) const {
  if (!op_.discrete()) return root * unit_;
  return Complex(std::log(std::abs(root)), std::arg(root)) / period_;
}

/// As many as the formal degree: those that a vanishing leading coefficient sends away are infinite. None where they were not
/// found.
void PoleMeasures::find_roots(std::span<const double> d, std::span<const Complex> starts, std::vector<Complex>& to) {
  to.clear();
  std::size_t size = d.size();
  while (size > 1 && d[size - 1] == 0) --size;
  if (starts.size() + 1 != d.size() || size < 2) return;
  near_.assign(starts.begin(), starts.end());
  std::ranges::stable_sort(near_, {}, [](const Complex& z) { return infinite(z) ? HUGE_VAL : std::abs(z); });
  near_.resize(size - 1);
  double away = std::abs(d[size - 2] / d[size - 1]);
  if (!(away > 0)) away = 1;
  for (Complex& z : near_)
    if (infinite(z)) z = std::polar(away, 2.0 + 0.7 * static_cast<double>(&z - near_.data()));
  const std::span<const Complex> found = roots_(d.first(size), near_);
  if (found.empty()) return;
  to.assign(found.begin(), found.end());
  to.resize(starts.size(), {-std::numeric_limits<double>::infinity(), 0});
}

std::span<const PoleMeasures::Complex> PoleMeasures::finite() {
  if (known_) return finite_;
  known_ = true;
  find_roots(d_, start_, found_);
  finite_.clear();
  for (const Complex& root : found_)
    if (!infinite(root)) finite_.push_back(root * unit_);
  return finite_;
}

/// The nominal poles, each followed to where it goes while the coefficients move on a straight line.
bool PoleMeasures::follow() {
  if (followed_) return tracked_well_;
  followed_ = true;
  tracked_ = start_;
  constexpr int halvings = 24;
  return tracked_well_ = follow(0, 1, halvings);
}

/// One step is enough where every root is much nearer to one of the roots before than to any other; two that are one, or a pair,
/// may become two or a pair together.
bool PoleMeasures::follow(double from, double to, int depth) {
  between_.resize(d_.size());
  for (std::size_t i = 0; i < d_.size(); ++i) between_[i] = (1 - to) * nominal_[i] + to * d_[i];
  std::vector<Complex> roots;
  find_roots(between_, tracked_, roots);
  bool clear = !roots.empty();
  next_.assign(tracked_.size(), 0.0);
  used_.assign(roots.size(), 0);
  assigned_.assign(tracked_.size(), 0);
  for (std::size_t i = 0; clear && i < tracked_.size(); ++i) clear = assigned_[i] || assign(i, roots, depth == 0);
  if (clear) {
    tracked_ = next_;
    return true;
  }
  if (depth == 0) return false;
  const double middle = (from + to) / 2;
  return follow(from, middle, depth - 1) && follow(middle, to, depth - 1);
}

/// Says where a root goes, and the one that it meets with it. False where it may go to several places.
bool PoleMeasures::assign(std::size_t i, std::span<const Complex> roots, bool last) {
  constexpr std::size_t nearest = 3;
  std::array<std::pair<double, std::size_t>, nearest> near;
  near.fill({std::numeric_limits<double>::infinity(), roots.size()});
  for (std::size_t j = 0; j < roots.size(); ++j) {
    const std::pair<double, std::size_t> here{distance(roots[j], tracked_[i]), j};
    const auto place = std::ranges::upper_bound(near, here);
    std::move_backward(place, std::prev(near.end()), near.end());
    if (place != near.end()) *place = here;
  }
  const auto take = [&](std::size_t which, std::size_t root) { assigned_[which] = used_[root] = 1, next_[which] = roots[root]; };
  constexpr double one = 1e-7;
  std::size_t partner = tracked_.size();
  for (std::size_t j = i + 1; j < tracked_.size(); ++j)
    if (!assigned_[j] && (distance(tracked_[j], tracked_[i]) < one ||
                          (tracked_[i].imag() != 0 && distance(tracked_[j], std::conj(tracked_[i])) < one)))
      partner = j;
  const std::size_t first = near[0].second, second = near[1].second;
  const bool alone = 4 * near[0].first <= near[1].first && !used_[first];
  if (alone && partner == tracked_.size()) return take(i, first), true;
  if (alone && !(distance(tracked_[partner], tracked_[i]) < one)) return take(i, first), true;
  if (partner < tracked_.size() && second < roots.size() && !used_[first] && !used_[second] &&
      4 * near[1].first <= near[2].first) {
    const Complex a = roots[first], b = roots[second];
    const bool in_order = a.imag() != 0 ? a.imag() > b.imag() : std::abs(in_s(a)) <= std::abs(in_s(b));
    const bool lower = tracked_[i].imag() < 0;  // of a pair; what becomes of the upper one is the slower of two
    take(i, in_order != lower ? first : second);
    take(partner, in_order != lower ? second : first);
    return true;
  }
  return last && !used_[first] && (take(i, first), true);
}

FoundMeasure PoleMeasures::of_mode(const BaseMeasure& base) {
  if (base.mode > modes_.size()) return {undefined};
  if (!follow()) return {undefined, false};
  at_ = tracked_[modes_[base.mode - 1]];
  const Complex p = in_s(at_);
  const double size = std::abs(p);
  if (!std::isfinite(size)) return {undefined};
  if (base.kind == MeasureKind::mode_frequency) return {size};
  return {size == 0 ? 1 : 0.0 - p.real() / size};
}

FoundMeasure PoleMeasures::operator()(const BaseMeasure& base) {
  if (base.mode > 0) return of_mode(base);
  if (start_.empty()) return {undefined};
  const std::span<const Complex> all = finite();
  if (all.empty()) return {undefined, !found_.empty()};
  double best = undefined;
  for (const Complex& root : all) {
    const Complex z = root / unit_, p = in_s(z);
    const bool abscissa = base.kind == MeasureKind::abscissa;
    if (root.imag() < 0 || (!abscissa && !oscillates(op_, z))) continue;
    const double value = abscissa ? p.real() : 0.0 - p.real() / std::abs(p);
    if (std::isnan(best) || (abscissa ? value > best : value < best)) best = value, at_ = z;
  }
  return {std::isfinite(best) ? best : undefined};
}

/// Whether another pole is so near, or has the measure so nearly in common, that doubles do not tell whose it is.
bool PoleMeasures::shared(const BaseMeasure& base) {
  constexpr double near = 1e-6, same = 1e-11;
  const auto figure = [&](Complex z) { return base.kind == MeasureKind::abscissa ? z.real() : z.real() / std::abs(z); };
  std::size_t equal = 0;
  for (const Complex& each : base.mode > 0 ? std::span<const Complex>(tracked_) : std::span<const Complex>(found_)) {
    if (infinite(each)) continue;
    if (each != at_ && std::abs(each - at_) <= near * std::abs(at_)) return true;
    if (base.mode > 0 || op_.discrete() || each.imag() < 0 || (base.kind == MeasureKind::damping && !oscillates(op_, each)))
      continue;
    if (std::abs(figure(each) - figure(at_)) <= same * std::abs(figure(at_))) ++equal;
  }
  return equal > 1;
}

bool PoleMeasures::slopes(const BaseMeasure& base, CoefficientSlopes& result) {
  if (shared(base)) return false;
  std::ranges::fill(result.numerator, 0.0);
  result.denominator.resize(d_.size());
  result.delay = 0;
  Complex slope = 0, value = 0;
  for (std::size_t i = d_.size(); i-- > 0;) {
    slope = slope * at_ + value;
    value = value * at_ + d_[i];
  }
  const Complex p = in_s(at_), outer = op_.discrete() ? 1.0 / (at_ * period_) : Complex(unit_);
  const double size = std::abs(p);
  Complex power = 1;
  double factor = 1;
  bool finite = true;
  for (std::size_t i = 0; i < d_.size(); ++i) {
    const Complex moved = -power / slope * outer;
    double change = moved.real();
    if (base.kind == MeasureKind::mode_frequency) change = (std::conj(p) * moved).real() / size;
    if (base.kind == MeasureKind::mode_damping || base.kind == MeasureKind::damping)
      change = -moved.real() / size + p.real() * (std::conj(p) * moved).real() / (size * size * size);
    result.denominator[i] = change * factor;
    finite = finite && std::isfinite(result.denominator[i]);
    power *= at_;
    factor *= unit_;
  }
  return finite;
}

}  // namespace sfg
