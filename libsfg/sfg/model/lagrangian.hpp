#pragma once
#include <ginac/ex.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/model/operator.hpp"

namespace sfg {

/// The name of the rate of a coordinate, excitation or auxiliary: "Dx" of "x".
inline std::string rate_name(const std::string& name) { return "D" + name; }

/// A mechanical system stated by its energies (Augustaitis et al. 2011, Eqs. 1–5).
/// Expressions are over the symbols of `symbols`: a variable q is the symbol "q", its rate the symbol of rate_name("q").
struct Lagrangian {
  enum class Role { principal, redundant, excitation };
  struct Variable {
    std::string name;
    Role role = Role::principal;
    std::string force = {};  ///< symbol of the generalised force along it; "" for none
    SourceSpan where = {};
    SourceSpan force_where = {};
    bool stated_rate = false;  ///< the rate was named by the file (script)
  };
  struct Auxiliary {
    std::string name;
    GiNaC::ex value;
    std::optional<GiNaC::ex> rate = {};  ///< when the file states it: checked against the derived one
    SourceSpan where = {};
    SourceSpan rate_where = {};
  };
  struct Energy {
    GiNaC::ex value;
    SourceSpan where = {};
  };
  /// The point to linearise at.
  struct Equilibrium {
    bool find = false;                             ///< solve for it, starting from `values` (0 where absent)
    std::map<std::string, GiNaC::ex> values = {};  ///< by coordinate
    SourceSpan where = {};
    /// Of one that is found: it is given as a function of the parameters, of first order about their values, so that derivatives
    /// by them are total ones.
    bool follow = false;
  };

  std::string title = {};
  Operator op = "p";
  SymbolTable symbols;
  std::vector<Variable> variables = {};     ///< in the order of K: it numbers the equations and orders Mark
  std::vector<Auxiliary> auxiliaries = {};  ///< in the order of definition
  std::vector<Energy> T = {};               ///< summands
  std::vector<Energy> Pi = {};
  std::vector<Energy> Phi = {};
  std::optional<Equilibrium> equilibrium = {};
  std::map<std::string, GiNaC::ex> static_forces = {};  ///< constant loads by coordinate (symbol m*g, say)
  std::vector<std::string> inputs = {};                 ///< defaults of the analyses, as stated in the model
  std::vector<std::string> outputs = {};
  SourceSpan where = {};
};

}  // namespace sfg
