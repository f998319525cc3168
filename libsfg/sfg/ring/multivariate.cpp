#include "sfg/ring/multivariate.hpp"

#include <flint/fmpq_mpoly.h>
#include <flint/fmpq_mpoly_factor.h>
#include <flint/nmod_vec.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "sfg/exact/flint.hpp"
#include "sfg/ring/modular.hpp"

namespace sfg::ring {

using exact::Rational;
using exact::raw;

struct PolynomialContext::Impl {
  // FLINT's gcd and factoring expect a variable: without one there is a silent one.
  explicit Impl(std::size_t variables) {
    fmpq_mpoly_ctx_init(context, static_cast<slong>(std::max<std::size_t>(1, variables)), ORD_LEX);
  }
  ~Impl() { fmpq_mpoly_ctx_clear(context); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  fmpq_mpoly_ctx_t context;
};

PolynomialContext::PolynomialContext(std::vector<std::string> variables)
    : variables_(std::move(variables)), impl_(std::make_unique<Impl>(variables_.size())) {}
PolynomialContext::~PolynomialContext() = default;

struct Polynomial::Impl {
  explicit Impl(Context c) : context(std::move(c)) { fmpq_mpoly_init(value, raw_context()); }
  ~Impl() { fmpq_mpoly_clear(value, raw_context()); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  const fmpq_mpoly_ctx_struct* raw_context() const { return context->impl_->context; }
  std::size_t variable_count() const { return static_cast<std::size_t>(fmpq_mpoly_ctx_nvars(raw_context())); }
  fmpz_mpoly_struct* integers() { return value->zpoly; }
  const fmpz_mpoly_struct* integers() const { return value->zpoly; }

  /// A new polynomial filled by `fill`. Should memory end meanwhile, the half-built one is leaked, not freed.
  template <class Fill>
  static std::unique_ptr<Impl> filled(const Context& context, Fill fill) {
    auto fresh = std::make_unique<Impl>(context);
    try {
      fill(fresh->value, fresh->raw_context());
    } catch (const std::bad_alloc&) {
      static_cast<void>(fresh.release());
      throw;
    }
    return fresh;
  }

  Context context;
  fmpq_mpoly_t value;
};

namespace {

using RawPolynomial = fmpq_mpoly_struct*;
using RawContext = const fmpq_mpoly_ctx_struct*;

void require_same(const Polynomial& a, const Polynomial& b, const char* caller) {
  if (a.context() != b.context()) throw std::invalid_argument(std::string(caller) + ": polynomials of two contexts");
}

bool has_unit_content(const fmpq_mpoly_struct* p) {
  return fmpz_is_pm1(fmpq_numref(p->content)) != 0 && fmpz_is_one(fmpq_denref(p->content)) != 0;
}

/// r = a ± b. Where both contents are ±1 FLINT would multiply every coefficient by them.
void add_signed(RawPolynomial r, const fmpq_mpoly_struct* a, const fmpq_mpoly_struct* b, bool negative, RawContext c) {
  if (!has_unit_content(a) || !has_unit_content(b)) {
    (negative ? fmpq_mpoly_sub : fmpq_mpoly_add)(r, a, b, c);
    return;
  }
  const bool opposite = negative == (fmpq_equal(a->content, b->content) != 0);
  (opposite ? fmpz_mpoly_sub : fmpz_mpoly_add)(r->zpoly, a->zpoly, b->zpoly, c->zctx);
  fmpq_set(r->content, a->content);
  fmpq_mpoly_reduce(r, c);
}

}  // namespace

Polynomial::Polynomial(Context context) : impl_(std::make_unique<Impl>(std::move(context))) {}
Polynomial::Polynomial(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Polynomial Polynomial::constant(Context context, const Rational& value) {
  return Polynomial(Impl::filled(context, [&](RawPolynomial r, RawContext c) { fmpq_mpoly_set_fmpq(r, raw(value), c); }));
}

Polynomial Polynomial::variable(Context context, std::size_t index) {
  if (index >= context->variables().size()) throw std::out_of_range("Polynomial::variable: no such variable");
  return Polynomial(
      Impl::filled(context, [&](RawPolynomial r, RawContext c) { fmpq_mpoly_gen(r, static_cast<slong>(index), c); }));
}

Polynomial::Polynomial(const Polynomial& other)
    : impl_(Impl::filled(other.context(), [&](RawPolynomial r, RawContext c) { fmpq_mpoly_set(r, other.impl_->value, c); })) {}
Polynomial::Polynomial(Polynomial&&) noexcept = default;
Polynomial& Polynomial::operator=(const Polynomial& other) {
  if (this != &other) *this = Polynomial(other);
  return *this;
}
Polynomial& Polynomial::operator=(Polynomial&&) noexcept = default;
Polynomial::~Polynomial() = default;

const Polynomial::Context& Polynomial::context() const noexcept { return impl_->context; }
bool Polynomial::is_zero() const { return fmpq_mpoly_is_zero(impl_->value, impl_->raw_context()) != 0; }
bool Polynomial::is_one() const { return fmpq_mpoly_is_one(impl_->value, impl_->raw_context()) != 0; }
bool Polynomial::is_constant() const { return fmpq_mpoly_is_fmpq(impl_->value, impl_->raw_context()) != 0; }
std::size_t Polynomial::term_count() const {
  return static_cast<std::size_t>(fmpq_mpoly_length(impl_->value, impl_->raw_context()));
}

std::size_t Polynomial::degree(std::size_t variable) const {
  if (variable >= context()->variables().size()) throw std::out_of_range("Polynomial::degree: no such variable");
  if (is_zero()) return 0;
  if (fmpq_mpoly_degrees_fit_si(impl_->value, impl_->raw_context()) == 0)
    throw std::overflow_error("Polynomial::degree: a degree above 2^63");
  return static_cast<std::size_t>(fmpq_mpoly_degree_si(impl_->value, static_cast<slong>(variable), impl_->raw_context()));
}

std::vector<std::size_t> Polynomial::degrees() const {
  std::vector<std::size_t> result(context()->variables().size(), 0);
  if (is_zero()) return result;
  if (fmpq_mpoly_degrees_fit_si(impl_->value, impl_->raw_context()) == 0)
    throw std::overflow_error("Polynomial::degrees: a degree above 2^63");
  std::vector<slong> all(impl_->variable_count());
  fmpq_mpoly_degrees_si(all.data(), impl_->value, impl_->raw_context());
  for (std::size_t v = 0; v < result.size(); ++v) result[v] = static_cast<std::size_t>(all[v]);
  return result;
}

bool Polynomial::depends_on(std::size_t variable) const { return degree(variable) > 0; }

Polynomial& Polynomial::operator+=(const Polynomial& b) {
  require_same(*this, b, "Polynomial::operator+=");
  impl_ = Impl::filled(context(), [&](RawPolynomial r, RawContext c) { add_signed(r, impl_->value, b.impl_->value, false, c); });
  return *this;
}

Polynomial& Polynomial::operator-=(const Polynomial& b) {
  require_same(*this, b, "Polynomial::operator-=");
  impl_ = Impl::filled(context(), [&](RawPolynomial r, RawContext c) { add_signed(r, impl_->value, b.impl_->value, true, c); });
  return *this;
}

Polynomial& Polynomial::operator*=(const Polynomial& b) {
  require_same(*this, b, "Polynomial::operator*=");
  impl_ = Impl::filled(context(), [&](RawPolynomial r, RawContext c) { fmpq_mpoly_mul(r, impl_->value, b.impl_->value, c); });
  return *this;
}

Polynomial Polynomial::operator-() const {
  return Polynomial(Impl::filled(context(), [&](RawPolynomial r, RawContext c) { fmpq_mpoly_neg(r, impl_->value, c); }));
}

void Polynomial::add_product(const Polynomial& a, const Polynomial& b) { *this += a * b; }
void Polynomial::subtract_product(const Polynomial& a, const Polynomial& b) { *this -= a * b; }

Polynomial Polynomial::power(std::uint64_t exponent) const {
  return Polynomial(Impl::filled(context(), [&](RawPolynomial r, RawContext c) {
    if (fmpq_mpoly_pow_ui(r, impl_->value, exponent, c) == 0) throw std::bad_alloc{};
  }));
}

Polynomial Polynomial::derivative(std::size_t variable) const {
  if (variable >= context()->variables().size()) throw std::out_of_range("Polynomial::derivative: no such variable");
  return Polynomial(Impl::filled(context(), [&](RawPolynomial r, RawContext c) {
    fmpq_mpoly_derivative(r, impl_->value, static_cast<slong>(variable), c);
  }));
}

Polynomial gcd(const Polynomial& a, const Polynomial& b) {
  require_same(a, b, "gcd");
  return Polynomial(Polynomial::Impl::filled(a.context(), [&](RawPolynomial r, RawContext c) {
    if (fmpq_mpoly_gcd(r, a.impl_->value, b.impl_->value, c) == 0) throw std::bad_alloc{};
  }));
}

Polynomial::GcdCofactors gcd_cofactors(const Polynomial& a, const Polynomial& b) {
  require_same(a, b, "gcd_cofactors");
  using Impl = Polynomial::Impl;
  std::unique_ptr<Impl> rest_of_a, rest_of_b;
  auto common = Impl::filled(a.context(), [&](RawPolynomial g, RawContext) {
    rest_of_a = Impl::filled(a.context(), [&](RawPolynomial ra, RawContext) {
      rest_of_b = Impl::filled(a.context(), [&](RawPolynomial rb, RawContext c) {
        if (fmpq_mpoly_gcd_cofactors(g, ra, rb, a.impl_->value, b.impl_->value, c) == 0) throw std::bad_alloc{};
      });
    });
  });
  return {Polynomial(std::move(common)), Polynomial(std::move(rest_of_a)), Polynomial(std::move(rest_of_b))};
}

std::optional<Polynomial> exact_quotient(const Polynomial& a, const Polynomial& b) {
  require_same(a, b, "exact_quotient");
  if (b.is_zero()) throw std::domain_error("exact_quotient: division by the zero polynomial");
  bool divides = false;
  auto quotient = Polynomial::Impl::filled(a.context(), [&](RawPolynomial r, RawContext c) {
    divides = fmpq_mpoly_divides(r, a.impl_->value, b.impl_->value, c) != 0;
  });
  if (!divides) return std::nullopt;
  return Polynomial(std::move(quotient));
}

bool operator==(const Polynomial& a, const Polynomial& b) {
  return a.context() == b.context() && fmpq_mpoly_equal(a.impl_->value, b.impl_->value, a.impl_->raw_context()) != 0;
}

Rational Polynomial::content() const {
  Rational value;
  if (!is_zero()) fmpq_set(raw(value), impl_->value->content);
  return value;
}

Polynomial Polynomial::primitive() const {
  Polynomial result(*this);
  if (!is_zero()) fmpq_one(result.impl_->value->content);
  return result;
}

void settle_contents(Polynomial& numerator, Polynomial& denominator) {
  if (denominator.is_zero()) throw std::domain_error("settle_contents: the denominator is 0");
  Rational ratio;  // numerator 0: 0/1
  fmpq_div(raw(ratio), numerator.impl_->value->content, denominator.impl_->value->content);
  fmpz_set(fmpq_numref(numerator.impl_->value->content), fmpq_numref(raw(ratio)));
  fmpz_one(fmpq_denref(numerator.impl_->value->content));
  fmpz_set(fmpq_numref(denominator.impl_->value->content), fmpq_denref(raw(ratio)));
  fmpz_one(fmpq_denref(denominator.impl_->value->content));
  if (!denominator.reads_negative()) return;
  for (Polynomial* side : {&numerator, &denominator})
    fmpz_neg(fmpq_numref(side->impl_->value->content), fmpq_numref(side->impl_->value->content));
}

bool Polynomial::reads_negative() const {
  if (is_zero()) return false;
  const RawContext c = impl_->raw_context();
  // In the order of the terms a number times a power of the main variable is the last one of that power.
  const auto sign_of_number = [&](std::size_t term) {
    std::vector<ulong> exponents(impl_->variable_count());
    fmpz_mpoly_get_term_exp_ui(exponents.data(), impl_->integers(), static_cast<slong>(term), c->zctx);
    const bool is_number =
        std::all_of(exponents.begin() + (exponents.empty() ? 0 : 1), exponents.end(), [](ulong e) { return e == 0; });
    return is_number ? fmpz_sgn(impl_->integers()->coeffs + term) : 0;
  };
  int sign = sign_of_number(0);
  if (sign == 0) sign = sign_of_number(term_count() - 1);
  if (sign == 0) sign = fmpz_sgn(impl_->integers()->coeffs);
  return sign * fmpq_sgn(impl_->value->content) < 0;
}

Polynomial Polynomial::monomial_content() const {
  if (is_zero()) return *this;
  return Polynomial(Impl::filled(context(), [&](RawPolynomial r, RawContext c) {
    fmpq_mpoly_term_content(r, impl_->value, c);
    fmpq_one(r->content);
  }));
}

std::vector<Polynomial> Polynomial::pieces(std::size_t terms) const {
  std::vector<Polynomial> result;
  const RawContext c = impl_->raw_context();
  const std::size_t count = term_count();
  for (std::size_t begin = 0; begin < count; begin += terms) {
    result.push_back(Polynomial(Impl::filled(context(), [&](RawPolynomial r, RawContext) {
      fmpq_set(r->content, impl_->value->content);
      std::vector<ulong> exponents(impl_->variable_count());
      for (std::size_t i = begin; i < std::min(count, begin + terms); ++i) {
        fmpz_mpoly_get_term_exp_ui(exponents.data(), impl_->integers(), static_cast<slong>(i), c->zctx);
        fmpz_mpoly_push_term_fmpz_ui(r->zpoly, impl_->integers()->coeffs + i, exponents.data(), c->zctx);
      }
      fmpq_mpoly_reduce(r, c);
    })));
  }
  return result;
}

namespace {

/// Owns FLINT's list of factors.
struct RawFactors {
  explicit RawFactors(RawContext c) : context(c) { fmpq_mpoly_factor_init(list, context); }
  ~RawFactors() { fmpq_mpoly_factor_clear(list, context); }
  RawFactors(const RawFactors&) = delete;
  RawFactors& operator=(const RawFactors&) = delete;
  RawContext context;
  fmpq_mpoly_factor_t list;
};

/// Low degrees first, then few terms, then by the terms themselves: the same order on every run.
bool factor_less(const Polynomial& a, const Polynomial& b) {
  const std::size_t variables = a.context()->variables().size();
  const auto total = [variables](const Polynomial& p) {
    std::size_t degree = 0;
    for (std::size_t v = 0; v < variables; ++v) degree += p.degree(v);
    return degree;
  };
  for (std::size_t v = 0; v < variables; ++v)
    if (a.degree(v) != b.degree(v) && v == 0) return a.degree(v) < b.degree(v);
  if (total(a) != total(b)) return total(a) < total(b);
  if (a.term_count() != b.term_count()) return a.term_count() < b.term_count();
  const auto terms_a = a.terms(), terms_b = b.terms();
  const auto before = [](const Polynomial::Term& x, const Polynomial::Term& y) {
    return x.powers != y.powers ? x.powers < y.powers : x.coefficient < y.coefficient;
  };
  return std::ranges::lexicographical_compare(terms_a, terms_b, before);
}

}  // namespace

Polynomial::Factorization Polynomial::factor() const {
  if (is_zero()) return {0, {}};
  RawFactors found(impl_->raw_context());
  if (fmpq_mpoly_factor(found.list, impl_->value, found.context) == 0) throw std::bad_alloc{};
  Factorization result;
  fmpq_set(raw(result.constant), found.list->constant);
  for (slong i = 0; i < found.list->num; ++i) {
    const fmpq_mpoly_struct* base = found.list->poly + i;
    const ulong multiplicity = fmpz_get_ui(found.list->exp + i);
    Polynomial factor(Impl::filled(context(), [&](RawPolynomial r, RawContext c) { fmpq_mpoly_set(r, base, c); }));
    result.constant *= factor.content().power(static_cast<long>(multiplicity));
    result.factors.emplace_back(factor.primitive(), multiplicity);
  }
  std::ranges::sort(result.factors, [](const auto& a, const auto& b) { return factor_less(a.first, b.first); });
  return result;
}

std::vector<std::pair<std::uint64_t, Polynomial>> Polynomial::sparse_coefficients(std::size_t variable) const {
  if (variable >= context()->variables().size()) throw std::out_of_range("Polynomial::sparse_coefficients: no such variable");
  std::vector<std::pair<std::uint64_t, Polynomial>> result;
  const RawContext c = impl_->raw_context();
  fmpq_mpoly_univar_t collected;
  fmpq_mpoly_univar_init(collected, c);
  fmpq_mpoly_to_univar(collected, impl_->value, static_cast<slong>(variable), c);
  for (slong i = 0; i < fmpq_mpoly_univar_length(collected, c); ++i) {
    auto coefficient =
        Impl::filled(context(), [&](RawPolynomial r, RawContext) { fmpq_mpoly_univar_swap_term_coeff(r, collected, i, c); });
    result.emplace_back(static_cast<std::uint64_t>(fmpq_mpoly_univar_get_term_exp_si(collected, i, c)),
                        Polynomial(std::move(coefficient)));
  }
  fmpq_mpoly_univar_clear(collected, c);
  return result;
}

std::vector<Polynomial> Polynomial::coefficients(std::size_t variable) const {
  std::vector<Polynomial> result;
  for (auto& [power, coefficient] : sparse_coefficients(variable)) {
    if (result.empty()) result.assign(power + 1, Polynomial(context()));
    const std::size_t position = result.size() - 1 - power;
    result[position] = std::move(coefficient);
  }
  return result;
}

Polynomial Polynomial::substituted(std::size_t variable, const Polynomial& value) const {
  require_same(*this, value, "Polynomial::substituted");
  Polynomial result(context());
  std::uint64_t power = 0;
  for (const auto& [exponent, coefficient] : sparse_coefficients(variable)) {  // Horner's rule over the gaps
    if (!result.is_zero()) result *= value.power(power - exponent);
    result += coefficient;
    power = exponent;
  }
  if (power > 0) result *= value.power(power);
  return result;
}

void Polynomial::visit_terms(
    const std::function<void(const Rational& coefficient, std::span<const std::uint64_t> exponents)>& visit) const {
  std::vector<std::uint64_t> exponents(impl_->variable_count());
  const std::span<const std::uint64_t> shown(exponents.data(), context()->variables().size());
  const bool plain = fmpq_is_one(impl_->value->content) != 0;
  Rational coefficient;
  const RawContext c = impl_->raw_context();
  for (std::size_t i = 0; i < term_count(); ++i) {
    const auto index = static_cast<slong>(i);
    fmpz_mpoly_get_term_exp_ui(exponents.data(), impl_->integers(), index, c->zctx);
    const fmpz* integer = impl_->integers()->coeffs + i;
    if (plain)
      fmpz_set(fmpq_numref(raw(coefficient)), integer);
    else
      fmpq_mul_fmpz(raw(coefficient), impl_->value->content, integer);
    visit(coefficient, shown);
  }
}

std::vector<Polynomial::Term> Polynomial::terms() const {
  std::vector<Term> result;
  result.reserve(term_count());
  visit_terms([&](const Rational& coefficient, std::span<const std::uint64_t> exponents) {
    Term& term = result.emplace_back(Term{coefficient, {}});
    for (std::size_t v = 0; v < exponents.size(); ++v)
      if (exponents[v] != 0) term.powers.emplace_back(v, exponents[v]);
  });
  return result;
}

Polynomial Polynomial::sum_of(Context context, std::span<const Term> terms) {
  std::vector<ulong> exponents(std::max<std::size_t>(1, context->variables().size()));
  return Polynomial(Impl::filled(context, [&](RawPolynomial r, RawContext c) {
    for (const Term& term : terms) {
      std::ranges::fill(exponents, 0);
      for (const auto& [variable, power] : term.powers) exponents.at(variable) += power;
      fmpq_mpoly_push_term_fmpq_ui(r, raw(term.coefficient), exponents.data(), c);
    }
    fmpq_mpoly_sort_terms(r, c);
    fmpq_mpoly_combine_like_terms(r, c);
    fmpq_mpoly_reduce(r, c);
  }));
}

namespace {

/// The exponents of packed monomials, each in a field of a word. In lexicographic order the first variables have the highest
/// fields of the last words.
class PackedExponents {
 public:
  PackedExponents(const fmpz_mpoly_struct* p, const fmpz_mpoly_ctx_struct* context, std::size_t variables)
      : exponents_(p->exps),
        words_(static_cast<std::size_t>(mpoly_words_per_exp_sp(p->bits, context->minfo))),
        bits_(p->bits),
        mask_(~ulong{0} >> (FLINT_BITS - bits_)),
        variables_(words_ * FLINT_BITS) {
    for (std::size_t bit = 0; bit < FLINT_BITS; ++bit) field_[bit] = static_cast<unsigned char>(bit / bits_ * bits_);
    for (std::size_t v = 0; v < variables; ++v) {
      slong word = 0, shift = 0;
      mpoly_gen_offset_shift_sp(&word, &shift, static_cast<slong>(v), bits_, context->minfo);
      variables_[static_cast<std::size_t>(word * FLINT_BITS + shift)] = v;
    }
  }
  struct Place {
    std::size_t word, shift;
  };
  /// The highest field in which a term differs from the one before it.
  Place first_change(std::size_t term) const {
    for (std::size_t word = words_; word-- > 0;)
      if (const ulong change = at(term, word) ^ at(term - 1, word); change != 0) return {word, top_field(change)};
    return {0, 0};
  }
  Place first() const { return {words_ - 1, (FLINT_BITS / bits_ - 1) * bits_}; }
  /// Visits (variable, exponent) of every exponent that is not 0, from a field on.
  template <class Visit>
  void visit(std::size_t term, Place from, const Visit& visit) const {
    ulong rest = at(term, from.word) & (~ulong{0} >> (FLINT_BITS - from.shift - bits_));
    for (std::size_t word = from.word;; rest = at(term, --word)) {
      while (rest != 0) {
        const std::size_t shift = top_field(rest);
        visit(variables_[word * FLINT_BITS + shift], (rest >> shift) & mask_);
        rest &= ~(mask_ << shift);
      }
      if (word == 0) return;
    }
  }
  std::size_t variable(Place place) const { return variables_[place.word * FLINT_BITS + place.shift]; }

 private:
  ulong at(std::size_t term, std::size_t word) const { return exponents_[term * words_ + word]; }
  std::size_t top_field(ulong word) const { return field_[static_cast<std::size_t>(std::bit_width(word) - 1)]; }

  const ulong* exponents_;
  std::size_t words_, bits_;
  ulong mask_;
  std::array<unsigned char, FLINT_BITS> field_{};  // where the field of a bit begins
  std::vector<std::size_t> variables_;             // by the places of their fields
};

}  // namespace

// Terms are in lexicographic order: what one has in common with the next, from the first variable on, is multiplied once.
std::uint64_t Polynomial::modulo(std::uint64_t prime, std::span<const std::uint64_t> values) const {
  if (values.size() != context()->variables().size()) throw std::invalid_argument("Polynomial::modulo: one value a variable");
  const ModularRing field(prime);
  nmod_t fast;
  nmod_init(&fast, prime);
  const std::size_t n = values.size();
  std::vector<std::uint64_t> residues(n);
  for (std::size_t v = 0; v < n; ++v) residues[v] = values[v] % prime;
  const fmpz_mpoly_struct* p = impl_->integers();
  const RawContext c = impl_->raw_context();
  const auto with_coefficient = [&](std::size_t term, std::uint64_t product) {
    const fmpz* coefficient = p->coeffs + term;
    return fmpz_is_one(coefficient) != 0 ? product : nmod_mul(fmpz_fdiv_ui(coefficient, prime), product, fast);
  };
  const auto power = [&](std::size_t v, ulong exponent) {
    return exponent == 1 ? residues[v] : field.power(residues[v], exponent);
  };
  std::uint64_t sum = 0;
  if (term_count() > 0 && p->bits > FLINT_BITS) {
    std::vector<ulong> exponents(impl_->variable_count());
    for (std::size_t i = 0; i < term_count(); ++i) {
      fmpz_mpoly_get_term_exp_ui(exponents.data(), p, static_cast<slong>(i), c->zctx);
      std::uint64_t product = 1;
      for (std::size_t v = 0; v < n; ++v)
        if (exponents[v] != 0) product = nmod_mul(product, power(v, exponents[v]), fast);
      sum = field.add(sum, with_coefficient(i, product));
    }
  } else if (term_count() > 0) {
    const PackedExponents exponents(p, c->zctx, n);
    std::vector<std::pair<std::size_t, std::uint64_t>> prefix{{0, 1}};  // beyond the first: variable, product up to it
    for (std::size_t i = 0; i < term_count(); ++i) {
      const auto from = i == 0 ? exponents.first() : exponents.first_change(i);
      const std::size_t first = exponents.variable(from);
      while (prefix.size() > 1 && prefix.back().first >= first) prefix.pop_back();
      exponents.visit(i, from, [&](std::size_t v, ulong exponent) {
        prefix.emplace_back(v, nmod_mul(prefix.back().second, power(v, exponent), fast));
      });
      sum = field.add(sum, with_coefficient(i, prefix.back().second));
    }
  }
  const std::uint64_t denominator = fmpz_fdiv_ui(fmpq_denref(impl_->value->content), prime);
  if (denominator == 0) throw std::domain_error("Polynomial::modulo: a denominator vanishes modulo the prime");
  return field.multiply(sum, field.divide(fmpz_fdiv_ui(fmpq_numref(impl_->value->content), prime), denominator));
}

Polynomial sum(Polynomial::Context context, std::vector<Polynomial> terms) {
  if (terms.empty()) return Polynomial(std::move(context));
  for (std::size_t step = 1; step < terms.size(); step *= 2)
    for (std::size_t i = 0; i + step < terms.size(); i += 2 * step) {
      terms[i] += terms[i + step];
      terms[i + step] = Polynomial(context);
    }
  return std::move(terms.front());
}

}  // namespace sfg::ring
