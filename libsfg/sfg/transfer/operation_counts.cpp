// Operations of a formula as it is written down.
#include <ginac/add.h>
#include <ginac/mul.h>
#include <ginac/power.h>
#include <ginac/symbol.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "sfg/exact/rational.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/transfer/sequence.hpp"

namespace sfg {

OperationCounts& OperationCounts::operator+=(const OperationCounts& other) {
  additions += other.additions;
  multiplications += other.multiplications;
  divisions += other.divisions;
  return *this;
}

namespace {

OperationCounts written_counts(const Math& formula) {
  OperationCounts counts;
  const std::size_t count = formula.parts.size();
  switch (formula.kind) {
    case Math::Kind::sum: counts.additions = count - 1; break;
    case Math::Kind::product: counts.multiplications = count - 1; break;
    case Math::Kind::quotient: counts.divisions = 1; break;
    case Math::Kind::power:
      if (const auto exponent = exact::Rational::parse(formula.parts[1].text); exponent && formula.parts[1].parts.empty())
        if (const auto whole = exponent->to_integer(); whole && *whole > 0)
          counts.multiplications = static_cast<std::size_t>(*whole) - 1;
      break;
    default: break;
  }
  for (const Math& part : formula.parts) counts += written_counts(part);
  return counts;
}

bool count_sum(const GiNaC::ex&, OperationCounts&);

/// A factor of a product: is it above the line?
std::optional<bool> count_factor(const GiNaC::ex& e, OperationCounts& counts) {
  if (GiNaC::is_exactly_a<GiNaC::symbol>(e)) return true;
  if (GiNaC::is_exactly_a<GiNaC::add>(e)) return count_sum(e, counts) ? std::optional(true) : std::nullopt;
  if (!GiNaC::is_exactly_a<GiNaC::power>(e) || !e.op(1).info(GiNaC::info_flags::integer)) return std::nullopt;
  const GiNaC::ex base = e.op(0);
  const auto& exponent = GiNaC::ex_to<GiNaC::numeric>(e.op(1));
  const bool sum = GiNaC::is_exactly_a<GiNaC::add>(base);
  if (exponent.int_length() > 30 || !(sum ? count_sum(base, counts) : GiNaC::is_exactly_a<GiNaC::symbol>(base)))
    return std::nullopt;
  counts.multiplications += static_cast<std::size_t>(std::abs(exponent.to_long())) - 1;
  return exponent.is_positive();
}

bool count_term(const GiNaC::ex& e, OperationCounts& counts) {
  const bool product = GiNaC::is_exactly_a<GiNaC::mul>(e);
  std::size_t above = 0, below = 0;
  for (std::size_t i = 0, count = product ? e.nops() : 1; i < count; ++i) {
    const GiNaC::ex factor = product ? e.op(i) : e;
    if (GiNaC::is_exactly_a<GiNaC::numeric>(factor)) {
      const auto& n = GiNaC::ex_to<GiNaC::numeric>(factor);
      if (!n.is_integer()) return false;
      if (n != 1 && n != -1) ++above;
    } else if (const auto is_above = count_factor(factor, counts)) {
      ++(*is_above ? above : below);
    } else {
      return false;
    }
  }
  counts.multiplications += std::max<std::size_t>(above, 1) - 1 + std::max<std::size_t>(below, 1) - 1;
  if (below > 0) ++counts.divisions;
  return true;
}

/// What written_counts() finds in the formula, without writing it: of sums, products and whole powers of letters and whole
/// numbers. False where there is more.
bool count_sum(const GiNaC::ex& e, OperationCounts& counts) {
  if (!GiNaC::is_exactly_a<GiNaC::add>(e)) return count_term(e, counts);
  for (std::size_t i = 0; i < e.nops(); ++i)
    if (!count_term(e.op(i), counts)) return false;
  counts.additions += e.nops() - 1;
  return true;
}

}  // namespace

OperationCounts operation_counts(const GiNaC::ex& e) {
  OperationCounts counts;
  return count_sum(e, counts) ? counts : written_counts(math(e));
}

}  // namespace sfg
