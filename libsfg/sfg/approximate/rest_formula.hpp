#pragma once
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/approximate/short_fraction.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg {

// Formulas for what a transfer function is between two of its corners: there it is a constant times a power of s.

constexpr std::size_t few_letters = 6;                ///< of a formula with which a search ends
constexpr std::uint64_t most_weighed_terms = 20'000;  ///< of a polynomial whose terms are weighed one by one
/// Of the error, for what is left out of the equations: tried one after the other until a formula is short.
constexpr double error_shares[] = {0.3, 0.1, 0.6, 0.9};

std::size_t letter_count(const ShortFraction&);
/// The one of fewer letters, then of fewer terms.
void keep_shorter(std::optional<ShortFraction>& best, ShortFraction found);
/// The fraction shortened where it is near enough to what is wanted.
std::optional<ShortFraction> shortened_if_near(const RationalFunction&, const GiNaC::exmap& values, const exact::Rational& wanted,
                                               double limit, const Budget&);

/// T ≈ constant · s^power around a frequency.
struct Asymptote {
  Question question;
  double frequency = 0;        ///< rad/s
  std::complex<double> value;  ///< of T there
  exact::Rational constant;
  long power = 0;
};
/// A formula for the constant, from equations that were made simpler for the response at the frequency.
/// @param shares  of the error that the equations may use up, tried one after the other until a formula is short
std::optional<ShortFraction> asymptote_formula(const SignalFlowGraph&, const Asymptote&, const GiNaC::exmap& values, double limit,
                                               std::span<const double> shares, const TransferOptions&);

/// The lowest coefficient of numerator over that of the denominator, and the power of s beside it.
std::pair<exact::Rational, long> at_rest(const ExactTransfer&);

/// Two stages, u → m → y: T = (m/u)·(y/m) at rest, each with its formula; the second one is as near as half of the limit, the
/// product of both as near as the limit.
struct Stages {
  std::string between;  ///< m
  ShortFraction first, second;
  exact::Rational exact_first;  ///< m/u
};
/// At the node with the shortest formulas among those that every path passes in the simplified graph; nothing where none is, and
/// for ratios.
std::optional<Stages> stages(const SignalFlowGraph&, const Asymptote&, const GiNaC::exmap& values, double limit,
                             const TransferOptions&);

/// A long formula by names for its parts, parallel combinations and sums, so that none has more letters than `most` where that is
/// possible: the parts in the order in which they need each other, then the formula, without a name.
std::vector<std::pair<std::string, GiNaC::ex>> in_named_parts(const GiNaC::ex&, std::size_t most, const std::string& letter,
                                                              std::vector<std::string>& taken, const SymbolTable&);

}  // namespace sfg
