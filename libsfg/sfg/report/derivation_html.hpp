#pragma once
#include <iosfwd>

#include "sfg/budget.hpp"
#include "sfg/report/report.hpp"

// Not installed.
namespace sfg {

/// What else the page shows.
struct DerivationPlace {
  const SignalFlowGraph* drawn = nullptr;  ///< the graph whose branches light up
  bool closed_forms = false;               ///< the section #transfer
};

/// Mason's rule as a reader presses it. Every forward path, loop and set of non-touching loops is a button that knows its nodes
/// and, where the page shows the graph, its branches by their indices; Δ, Δ_k and the gain are written term by term, each term
/// naming its loops (`data-terms="L1 L3"`) or its path. Loops, sets and Δ stand there once, what belongs to one pair in an
/// element with its `data-transfer`.
void write_derivation(std::ostream&, const ReportDerivation&, const DerivationPlace&, const Budget& = {});

/// The line that says what is pressed and whether two loops touch, empty at first, with the button that releases everything.
void write_pressed_line(std::ostream&);

}  // namespace sfg
