#include "sfg/read/diagram/block_meaning.hpp"

#include <ginac/ginac.h>

#include "sfg/expr/rational.hpp"

namespace sfg {

void refuse_block(const DiagramBlock& block, const std::string& why, const std::string& remedy) {
  throw Error(block.where, "the block " + in_quotes(block.path) + " (" + block.type + ") " + why, remedy);
}

void refuse_block(const DiagramBlock& block) {
  refuse_block(block, "is none of the linear ones that are read",
               "put what it does near the operating point in its place: a Gain, a transfer function; or take it out");
}

GiNaC::ex polynomial_of(const std::vector<GiNaC::ex>& coefficients, const GiNaC::ex& variable) {
  GiNaC::ex value = 0;
  for (std::size_t i = 0; i < coefficients.size(); ++i)
    value += coefficients[i] * GiNaC::pow(variable, static_cast<int>(coefficients.size() - 1 - i));
  return value;
}

GiNaC::ex quotient_of(const DiagramBlock& block, const std::vector<GiNaC::ex>& numerator,
                      const std::vector<GiNaC::ex>& denominator, const GiNaC::ex& variable) {
  const GiNaC::ex below = polynomial_of(denominator, variable);
  if (vanishes(below)) refuse_block(block, "has the denominator 0", "write another one");
  return polynomial_of(numerator, variable) / below;
}

std::vector<std::size_t> widths_of(const DiagramBlock& block, const StatedMatrix& stated, const std::string& remedy) {
  std::vector<std::size_t> widths;
  for (const GiNaC::ex& entry : stated.entries) {
    if (!GiNaC::is_a<GiNaC::numeric>(entry) || !GiNaC::ex_to<GiNaC::numeric>(entry).is_pos_integer() || entry > 1000)
      refuse_block(block, "states no widths of its outputs", remedy);
    widths.push_back(static_cast<std::size_t>(GiNaC::ex_to<GiNaC::numeric>(entry).to_long()));
  }
  return widths;
}

void check_state_space(const DiagramBlock& block, BlockMeaning& meaning) {
  const std::size_t n = meaning.A.rows;
  if (meaning.D.scalar() && meaning.B.columns * meaning.C.rows > 1 &&
      meaning.D.entries[0].is_zero())  // 0 for as many as there are
    meaning.D = {meaning.C.rows, meaning.B.columns, std::vector<GiNaC::ex>(meaning.C.rows * meaning.B.columns, 0)};
  if (n > 0 && meaning.B.entries.empty() && meaning.D.entries.empty()) {  // nothing enters
    meaning.B = {n, 0, {}};
    meaning.D = {meaning.C.rows, 0, {}};
  }
  const bool fit = n == 0 ? meaning.B.entries.empty() && meaning.C.entries.empty() && !meaning.D.entries.empty()
                          : meaning.A.columns == n && meaning.B.rows == n && meaning.C.columns == n &&
                                meaning.D.rows == meaning.C.rows && meaning.D.columns == meaning.B.columns;
  if (!fit)
    refuse_block(block, "has matrices whose sizes do not fit",
                 "A is n by n, B n by m, C r by n, D r by m with n states, m inputs and r outputs");
  meaning.kind = BlockMeaning::Kind::states;
}

}  // namespace sfg
