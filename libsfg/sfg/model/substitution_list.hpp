#pragma once
#include <ginac/ex.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/symbol_table.hpp"
#include "sfg/numeric/tape.hpp"

namespace sfg {

/// Equations of motion as a list of substitutions (Mráz): intermediate results with numbers, in the order of their evaluation,
/// and in terms of them the entries of M(x) v̇ = F(x, v, u, t) and of what else is evaluated with them.
struct SubstitutionList {
  struct Substitution {
    std::size_t number = 1;  ///< ascending, with gaps where others were left out
    GiNaC::ex symbol;        ///< "sub" and the number
    GiNaC::ex value;         ///< may have the symbols before it
    SourceSpan where = {};
  };
  struct Entry {
    std::vector<std::size_t> at;  ///< from 1: (row, column), or (row)
    GiNaC::ex value;
    SourceSpan where = {};
  };
  /// A matrix or a column: entries that are not listed are 0.
  struct Array {
    std::string name;
    std::vector<std::size_t> size;
    std::vector<Entry> entries = {};
    std::string text = {};  ///< what it is
  };

  std::string title = {};
  SymbolTable symbols;
  std::vector<GiNaC::ex> constants = {};  ///< kon: of every elastic body, then the other parameters; those without use too
  std::vector<GiNaC::ex> states = {};     ///< X: coordinates (of joints, then modal ones), then their rates
  std::vector<GiNaC::ex> inputs = {};     ///< u
  std::optional<GiNaC::ex> time = {};     ///< where it occurs
  std::vector<Substitution> substitutions = {};
  std::vector<Array> results = {};
  std::vector<Diagnostic> notes = {};

  const Array* result(std::string_view name) const;
  /// What the stated values of the constants are, those derived from others too; nothing where one has none.
  std::vector<std::optional<double>> values() const;
};

/// The same with constants that no others state: derived ones are put in as expressions of these, so that they follow them.
SubstitutionList of_independent_constants(SubstitutionList);

/// Numbers to evaluate a list at.
struct SubstitutionPoint {
  std::vector<double> constants = {}, states = {}, inputs = {};
  double time = 0;
};

/// The symbols that a list is evaluated at, in the order of SubstitutionPoint: constants, states, inputs, t.
std::vector<GiNaC::ex> argument_symbols(const SubstitutionList&);
/// All entries of all results, in order, row by row, those that are 0 too.
std::vector<GiNaC::ex> result_entries(const SubstitutionList&);
/// The tape of result_entries() over argument_symbols().
numeric::Tape compile(const SubstitutionList&);
/// The values of result_entries() at a point.
std::vector<double> values_at(const SubstitutionList&, const SubstitutionPoint&);

/// The stated values of constants, and for all else, and constants without a value, numbers between 1/4 and 5/4 that are the same
/// on every run.
SubstitutionPoint sample_point(const SubstitutionList&);

/// The substitutions that these expressions need, in their order.
std::vector<SubstitutionList::Substitution> needed(std::span<const SubstitutionList::Substitution>, std::span<const GiNaC::ex>);

}  // namespace sfg
