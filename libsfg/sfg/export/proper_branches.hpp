#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/export/targets.hpp"

namespace sfg {

/// A gain as a fraction of polynomials of the operator: coefficients, highest power first; {0} above for a gain of 0.
struct OperatorFraction {
  std::vector<GiNaC::ex> numerator, denominator;
  /// How many powers the numerator has more; 0 or less: proper.
  int excess() const { return static_cast<int>(numerator.size()) - static_cast<int>(denominator.size()); }
};

/// @throws sfg::Error when the gain is no such fraction.
OperatorFraction operator_fraction(const GiNaC::ex& gain, const SignalFlowGraph&);

struct ProperBranch {
  NodeId from, to;
  GiNaC::ex gain;
  std::string name = {};  ///< "a to b", or of several branches in one "a to b by v"
};

/// The branches of a graph, so that each is proper: one that is not (s·Td) is joined with the branches before its tail or with
/// those behind its head, where these make up for it; the questions' outputs and what enters them stay what they are. Nothing
/// where that is not enough, or where a gain would become longer than anyone reads.
/// @throws sfg::Error when a gain is no fraction of polynomials.
std::optional<std::vector<ProperBranch>> proper_branches(const ExportSubject&, const Budget& = {});

/// What goes directly through a graph of proper gains: the gains at infinity, without those that are 0 there.
SignalFlowGraph at_infinity(const SignalFlowGraph&);
/// Whether signals go around a loop without delay: a simulator has an algebraic loop to solve.
bool algebraic_loop(const SignalFlowGraph& at_infinity);
/// Whether these loops have an answer, with the stated values, too.
bool solvable(const SignalFlowGraph& at_infinity, const Budget& = {});

/// @throws NoAnswer naming tail and head of a nonlinear branch, and targets that write it.
void refuse_laws(const ExportSubject&);
/// @throws NoAnswer naming tail and head of the first branch whose gain is no fraction of polynomials of the operator (dead time,
/// sqrt(s)), and targets that write it.
void refuse_gains(const ExportSubject&);
/// The refusal of what is improper, naming tail and head of the first branch that is, else what the response is called.
[[noreturn]] void refuse_improper(const ExportSubject&, const std::string& label);
/// The refusal of one branch. @param what  "has dead time"
[[noreturn]] void refuse_branch(const SignalFlowGraph&, const Branch&, const std::string& what, const std::string& hint);

}  // namespace sfg
