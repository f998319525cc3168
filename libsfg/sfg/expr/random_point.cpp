// A model's roots √r are those of positive numbers, for which √(a b) = √a √b. Modulo a prime p the elements of odd order
// have that: each has one root of odd order, whatever the degree. Primes with p ≡ −1 modulo 8 and modulo small odd primes
// q leave only a sign to be hit: p − 1 is twice an odd number without these q, so that all q-th roots exist, and by
// quadratic reciprocity √2 and √q do. With √−1 it is p ≡ 9 modulo 16, where the powers of an eighth root of unity stand for
// directions in the plane, and roots halve the angle.
#include "sfg/expr/random_point.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "sfg/error.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;

/// Products modulo an odd n < 2^63 without a division (Montgomery 1985): x stands for x·2^64.
class MontgomeryProduct {
 public:
  explicit MontgomeryProduct(std::uint64_t n) : n_(n) {
    std::uint64_t inverse = n;  // of n modulo 2^64, right in 3 bits: each step doubles them
    for (int i = 0; i < 5; ++i) inverse *= 2 - n * inverse;
    negative_inverse_ = ~inverse + 1;
  }
  std::uint64_t of(std::uint64_t x) const { return static_cast<std::uint64_t>((static_cast<Wide>(x) << 64) % n_); }
  std::uint64_t operator()(std::uint64_t a, std::uint64_t b) const {
    const Wide product = static_cast<Wide>(a) * b;
    const Wide zeros = static_cast<Wide>(static_cast<std::uint64_t>(product) * negative_inverse_) * n_;
    const auto result = static_cast<std::uint64_t>((product + zeros) >> 64);
    return result >= n_ ? result - n_ : result;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  std::uint64_t n_, negative_inverse_;
};

/// Miller–Rabin with the first twelve primes as bases: exact below 2^64 (Sorenson and Webster 2015).
bool is_prime(std::uint64_t n) {
  constexpr std::uint64_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  for (const std::uint64_t q : bases)
    if (n % q == 0) return n == q;
  const MontgomeryProduct product(n);
  const std::uint64_t one = product.of(1), minus_one = n - one;
  std::uint64_t odd = n - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) ++twos;
  for (const std::uint64_t base : bases) {
    std::uint64_t x = one, square = product.of(base);
    for (std::uint64_t rest = odd; rest > 0; rest >>= 1, square = product(square, square))
      if (rest & 1U) x = product(x, square);
    bool composite = x != one && x != minus_one;
    for (int i = 1; i < twos && composite; ++i) {
      x = product(x, x);
      composite = x != minus_one;
    }
    if (composite) return false;
  }
  return true;
}

/// The mixing function of SplitMix64: a good 64-bit hash of a counter.
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

constexpr std::uint64_t smallest_prime = std::uint64_t{1} << 60;
constexpr std::uint64_t small_odd_primes[] = {3, 5, 7, 11, 13};     // degrees of roots, and of exponentials such as exp(-T*s/7)
constexpr std::uint64_t greatest_modulus = std::uint64_t{1} << 34;  // leaves more than 10^7 primes of 61 bits

/// The odd primes below 1000 that divide n.
std::vector<std::uint64_t> odd_divisors(const Number& n) {
  std::vector<std::uint64_t> result;
  for (std::uint64_t q = 3; q < 1000; q += 2)
    if (is_prime(q) && GiNaC::irem(n, Number(static_cast<unsigned long>(q))).is_zero()) result.push_back(q);
  return result;
}

void collect_letters(const ex& e, std::vector<std::string>& letters) {
  if (GiNaC::is_exactly_a<Number>(e)) return;
  const bool is_combined = GiNaC::is_exactly_a<GiNaC::add>(e) || GiNaC::is_exactly_a<GiNaC::mul>(e);
  if (is_combined) {
    for (std::size_t i = 0; i < e.nops(); ++i) collect_letters(e.op(i), letters);
  } else if (whole_exponent(e) || is_root(e)) {
    collect_letters(e.op(0), letters);
  } else {
    const auto exponent = exponential(e);
    const std::string letter =
        GiNaC::is_a<GiNaC::symbol>(e) ? ex_to<GiNaC::symbol>(e).get_name() : print(exponent ? exponent->unit : e);
    if (std::ranges::find(letters, letter) == letters.end()) letters.push_back(letter);
  }
}

}  // namespace

ModularPoint random_point(std::uint64_t seed) {
  std::uint64_t candidate = smallest_prime | (scrambled(seed) & (smallest_prime - 1)) | 1;
  while (!is_prime(candidate)) candidate += 2;
  return ModularPoint(candidate, scrambled(seed + 0x5bd1e995));
}

/// Draws primes and letters for one seed.
class RandomPoints::Search {
 public:
  Search(const RandomPoints& points, std::uint64_t seed, const Budget& budget)
      : roots_(points.roots_), seed_(seed), budget_(budget) {
    std::vector<std::uint64_t> divisors(std::begin(small_odd_primes), std::end(small_odd_primes));
    for (const Root& root : roots_) {
      if (!root.letters.empty() || !is_root(root.value)) continue;
      const auto base = exact_number(root.value.op(0));
      for (const Number& part : base ? std::vector{abs(base->numer()), base->denom()} : std::vector<Number>{})
        for (const std::uint64_t q : odd_divisors(part)) divisors.push_back(q);
    }
    std::ranges::stable_sort(divisors.begin() + std::ssize(small_odd_primes), divisors.end());
    for (const std::uint64_t q : divisors)
      if (odd_modulus_ % q != 0 && odd_modulus_ * q < greatest_modulus / 16) odd_modulus_ *= q;
    for (const Root& root : roots_)
      for (const std::string& letter : root.letters)
        if (std::ranges::find(letters_, letter) == letters_.end()) letters_.push_back(letter);
  }

  std::optional<ModularPoint> point(bool with_unit) {
    constexpr std::size_t most_primes = std::size_t{1} << 17;
    constexpr std::size_t most_failures = 4;  // of the letters, which hardly depend on the prime
    std::size_t failures = 0;
    for (std::size_t i = 0; i < most_primes && failures < most_failures; ++i) {
      if (i % 64 == 0) budget_.check("the verification");
      ModularPoint point(prime(scrambled(seed_ + i * 0x632be59bd9b4e019), with_unit), scrambled(seed_ + 0x5bd1e995));
      if (!constants_have_roots(point)) continue;
      if (draw_letters(point)) return point;
      ++failures;
    }
    return std::nullopt;
  }

 private:
  std::uint64_t prime(std::uint64_t random, bool with_unit) const {
    // With √−1 the residues modulo p of odd primes q are those of p modulo q: a wish for all q-th roots would rule out √q.
    const std::uint64_t odd = with_unit ? 1 : odd_modulus_, twos = with_unit ? 16 : 8, wanted = with_unit ? 9 : 7;
    const std::uint64_t modulus = twos * odd;
    std::uint64_t rest = odd - 1;
    while (rest % twos != wanted) rest += odd;
    std::uint64_t candidate = smallest_prime + random % smallest_prime;
    candidate += modulus - candidate % modulus + rest;
    while (!is_prime(candidate)) candidate += modulus;
    return candidate < 2 * smallest_prime ? candidate : prime(scrambled(random), with_unit);
  }

  /// The root of a positive number is one of odd order.
  static bool is_true_root(const Root& root, const ModularPoint& point) {
    const auto value = point(root.value);
    if (!value) return false;
    const auto base = is_root(root.value) ? exact_number(root.value.op(0)) : std::nullopt;
    if (!base || !base->is_positive()) return true;
    const std::uint64_t order = (point.prime() - 1) / ((point.prime() - 1) & (~(point.prime() - 1) + 1));
    return ring::ModularRing(point.prime()).power(*value, order) == 1;
  }

  bool constants_have_roots(const ModularPoint& point) const {
    return std::ranges::all_of(roots_, [&](const Root& root) { return !root.letters.empty() || is_true_root(root, point); });
  }

  /// One letter after the other is drawn until the roots that are complete with it exist.
  bool draw_letters(ModularPoint& point) const {
    constexpr std::size_t most_draws = std::size_t{1} << 18;
    std::vector<std::string> drawn;
    const auto is_drawn = [&](const std::string& letter) { return std::ranges::find(drawn, letter) != drawn.end(); };
    for (const std::string& letter : letters_) {
      drawn.push_back(letter);
      std::vector<const Root*> complete;
      for (const Root& root : roots_)
        if (std::ranges::find(root.letters, letter) != root.letters.end() && std::ranges::all_of(root.letters, is_drawn))
          complete.push_back(&root);
      const std::size_t limit = complete.size() < 13 ? std::size_t{32} << complete.size() : most_draws;
      std::size_t draws = 0;
      while (!std::ranges::all_of(complete, [&](const Root* root) { return point(root->value).has_value(); })) {
        if (++draws > limit) return false;
        if (draws % 64 == 0) budget_.check("the verification");
        point.redraw(letter);
      }
    }
    return true;
  }

  const std::vector<Root>& roots_;
  std::uint64_t seed_;
  const Budget& budget_;
  std::uint64_t odd_modulus_ = 1;
  std::vector<std::string> letters_;
};

RandomPoints::RandomPoints(std::span<const ex> expressions) {
  std::unordered_map<const GiNaC::basic*, ex> seen;
  for (const ex& e : expressions) collect(e, seen);
}

void RandomPoints::collect(const ex& e, std::unordered_map<const GiNaC::basic*, ex>& seen) {
  if (GiNaC::is_exactly_a<Number>(e)) {
    complex_ = complex_ || !exact_number(e);
  } else if (GiNaC::is_exactly_a<GiNaC::mul>(e) ||
             (GiNaC::is_exactly_a<GiNaC::add>(e) && seen.emplace(&ex_to<GiNaC::basic>(e), e).second)) {
    for (std::size_t i = 0; i < e.nops(); ++i) collect(e.op(i), seen);
  } else if (whole_exponent(e)) {
    collect(e.op(0), seen);
  } else if (is_root(e)) {
    collect(e.op(0), seen);
    add_root(e);
  } else if (const auto exponent = GiNaC::is_a<GiNaC::symbol>(e) ? std::nullopt : exponential(e)) {
    squares_ = squares_ || !exponent->multiple.is_integer();
  }
}

void RandomPoints::add_root(const ex& e) {
  const Number degree = ex_to<Number>(e.op(1)).denom();
  const auto base = exact_number(e.op(0));
  complex_ = complex_ || (base && base->is_negative() && degree.is_even());
  const ex value = GiNaC::power(e.op(0), degree.inverse());
  if (std::ranges::any_of(roots_, [&](const Root& known) { return known.value.is_equal(value); })) return;
  roots_.push_back({value, {}});
  collect_letters(e.op(0), roots_.back().letters);
}

ModularPoint RandomPoints::operator()(std::uint64_t seed, const Budget& budget) const {
  if (roots_.empty() && !complex_ && !squares_) return random_point(seed);
  Search search(*this, seed, budget);
  if (!complex_)
    if (auto point = search.point(false)) return *std::move(point);
  if (auto point = search.point(true)) return *std::move(point);  // √(a − b) and √(b − a) exist together with √−1 alone
  throw LimitReached("no point was found at which all of " + std::to_string(roots_.size()) +
                         " roots have values, as the verification of an answer needs",
                     Advice::substitute_in_roots);
}

double RandomPoints::chance_factor() const {
  if (roots_.empty() && !complex_ && !squares_) return 1;
  return (complex_ ? 8.0 : 2.0) * std::pow(4.0, static_cast<double>(roots_.size()));
}

}  // namespace sfg
