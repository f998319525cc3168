#include "sfg/expr/print_form.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <compare>
#include <stdexcept>

#include "sfg/expr/name.hpp"
#include "sfg/expr/tables.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using GiNaC::ex_to;
using Number = GiNaC::numeric;

/// zeta, zeta1, zeta_n; not zetas.
bool is_damping(std::string_view name) {
  constexpr std::string_view zeta = "zeta";
  return name.starts_with(zeta) && (name.size() == zeta.size() || !std::isalpha(static_cast<unsigned char>(name[zeta.size()])));
}

/// Where Boltzmann's constant, the temperature and the charge of noise stand in a product, 4 k_B T_K R1; 0 for what else there is.
int place_of_constant(std::string_view name) { return name == "k_B" ? 1 : name == "T_K" ? 2 : name == "q_e" ? 3 : 0; }

/// A damping ratio as what stands just before omega.
std::string place_in_products(std::string_view name) { return (is_damping(name) ? "omeg`" : "") + std::string(name); }

/// Orders what has the same base: higher powers first.
std::strong_ordering compare_exponents(const PrintFactor& a, const PrintFactor& b) {
  if (a.symbolic_exponent.empty() != b.symbolic_exponent.empty())
    return a.symbolic_exponent.empty() ? std::strong_ordering::greater : std::strong_ordering::less;
  if (!a.symbolic_exponent.empty()) return form_text(a.symbolic_exponent[0]) <=> form_text(b.symbolic_exponent[0]);
  return b.exponent.compare(a.exponent) <=> 0;
}

std::strong_ordering compare_names(std::string_view a, std::string_view b) {
  if (a == b) return std::strong_ordering::equal;
  return stands_before(a, b) ? std::strong_ordering::less : std::strong_ordering::greater;
}

Number degree_in(const PrintProduct& product, std::string_view name) {
  for (const PrintFactor& factor : product.factors)
    if (factor.kind == PrintFactor::Kind::symbol && factor.name == name && factor.symbolic_exponent.empty())
      return factor.exponent;
  return 0;
}

/// In sums: by descending powers, first of `main`, then of the others in the order of their names; constants last.
std::strong_ordering compare_terms(const PrintProduct& a, const PrintProduct& b, std::string_view main) {
  if (!main.empty())
    if (const auto by_main = degree_in(b, main).compare(degree_in(a, main)) <=> 0; by_main != 0) return by_main;
  for (std::size_t i = 0; i < a.factors.size() && i < b.factors.size(); ++i) {
    if (const auto by_name = compare_names(a.factors[i].key(), b.factors[i].key()); by_name != 0) return by_name;
    if (const auto by_power = compare_exponents(a.factors[i], b.factors[i]); by_power != 0) return by_power;
  }
  if (a.factors.size() != b.factors.size()) return b.factors.size() <=> a.factors.size();
  return b.coefficient.compare(a.coefficient) <=> 0;
}

void order_terms(PrintSum& sum, std::string_view main) {
  std::ranges::sort(sum.terms, [main](const PrintProduct& a, const PrintProduct& b) { return compare_terms(a, b, main) < 0; });
}

/// Whether a power of the main variable is among the factors: of 1 + K/s there is none.
bool is_polynomial_in(const PrintSum& sum, std::string_view main) {
  return std::ranges::any_of(sum.terms, [&](const PrintProduct& term) { return degree_in(term, main).is_positive(); });
}

/// A number, or one times a power of the main variable.
bool is_number_in(const PrintProduct& term, std::string_view main) {
  return std::ranges::all_of(term.factors, [&](const PrintFactor& factor) {
    return factor.kind == PrintFactor::Kind::symbol && factor.name == main && factor.symbolic_exponent.empty();
  });
}

auto with_degree_of(const PrintProduct& like, std::string_view main) {
  return [degree = degree_in(like, main), main](const PrintProduct& term) { return degree_in(term, main) == degree; };
}

/// Of a sum in the order of its powers.
bool leading_coefficient_is_number(const PrintSum& sum, std::string_view main) {
  const auto leads = with_degree_of(sum.terms.front(), main);
  return std::ranges::all_of(sum.terms, [&](const PrintProduct& term) { return !leads(term) || is_number_in(term, main); });
}

/// Whether an ordered sum reads better with the other sign: ring::Polynomial::reads_negative of a form.
bool reads_negative(const PrintSum& sum, std::string_view main) {
  const PrintProduct& first = sum.terms.front();
  if (main.empty() || leading_coefficient_is_number(sum, main)) return first.coefficient.is_negative();
  const auto is_lowest = with_degree_of(sum.terms.back(), main);
  const auto number =
      std::ranges::find_if(sum.terms, [&](const PrintProduct& term) { return is_lowest(term) && is_number_in(term, main); });
  return (number != sum.terms.end() ? *number : first).coefficient.is_negative();
}

/// Builds the form of GiNaC expressions.
class FormBuilder {
 public:
  explicit FormBuilder(std::string_view main) : main_(main) {}

  PrintSum operator()(const ex& e) const {
    PrintSum result = sum(e);
    if (!main_.empty()) take_signs(result);
    return result;
  }

  PrintSum sum(const ex& e, bool positive_first = true) const {
    PrintSum result;
    result.terms.reserve(GiNaC::is_exactly_a<GiNaC::add>(e) ? e.nops() : 1);  // growing would copy every term
    const auto append = [&](const ex& term) {
      if (!term.is_zero()) append_term(result, term);
    };
    if (GiNaC::is_exactly_a<GiNaC::add>(e))
      for (std::size_t i = 0; i < e.nops(); ++i) append(e.op(i));
    else
      append(e);
    order_terms(result, main_);
    if (positive_first) put_lead_first(result, main_);
    return result;
  }

 private:
  void append_term(PrintSum& sum, const ex& term) const {
    if (GiNaC::is_exactly_a<Number>(term) && !ex_to<Number>(term).is_real()) {
      const Number& z = ex_to<Number>(term);
      if (!z.real().is_zero()) sum.terms.push_back({.coefficient = z.real(), .factors = {}});
      sum.terms.push_back({.coefficient = z.imag(), .factors = {imaginary_unit()}});
      return;
    }
    sum.terms.push_back(product(term));
  }

  PrintProduct product(const ex& e) const {
    PrintProduct result;
    result.factors.reserve(GiNaC::is_exactly_a<GiNaC::mul>(e) ? e.nops() : 1);
    if (GiNaC::is_exactly_a<GiNaC::mul>(e))
      for (std::size_t i = 0; i < e.nops(); ++i) multiply(result, e.op(i));
    else
      multiply(result, e);
    order_factors(result, main_);
    return result;
  }

  void multiply(PrintProduct& product, const ex& e) const {
    if (GiNaC::is_exactly_a<Number>(e)) {
      multiply_number(product, ex_to<Number>(e));
      return;
    }
    PrintFactor factor;
    if (GiNaC::is_exactly_a<GiNaC::power>(e)) {
      factor = base(e.op(0));
      const ex& exponent = e.op(1);
      if (GiNaC::is_exactly_a<Number>(exponent) && ex_to<Number>(exponent).is_real())
        factor.exponent = ex_to<Number>(exponent);
      else
        factor.symbolic_exponent.push_back(sum(exponent));
    } else {
      factor = base(e);
    }
    if (factor.kind == PrintFactor::Kind::group) settle_sign(product, factor);
    product.factors.push_back(std::move(factor));
  }

  void multiply_number(PrintProduct& product, const Number& z) const {
    if (z.is_real()) {
      product.coefficient *= z;
    } else if (z.real().is_zero()) {
      product.coefficient *= z.imag();
      product.factors.push_back(imaginary_unit());
    } else {
      PrintFactor group;
      group.kind = PrintFactor::Kind::group;
      group.parts.push_back(sum(z));
      product.factors.push_back(std::move(group));
    }
  }

  /// The square root of −1: "I" is a name like any other here.
  static PrintFactor imaginary_unit() {
    PrintFactor factor;
    factor.kind = PrintFactor::Kind::number;
    factor.number = -1;
    factor.exponent = Number(1, 2);
    return factor;
  }

  PrintFactor base(const ex& e) const {
    PrintFactor factor;
    if (GiNaC::is_exactly_a<Number>(e) && ex_to<Number>(e).is_real()) {
      factor.kind = PrintFactor::Kind::number;
      factor.number = ex_to<Number>(e);
    } else if (GiNaC::is_a<GiNaC::symbol>(e)) {
      factor.kind = PrintFactor::Kind::symbol;
      factor.name = ex_to<GiNaC::symbol>(e).get_name();
    } else if (e.is_equal(GiNaC::Pi)) {
      factor.kind = PrintFactor::Kind::constant;
      factor.name = "pi";
    } else if (GiNaC::is_a<GiNaC::function>(e)) {
      factor.kind = PrintFactor::Kind::call;
      factor.name = ex_to<GiNaC::function>(e).get_name();
      if (factor.name == "lookup") return lookup(e.op(0), ex_to<Number>(e.op(1)).to_long());
      for (std::size_t i = 0; i < e.nops(); ++i) factor.parts.push_back(sum(e.op(i)));
    } else if (GiNaC::is_a<GiNaC::add>(e) || GiNaC::is_a<GiNaC::mul>(e) || GiNaC::is_a<GiNaC::power>(e) ||
               GiNaC::is_a<Number>(e)) {
      factor.kind = PrintFactor::Kind::group;
      factor.parts.push_back(sum(e, false));
    } else {
      throw std::invalid_argument("print: not an expression of the grammar");
    }
    return factor;
  }

  /// name(u) of a table, or table(u, [x, y], …); slope(…) of its derivatives.
  PrintFactor lookup(const ex& argument, long code) const {
    PrintFactor call;
    call.kind = PrintFactor::Kind::call;
    call.parts.push_back(sum(argument));
    const std::vector<std::string> texts = table_text(static_cast<std::size_t>(code / 8));
    call.name = texts.front();
    for (std::size_t i = 1; i < texts.size(); ++i) {
      PrintFactor text;
      text.name = texts[i];
      call.parts.push_back(PrintSum{{PrintProduct{1, {text}}}});
    }
    for (long order = code % 8; order > 0; --order) {
      PrintFactor outer;
      outer.kind = PrintFactor::Kind::call;
      outer.name = "slope";
      outer.parts.push_back(PrintSum{{PrintProduct{1, {std::move(call)}}}});
      call = std::move(outer);
    }
    return call;
  }

  /// (y − x)^n and (−1)^n (x − y)^n print alike.
  void settle_sign(PrintProduct& product, PrintFactor& group) const {
    PrintSum& inner = group.parts[0];
    const bool whole = group.symbolic_exponent.empty() && group.exponent.is_integer();
    if (whole && inner.terms.size() > 1 && reads_negative(inner, main_)) {
      for (PrintProduct& term : inner.terms) term.coefficient = -term.coefficient;
      if (group.exponent.is_odd()) product.coefficient = -product.coefficient;
    }
    put_lead_first(inner, main_);
  }

  /// In all products, once every sum has the sign of its own that it has in any expression: GiNaC's order, which changes from run
  /// to run, decides no longer. @returns whether there was one.
  bool take_signs(PrintSum& sum) const {
    bool any = false;
    for (PrintProduct& term : sum.terms) {
      bool here = false;
      for (PrintFactor& factor : term.factors) {
        bool inside = false;
        for (PrintSum& part : factor.parts) inside |= take_signs(part);
        for (PrintSum& exponent : factor.symbolic_exponent) inside |= take_signs(exponent);
        if (inside) factor.forget_key();
        here |= inside;
      }
      here |= term.coefficient.is_negative() && take_sign(term);
      if (here) order_factors(term, main_);
      any |= here;
    }
    if (!any) return false;
    order_terms(sum, main_);
    put_lead_first(sum, main_);
    return true;
  }

  /// (G − 1)·K rather than −(1 − G)·K.
  bool take_sign(PrintProduct& product) const {
    PrintFactor* least = nullptr;
    for (PrintFactor& factor : product.factors) {
      const bool turns =
          factor.kind == PrintFactor::Kind::group && factor.symbolic_exponent.empty() && factor.exponent.is_pos_integer() &&
          factor.exponent.is_odd() &&
          !(is_polynomial_in(factor.parts[0], main_) && leading_coefficient_is_number(factor.parts[0], main_)) &&
          std::ranges::any_of(factor.parts[0].terms, [](const auto& term) { return term.coefficient.is_negative(); });
      if (turns && (least == nullptr || compare_names(factor.key(), least->key()) < 0)) least = &factor;
    }
    if (least == nullptr) return false;
    product.coefficient = -product.coefficient;
    PrintSum turned = least->parts[0];
    for (PrintProduct& term : turned.terms) term.coefficient = -term.coefficient;
    order_terms(turned, main_);
    put_lead_first(turned, main_);
    least->parts[0] = std::move(turned);
    least->forget_key();
    return true;
  }

  std::string_view main_;
};

/// Numbers and constants, then symbols and functions, then the main variable, then sums.
int rank(const PrintFactor& factor, std::string_view main) {
  switch (factor.kind) {
    case PrintFactor::Kind::number: return 0;
    case PrintFactor::Kind::constant: return 1;
    case PrintFactor::Kind::symbol: return factor.name == main ? 4 : 2;
    case PrintFactor::Kind::call: return 3;
    case PrintFactor::Kind::group: return 5;
  }
  return 6;
}

}  // namespace

const std::string& PrintFactor::key() const {
  if (kind == Kind::symbol) return name;
  if (key_.empty()) key_ = base_text(*this);
  return key_;
}

void put_lead_first(PrintSum& sum, std::string_view main) {
  if (sum.terms.empty()) return;
  auto lead = sum.terms.begin(), end = sum.terms.end();
  const PrintProduct& last = sum.terms.back();
  if (!main.empty() && is_polynomial_in(sum, main))
    end = std::find_if_not(lead, end, with_degree_of(*lead, main));
  else if (!main.empty() && last.factors.empty() && !last.coefficient.is_negative())
    lead = sum.terms.end() - 1;
  lead = std::find_if(lead, end, [](const PrintProduct& term) { return !term.coefficient.is_negative(); });
  if (lead != end) std::rotate(sum.terms.begin(), lead, lead + 1);
}

PrintSum print_form(const ex& e, std::string_view main) { return FormBuilder(main)(e); }

bool leads_with_minus(const ex& e) {
  const PrintSum form = FormBuilder({}).sum(e, false);
  return !form.terms.empty() && form.terms.front().coefficient.is_negative();
}

bool stands_before(std::string_view a, std::string_view b) {
  const int constant_a = place_of_constant(a), constant_b = place_of_constant(b);
  if (constant_a != 0 && constant_b != 0) return constant_a < constant_b;
  if (constant_a != constant_b) return constant_a != 0;
  return is_damping(a) == is_damping(b) ? name_less(a, b) : name_less(place_in_products(a), place_in_products(b));
}

void order_factors(PrintProduct& product, std::string_view main) {
  std::ranges::sort(product.factors, [main](const PrintFactor& a, const PrintFactor& b) {
    if (rank(a, main) != rank(b, main)) return rank(a, main) < rank(b, main);
    if (const auto by_name = compare_names(a.key(), b.key()); by_name != 0) return by_name < 0;
    return compare_exponents(a, b) < 0;
  });
}

}  // namespace sfg
