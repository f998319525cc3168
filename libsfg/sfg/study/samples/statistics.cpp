#include "sfg/study/samples/monte_carlo.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "sfg/numeric/numbers.hpp"

namespace sfg {

namespace {

/// Σ f(x) in four interleaved sums: the processor adds them at once, and the order stays the same.
template <class Function>
double sum_of(std::span<const double> x, Function f) {
  std::array<double, 4> part{};
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) part[k] += f(x[i + k]);
  for (; i < x.size(); ++i) part[0] += f(x[i]);
  return (part[0] + part[1]) + (part[2] + part[3]);
}

Moments moments_of_finite(std::span<const double> x) {
  if (x.empty()) return {};
  Moments m{x.size(), 0, 0, x[0], x[0]};
  const double centre = x[0];
  m.mean = centre + sum_of(x, [&](double v) { return v - centre; }) / static_cast<double>(x.size());
  m.squares = sum_of(x, [&](double v) { return (v - m.mean) * (v - m.mean); });
  for (const double v : x) {
    m.minimum = v < m.minimum ? v : m.minimum;
    m.maximum = v > m.maximum ? v : m.maximum;
  }
  return m;
}

}  // namespace

double Moments::deviation() const { return count < 2 ? undefined : std::sqrt(squares / static_cast<double>(count - 1)); }

Moments moments_of(std::span<const double> x) {
  if (std::ranges::all_of(x, [](double v) { return std::isfinite(v); })) return moments_of_finite(x);
  std::vector<double> finite;
  std::ranges::copy_if(x, std::back_inserter(finite), [](double v) { return std::isfinite(v); });
  return moments_of_finite(finite);
}

Moments operator+(const Moments& a, const Moments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const double n = static_cast<double>(a.count + b.count), share = static_cast<double>(b.count) / n, gap = b.mean - a.mean;
  return {a.count + b.count, a.mean + gap * share, a.squares + b.squares + gap * gap * static_cast<double>(a.count) * share,
          std::min(a.minimum, b.minimum), std::max(a.maximum, b.maximum)};
}

void MomentTree::add(const Moments& block) {
  Moments whole = block;
  for (std::uint64_t rest = blocks_; rest & 1; rest >>= 1) {
    whole = open_.back() + whole;
    open_.pop_back();
  }
  open_.push_back(whole);
  ++blocks_;
}

Moments MomentTree::total() const {
  Moments result;
  for (auto subtree = open_.rbegin(); subtree != open_.rend(); ++subtree) result = *subtree + result;
  return result;
}

MomentTree MomentTree::of(std::uint64_t blocks, std::vector<Moments> subtrees) {
  if (static_cast<std::size_t>(std::popcount(blocks)) != subtrees.size())
    throw std::invalid_argument("MomentTree::of: a subtree for each bit of the number of blocks");
  MomentTree tree;
  tree.blocks_ = blocks;
  tree.open_ = std::move(subtrees);
  return tree;
}

double Histogram::width() const { return std::ldexp(1.0, exponent_); }
double Histogram::start() const { return static_cast<double>(first_) * width(); }

Histogram Histogram::of(int exponent, std::int64_t first, std::vector<std::uint64_t> counts) {
  Histogram result;
  result.exponent_ = exponent;
  result.first_ = first;
  result.counts_ = std::move(counts);
  return result;
}

namespace {

std::int64_t bin(double x, int exponent) { return static_cast<std::int64_t>(std::floor(std::ldexp(x, -exponent))); }

}  // namespace

void Histogram::add(std::span<const double> x) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double v : x) {
    if (!std::isfinite(v)) continue;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  if (low > high) return;
  cover(low, high);
  if (exponent_ < -1000) {  // 1/width is no number
    for (const double v : x)
      if (std::isfinite(v)) ++counts_[static_cast<std::size_t>(bin(v, exponent_) - first_)];
    return;
  }
  const double scale = std::ldexp(1.0, -exponent_);
  for (const double v : x)
    if (std::isfinite(v)) ++counts_[static_cast<std::size_t>(static_cast<std::int64_t>(std::floor(v * scale)) - first_)];
}

void Histogram::add(const Histogram& other) {
  if (other.counts_.empty()) return;
  Histogram more = other;
  const int wider = std::max(exponent_, more.exponent_);
  widen(wider);
  more.widen(wider);
  const auto last = [](const Histogram& h) { return h.first_ + static_cast<std::int64_t>(h.counts_.size()) - 1; };
  const std::int64_t low = counts_.empty() ? more.first_ : std::min(first_, more.first_);
  const std::int64_t high = counts_.empty() ? last(more) : std::max(last(*this), last(more));
  int exponent = wider;
  while ((high >> (exponent - wider)) - (low >> (exponent - wider)) >= most_bins) ++exponent;
  widen(exponent);
  more.widen(exponent);
  reach(low >> (exponent - wider), high >> (exponent - wider));
  for (std::size_t k = 0; k < more.counts_.size(); ++k)
    counts_[k + static_cast<std::size_t>(more.first_ - first_)] += more.counts_[k];
}

void Histogram::cover(double low, double high) {
  if (!counts_.empty()) {
    const std::int64_t last = first_ + static_cast<std::int64_t>(counts_.size()) - 1;
    const double end = std::ldexp(static_cast<double>(last + 1), exponent_);
    if (low >= start() && high < end) return;
    low = std::min(low, start());
    high = std::max(high, std::ldexp(static_cast<double>(last), exponent_));
  }
  const double size = std::max(std::abs(low), std::abs(high)), range = high - low;
  constexpr int exact_bits = 52;  // bins are whole numbers that a double holds
  int exponent = std::max(exponent_, size > 0 ? std::ilogb(size) - exact_bits : exponent_);
  if (range > 0 && std::isfinite(range)) exponent = std::max(exponent, std::ilogb(range) - 11);
  while (std::ldexp(high, -exponent) - std::ldexp(low, -exponent) > 4.0 * most_bins ||
         bin(high, exponent) - bin(low, exponent) >= most_bins)
    ++exponent;
  widen(exponent);
  reach(bin(low, exponent), bin(high, exponent));
}

void Histogram::widen(int exponent) {
  const int by = exponent - exponent_;
  exponent_ = exponent;
  if (by == 0 || counts_.empty()) return;
  const auto shifted = [&](std::int64_t k) { return by > 62 ? (k < 0 ? -1 : 0) : k >> by; };
  const std::int64_t first = shifted(first_), last = shifted(first_ + static_cast<std::int64_t>(counts_.size()) - 1);
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(last - first + 1));
  for (std::size_t k = 0; k < counts_.size(); ++k)
    counts[static_cast<std::size_t>(shifted(first_ + static_cast<std::int64_t>(k)) - first)] += counts_[k];
  first_ = first;
  counts_ = std::move(counts);
}

void Histogram::reach(std::int64_t low, std::int64_t high) {
  if (counts_.empty()) {
    first_ = low;
    counts_.assign(static_cast<std::size_t>(high - low + 1), 0);
    return;
  }
  if (low < first_) {
    counts_.insert(counts_.begin(), static_cast<std::size_t>(first_ - low), 0);
    first_ = low;
  }
  const auto size = static_cast<std::size_t>(high - first_ + 1);
  if (size > counts_.size()) counts_.resize(size);
}

std::pair<double, double> clopper_pearson(std::uint64_t successes, std::uint64_t trials, double level) {
  if (trials == 0 || successes > trials) throw std::invalid_argument("clopper_pearson: no such number of successes");
  const double k = static_cast<double>(successes), n = static_cast<double>(trials), miss = (1 - level) / 2;
  return {successes == 0 ? 0 : boost::math::ibeta_inv(k, n - k + 1, miss),
          successes == trials ? 1 : boost::math::ibetac_inv(k + 1, n - k, miss)};
}

namespace {

/// Σ c[k]·x^k
template <std::size_t N>
double polynomial(const std::array<double, N>& c, double x) {
  double value = c[N - 1];
  for (std::size_t k = N - 1; k-- > 0;) value = value * x + c[k];
  return value;
}

}  // namespace

double normal_quantile(double u) {
  static constexpr std::array a{3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                3.3430575583588128105e+4, 2.5090809287301226727e+3};
  static constexpr std::array b{1.0,
                                4.2313330701600911252e+1,
                                6.8718700749205790830e+2,
                                5.3941960214247511077e+3,
                                2.1213794301586595867e+4,
                                3.9307895800092710610e+4,
                                2.8729085735721942674e+4,
                                5.2264952788528545610e+3};
  static constexpr std::array c{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
  static constexpr std::array d{1.0,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
  static constexpr std::array e{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                2.71155556874348757815e-5, 2.01033439929228813265e-7};
  static constexpr std::array f{1.0,
                                5.99832206555887937690e-1,
                                1.36929880922735805310e-1,
                                1.48753612908506148525e-2,
                                7.86869131145613259100e-4,
                                1.84631831751005468180e-5,
                                1.42151175831644588870e-7,
                                2.04426310338993978564e-15};
  const double q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q * polynomial(a, r) / polynomial(b, r);
  }
  const double r = std::sqrt(-std::log(q < 0 ? u : 1 - u));
  const double z = r <= 5 ? polynomial(c, r - 1.6) / polynomial(d, r - 1.6) : polynomial(e, r - 5) / polynomial(f, r - 5);
  return q < 0 ? -z : z;
}

double normal_probability(double z) { return std::erfc(-z / std::sqrt(2.0)) / 2; }

}  // namespace sfg
