#include "sfg/transfer/transfer_table.hpp"

namespace sfg {

TransferTable transfer_table(std::span<const TransferFunction> transfers, const Budget& budget) {
  ring::Polynomial all = ring::Polynomial::constant(transfers.front().value.space().context(), 1);
  for (const TransferFunction& transfer : transfers) {
    budget.check("the common denominator");
    if (transfer.value.numerator().is_zero()) continue;
    all *= gcd_cofactors(all, transfer.value.denominator()).b;
    budget.check_terms(all.term_count(), "the common denominator", Advice::substitute_others);
  }
  TransferTable table{all.reads_negative() ? -all : all, {}, {}};
  for (const TransferFunction& transfer : transfers) {
    budget.check("the numerators");
    const ring::Polynomial more = *exact_quotient(table.denominator, transfer.value.denominator());
    table.numerators.push_back(transfer.value.numerator());
    table.numerators.back() *= more;
    const ring::Polynomial factor = more.primitive();
    table.common.push_back(factor.reads_negative() ? -factor : factor);
  }
  return table;
}

}  // namespace sfg
