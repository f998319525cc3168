#pragma once
#include <ginac/ex.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

enum class SourceKind { force, excitation, redundant, input, law };

/// Linear equations in the operator p: D(p) x = B(p) u. Where derivation and graph meet: a model of any kind becomes
/// this, and a graph is made from it. Nonlinear terms are kept apart: each is a source that follows from signals by a law.
struct EquationSystem {
  struct Unknown {
    std::string name;
    SourceSpan where = {};
  };
  struct Source {
    std::string name;
    SourceKind kind = SourceKind::input;
    SourceSpan where = {};
  };
  /// One row. Keys are column numbers; absent entries are 0; an entry is an expression in the operator.
  struct Equation {
    std::string name;                             ///< for messages and summing nodes
    std::map<std::size_t, GiNaC::ex> left = {};   ///< D: by unknown
    std::map<std::size_t, GiNaC::ex> right = {};  ///< B: by source, already on the right-hand side
    SourceSpan where = {};
    bool sum = false;  ///< stated as a node of a graph, x = Σ …, which adds by itself and needs no summing node
  };

  /// A signal that is no unknown but follows from them: an auxiliary coordinate, as Σ coefficient · signal. Outputs may name it.
  struct Definition {
    std::string name;
    std::vector<std::pair<std::string, GiNaC::ex>> terms = {};  ///< unknowns and sources by name; coefficients in `variable`
  };

  /// What a source of kind `law` is: a nonlinear function of signals. The graph has a nonlinear branch for it.
  struct Law {
    /// A signal, or an expression that is linear in signals, and the symbols that stand for it and for its rate in the law.
    struct Argument {
      std::string signal;
      GiNaC::ex value;
      GiNaC::ex rate;
    };
    std::size_t source = 0;
    GiNaC::ex law;                         ///< of the arguments, t and parameters
    std::vector<Argument> arguments = {};  ///< at least one; the branch leaves the first, whose symbols are u and v
    SourceSpan where = {};
  };

  std::string title = {};
  Operator op = "p";
  SymbolTable symbols;
  std::vector<Unknown> unknowns = {};
  std::vector<Source> sources = {};
  std::vector<Equation> equations = {};   ///< as many as unknowns
  std::vector<std::string> inputs = {};   ///< defaults of the analyses, as stated in the model; may be empty
  std::vector<std::string> outputs = {};  ///< names, or expressions linear in signals
  std::vector<Definition> definitions = {};
  std::vector<Law> laws = {};

  GiNaC::ex D(std::size_t row, std::size_t unknown) const;
  GiNaC::ex B(std::size_t row, std::size_t source) const;
};

/// Which equation is solved for which unknown: `unknown_of[i]` is the column of equation i.
struct Assignment {
  std::vector<std::size_t> unknown_of = {};
  bool natural = true;                 ///< equation i is solved for unknown i, everywhere
  std::vector<Diagnostic> notes = {};  ///< what had to be done otherwise, and improper branches
};

/// The natural assignment when every d_ii ≠ 0, with the stated values too; else a maximum-weight perfect matching on the nonzero
/// d_ij: those that stay nonzero with the values first, then proper entries (of the greatest degree of their row), then the
/// natural diagonal, then shorter expressions.
/// @throws NoAnswer naming the equations that are dependent (a Hall violator) when there is no perfect matching.
Assignment assignment(const EquationSystem&);

/// For analyses of linear equations, which would leave the laws out without a word.
/// @param consequence  what follows, for the message: " and the equations have no poles"
/// @throws sfg::Error with the place of every law of the equations.
void refuse_laws(const EquationSystem&, std::string_view consequence);

}  // namespace sfg
