#pragma once
#include <ginac/ex.h>
#include <ginac/numeric.h>

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/expr/tables.hpp"

namespace sfg {

/// What a name stands for in a model.
enum class SymbolKind { parameter, coordinate, input, signal, laplace, time };

/// How far a value may be from the one that is stated.
struct Tolerance {
  exact::Rational size;   ///< ≥ 0
  bool relative = false;  ///< a fraction of the value: 5% is 1/20

  /// The most that the value is off.
  exact::Rational of(const exact::Rational& value) const { return relative ? size * value.abs() : size; }
  friend bool operator==(const Tolerance&, const Tolerance&) = default;
};
std::string to_string(const Tolerance&);  ///< "5%", "±0.1"

/// How a value is spread about the one that is stated; the half width t is that of the tolerance.
enum class Distribution {
  uniform,     ///< between the ends
  triangular,  ///< between the ends, most likely in the middle
  normal,      ///< σ = t/3, not cut
  lognormal,   ///< the median is the stated value, above 0; σ of the logarithm is ln(1 + t/value)/3
};
const char* to_string(Distribution);

/// How the values of two parameters go together: the correlation of the normal variables behind them (a Gaussian copula).
struct Correlation {
  std::string first, second;
  double value = 0;  ///< −1 … 1
  SourceSpan where = {};
};

/// A name of a model and what is known of it.
struct Symbol {
  std::string name;
  SymbolKind kind = SymbolKind::parameter;
  GiNaC::ex expr = {};                  ///< the GiNaC symbol; made by the table when not given
  std::optional<GiNaC::ex> value = {};  ///< exact: a number, or an expression of numbers and other parameters
  std::string unit = {};
  std::string text = {};  ///< what the parameter means, for documents
  SourceSpan where = {};
  std::optional<Tolerance> tolerance = {};  ///< for tolerance studies
  std::optional<Distribution> distribution = {};
};

/// The names of one model, in the order of their first appearance: the only place where GiNaC symbols are made,
/// since two symbols of one name are different variables to GiNaC. A plain value: copies keep the symbols' identities.
class SymbolTable {
 public:
  /// Adds a symbol; a name that is there already keeps its identity and gets what the new entry states.
  Symbol& add(Symbol);
  /// The symbol of that name, added as a parameter when it is not there.
  const GiNaC::ex& symbol(std::string_view name, SourceSpan where = {});
  const Symbol& at(std::string_view name) const;  ///< std::out_of_range when absent
  const Symbol* find(std::string_view name) const;
  Symbol* find(std::string_view name);
  const std::deque<Symbol>& all() const noexcept { return symbols_; }
  std::vector<std::string> names() const;
  /// Tables that expressions of this model call.
  const TableNames& tables() const noexcept { return tables_; }
  /// Of parameters, for studies of tolerances; names may be of parameters that have got a value since.
  std::vector<Correlation> correlations = {};

  void add_table(std::string name, std::size_t number) { tables_.insert_or_assign(std::move(name), number); }

  /// The values of all symbols that have one, with those they refer to put in: numbers, unless one of these has no value.
  /// @throws sfg::Error when values refer to each other in a circle.
  /// @see values_keeping, for whoever varies a parameter
  GiNaC::exmap values() const;

 private:
  std::deque<Symbol> symbols_;
  std::map<std::string, std::size_t, std::less<>> index_;
  TableNames tables_;
};

/// The error of numbers that are asked for where parameters have none: "no value for the parameter 'K'", at the place where
/// the first of them was stated or used, as far as the table knows it.
/// @param names  not empty.
Error missing_values(const std::set<std::string>& names, const SymbolTable& symbols = {});
/// The same of the symbols of an expression; of the expression itself, as print() writes it, when it has none.
Error missing_values(const GiNaC::ex& expression, const SymbolTable& symbols = {});

}  // namespace sfg
