// Values of expressions modulo a prime, from the GiNaC tree alone. What holds between kernels must hold between their
// residues too: a root is a true root modulo the prime, and exp(x)·exp(−x) is 1.
#include <cln/cln.h>
#include <ginac/ginac.h>

#include <bit>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/kernel.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/print_form.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;
using Residue = std::optional<std::uint64_t>;

/// FNV-1a, then the finaliser of splitmix64: the same on every machine.
std::uint64_t hash(std::string_view text, std::uint64_t seed) {
  std::uint64_t h = 0xCBF29CE484222325 ^ (seed * 0x9E3779B97F4A7C15);
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EB;
  return h ^ (h >> 31);
}

constexpr std::uint64_t most_turns = 64;

/// n without the prime factors that it shares with `q`.
std::uint64_t stripped(std::uint64_t n, std::uint64_t q) {
  for (std::uint64_t common = std::gcd(n, q); common != 1; common = std::gcd(n, q)) n /= common;
  return n;
}

/// q^−1 modulo m, for coprime numbers.
std::uint64_t inverse(std::uint64_t q, std::uint64_t m) {
  __extension__ using Wide = __int128;
  Wide a = q % m, b = m, x = 1, y = 0;
  while (b != 0) {
    const Wide quotient = a / b;
    a = std::exchange(b, a - quotient * b);
    x = std::exchange(y, x - quotient * y);
  }
  const Wide result = x % static_cast<Wide>(m);
  return static_cast<std::uint64_t>(result < 0 ? result + static_cast<Wide>(m) : result);
}

/// Evaluates one expression; keeps the values of sums and functions that occur again.
class Evaluator {
 public:
  Evaluator(const ModularPoint& point) : point_(point), field_(point.prime()) {}

  Residue operator()(const ex& e) {
    if (GiNaC::is_exactly_a<Number>(e)) return number(ex_to<Number>(e));
    if (GiNaC::is_exactly_a<GiNaC::mul>(e)) return product(e);
    if (const auto exponent = whole_exponent(e)) return power((*this)(e.op(0)), *exponent);
    const GiNaC::basic* key = &ex_to<GiNaC::basic>(e);
    if (const auto known = known_.find(key); known != known_.end()) return known->second.second;
    const Residue value = GiNaC::is_exactly_a<GiNaC::add>(e) ? sum(e) : is_root(e) ? root(e) : kernel(e);
    known_.emplace(key, std::pair(e, value));
    return value;
  }

 private:
  std::uint64_t integer(const Number& n) const {
    const cln::cl_I prime(field_.prime());
    return cln::cl_I_to_UQ(cln::mod(cln::the<cln::cl_I>(n.to_cl_N()), prime));
  }

  Residue number(const Number& z) const {
    if (!z.is_real()) {
      const Residue unit = root_of(field_.prime() - 1, 2), re = number(z.real()), im = number(z.imag());
      if (!unit || !re || !im) return std::nullopt;
      return field_.add(*re, field_.multiply(*im, *unit));
    }
    const Number n = *exact_number(z);
    if (n.is_integer()) return integer(n);
    const std::uint64_t denominator = integer(n.denom());
    if (denominator == 0) return std::nullopt;
    return field_.divide(integer(n.numer()), denominator);
  }

  Residue sum(const ex& e) {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < e.nops(); ++i) {
      const Residue part = (*this)(e.op(i));
      if (!part) return std::nullopt;
      result = field_.add(result, *part);
    }
    return result;
  }

  Residue product(const ex& e) {
    std::uint64_t result = 1;
    for (std::size_t i = 0; i < e.nops(); ++i) {
      const Residue part = (*this)(e.op(i));
      if (!part) return std::nullopt;
      result = field_.multiply(result, *part);
    }
    return result;
  }

  Residue power(Residue base, std::int64_t exponent) const {
    if (!base || (*base == 0 && exponent < 0)) return std::nullopt;
    const std::uint64_t result = field_.power(*base, static_cast<std::uint64_t>(std::abs(exponent)));
    return exponent < 0 ? field_.inverse(result) : result;
  }

  Residue root(const ex& e) {
    // √(3/7) is √21/7 to the polynomials, and must be here, even where 7 is no square.
    if (const auto constant = constant_root(e)) {
      const Residue factor = number(constant->factor), root = root_of(integer(constant->radicand), 2);
      return factor && root ? Residue(field_.multiply(*factor, *root)) : std::nullopt;
    }
    const Number& exponent = ex_to<Number>(e.op(1));
    const Residue base = (*this)(e.op(0));
    static const Number greatest(std::numeric_limits<std::int64_t>::max());
    if (!base || abs(exponent.numer()) > greatest || exponent.denom() > greatest) return std::nullopt;
    return power(root_of(*base, static_cast<std::uint64_t>(whole_value(exponent.denom()))), whole_value(exponent.numer()));
  }

  /// The q-th root in the subgroup where it is unique. Outside of it, roots of degree 2, 4, … halve the angle where
  /// an element is a positive one (of odd order) turned by a root of unity, and exist where that can be halved.
  Residue root_of(std::uint64_t value, std::uint64_t q) const {
    if (value == 0) return 0;
    const std::uint64_t order = stripped(field_.prime() - 1, q);
    if (field_.power(value, order) == 1) return field_.power(value, inverse(q, order));
    const std::uint64_t turns = (field_.prime() - 1) / order;
    if (!std::has_single_bit(q) || turns > most_turns) return std::nullopt;
    const std::uint64_t positive = field_.power(value, turns * inverse(turns, order));
    const auto angle = static_cast<std::int64_t>(turns_of(field_.divide(value, positive), turns));
    const auto n = static_cast<std::int64_t>(turns), degree = static_cast<std::int64_t>(q);
    const std::int64_t signed_angle = 2 * angle > n ? angle - n : angle;
    if (signed_angle % degree != 0) return std::nullopt;
    const auto turned = static_cast<std::uint64_t>((signed_angle / degree + n) % n);
    return field_.multiply(field_.power(positive, inverse(q, order)), field_.power(unit_root(turns), turned));
  }

  /// A primitive n-th root of unity, for the power n of 2 in p − 1.
  std::uint64_t unit_root(std::uint64_t n) const {
    const std::uint64_t odd = (field_.prime() - 1) / n;
    for (std::uint64_t candidate = 2;; ++candidate) {
      const std::uint64_t root = field_.power(candidate, odd);
      if (field_.power(root, n / 2) != 1) return root;
    }
  }

  /// k with unity = unit_root(n)^k.
  std::uint64_t turns_of(std::uint64_t unity, std::uint64_t n) const {
    const std::uint64_t root = unit_root(n);
    std::uint64_t k = 0;
    for (std::uint64_t power = 1; power != unity; power = field_.multiply(power, root)) ++k;
    return k;
  }

  Residue kernel(const ex& e) {
    if (GiNaC::is_a<GiNaC::symbol>(e)) return point_.residue(ex_to<GiNaC::symbol>(e).get_name());
    const auto exponent = exponential(e);
    if (!exponent) return point_.hashed(print(e));
    const Number p = exponent->multiple.numer(), q = exponent->multiple.denom();
    static const Number greatest(std::numeric_limits<std::int64_t>::max());
    // Of the small numbers every root exists, since exponents such as T/7 and T come together.
    const std::uint64_t unit = point_.hashed(print(exponent->unit), 30030);
    if (abs(p) > greatest || q > greatest) return long_power(unit, p, q);
    return power(root_of(unit, static_cast<std::uint64_t>(whole_value(q))), whole_value(p));
  }

  /// value^(p/q) in the subgroup where roots of degree q are unique, as root_of() has it.
  Residue long_power(std::uint64_t value, const Number& p, const Number& q) const {
    Number order(field_.prime() - 1);
    for (Number common = gcd(order, q); !common.is_equal(1); common = gcd(order, q)) order = order / common;
    const std::uint64_t n = static_cast<std::uint64_t>(whole_value(order));
    if (field_.power(value, n) != 1) return std::nullopt;
    const Number inverted(inverse(static_cast<std::uint64_t>(whole_value(mod(q, order))), n));
    return field_.power(value, static_cast<std::uint64_t>(whole_value(mod(mod(p, order) * inverted, order))));
  }

  const ModularPoint& point_;
  ring::ModularRing field_;
  std::unordered_map<const GiNaC::basic*, std::pair<ex, Residue>> known_;
};

}  // namespace

Residue ModularPoint::operator()(const ex& e) const { return Evaluator(*this)(e); }

std::uint64_t ModularPoint::hashed(std::string_view printed, std::uint64_t roots) const {
  const std::uint64_t order = stripped(prime_ - 1, roots);
  const auto redrawn = draws_.find(printed);
  const std::uint64_t draw = redrawn == draws_.end() ? 0 : redrawn->second;
  const std::uint64_t value = hash(printed, seed_ + draw * 0xD1B54A32D192ED03) % prime_;
  return ring::ModularRing(prime_).power(value == 0 ? 1 : value, (prime_ - 1) / order);
}

std::uint64_t ModularPoint::residue(std::string_view printed) const {
  if (is_name(printed)) return hashed(printed);
  try {
    SymbolTable symbols;
    if (const Residue value = (*this)(parse(printed, symbols))) return *value;
  } catch (const Error&) {
    // not an expression: a name of someone else's making
  }
  return hashed(printed);
}

}  // namespace sfg
