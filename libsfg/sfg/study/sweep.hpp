#pragma once
#include <ginac/ex.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sfg/exact/rational.hpp"
#include "sfg/model/model.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

/// A parameter and the values that it takes, exactly.
struct SweptParameter {
  std::string name;
  std::vector<exact::Rational> values;
};

/// Evenly from low to high, both included. @throws sfg::Error for less than one value, or one value of two different ends.
std::vector<exact::Rational> even_values(const exact::Rational& low, const exact::Rational& high, std::size_t count);
/// In equal ratios, the ends exactly, the others to 15 digits. @throws sfg::Error, too, unless 0 < low ≤ high or low ≤ high < 0.
std::vector<exact::Rational> logarithmic_values(const exact::Rational& low, const exact::Rational& high, std::size_t count);

/// What every swept parameter is set to.
struct SweepSet {
  struct Value {
    std::string name;
    exact::Rational value;
    std::string text;  ///< in the fewest digits that tell the values of the sweep apart, six at most where that suffices
  };
  std::vector<Value> values;  ///< in the order of the parameters

  /// "zeta=0.3, wn=2"
  std::string text(const std::string& equals = "=") const;
};

/// Every combination of the values of some parameters, the last one the fastest. Without parameters there is one set, in which
/// everything has its stated value. A plain value, to be iterated by whoever studies a model:
/// @snippet sweep.cpp sweep
class Sweep {
 public:
  Sweep() = default;
  /// @throws sfg::Error for a parameter that is named twice or takes no value; LimitReached beyond a million sets.
  explicit Sweep(std::vector<SweptParameter>);

  bool empty() const noexcept { return parameters_.empty(); }  ///< nothing is swept
  std::size_t size() const noexcept;                           ///< how many sets, at least 1
  SweepSet operator[](std::size_t) const;
  std::vector<SweepSet> sets() const;
  const std::vector<SweptParameter>& parameters() const noexcept { return parameters_; }

 private:
  std::vector<SweptParameter> parameters_;
  std::vector<std::vector<std::string>> texts_;
};

/// A sweep stated as texts, one a parameter: "zeta=0.1,0.3,0.7", "wn=1:100:3" (evenly) or "wn=1:100:3:log".
/// @throws sfg::Error saying what is wrong with a text and how it is written.
Sweep sweep_of(std::span<const std::string> texts);

/// The symbols of the set with their values, for substitution.
/// @throws sfg::Error for a name that is no parameter (with the nearest one), and for a derived one (b = 3*a), naming what it
///         follows from: that is what can be varied.
GiNaC::exmap values_in(const SymbolTable&, const SweepSet&);
GiNaC::exmap values_in(const SignalFlowGraph&, const SweepSet&);  ///< nor is its operator a parameter

/// The graph or model with the values of a set put in, before anything is computed from it.
SignalFlowGraph at(const SignalFlowGraph&, const SweepSet&);
Model at(const Model&, const SweepSet&);

/// Whether anything depends on a parameter, by way of derived ones too.
bool depends_on(const SignalFlowGraph&, const std::string& parameter);
bool depends_on(const Model&, const std::string& parameter);

/// The transfer functions of a graph with the swept parameters as symbols, made and verified once, and numbers for every set:
/// a thousand sets take little longer than one. What the symbols hide is not overlooked: for values where a factor that was
/// cancelled vanishes, or the determinant, and where the symbolic answer would be too long, the graph is solved anew.
class SweptTransfers {
 public:
  /// @throws as values_in() and transfer_functions().
  SweptTransfers(const SignalFlowGraph&, std::span<const Question>, const Sweep&, const TransferOptions& = {});
  /// One a question, as exact_transfers() of the graph at() the set. @throws as that.
  std::vector<ExactTransfer> at(const SweepSet&) const;

 private:
  std::vector<ExactTransfer> anew(const SweepSet&) const;

  SignalFlowGraph graph_;
  SignalFlowGraph numbered_;  ///< with numbers for all but what is swept
  std::vector<Question> questions_;
  TransferOptions options_;
  std::vector<TransferFunction> transfers_;  ///< none: too long
};

}  // namespace sfg
