#pragma once
#include <ginac/ex.h>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sfg/model/motion.hpp"
#include "sfg/model/substitution_list.hpp"

namespace sfg {

struct Multibody;
struct MultibodyEquations;

/// Names for intermediate results (Mráz: the substitution operators), in the order of their evaluation: sub1, sub2, …
class Substitutions {
 public:
  using Matrix = EquationsOfMotion::Matrix;
  using Definition = EquationsOfMotion::Definition;

  /// @param reuse   equal expressions, and those that differ in their sign, have one name
  /// @param prefix  of the names
  explicit Substitutions(bool reuse = true, std::string prefix = "sub") : reuse_(reuse), prefix_(std::move(prefix)) {}

  /// A new name for an expression; 0, numbers, symbols and their negatives stay as they are.
  GiNaC::ex operator()(const GiNaC::ex&);
  /// L(A): a name for every entry.
  template <class Entries>
  requires(!std::convertible_to<Entries, GiNaC::ex>) Entries operator()(Entries entries) {
    for (auto& entry : entries) entry = (*this)(entry);
    return entries;
  }
  /// L_S(A) of a symmetric matrix: names for the entries i ≤ j, mirrored.
  template <class Square>
  Square symmetric(Square A) {
    for (std::size_t i = 0; i < A.size(); ++i)
      for (std::size_t j = i; j < A.size(); ++j) A[j][i] = A[i][j] = (*this)(A[i][j]);
    return A;
  }
  /// Defines a symbol of its own name.
  void define(const GiNaC::ex& symbol, const GiNaC::ex& value, const SourceSpan& where = {});

  const std::vector<Definition>& definitions() const noexcept { return definitions_; }

 private:
  GiNaC::ex named(const GiNaC::ex& of_positive_sign);

  bool reuse_;
  std::string prefix_;
  std::size_t count_ = 0;
  std::vector<Definition> definitions_;
  GiNaC::exmap known_;
};

/// Numbers that programs would not read, their numerators or denominators being beyond 10^20, to 20 digits: 1/|q|² of a turn
/// stated by a quaternion of decimals has hundreds, and a double holds no more than 308.
GiNaC::ex with_short_numbers(const GiNaC::ex&);

/// The definitions that expressions need, in their order.
std::vector<EquationsOfMotion::Definition> needed(std::span<const EquationsOfMotion::Definition>, std::span<const GiNaC::ex>);

/// Operations of an expression as it is written: n − 1 of a sum or product of n, 1 of a quotient, function or power, none of a
/// sign: 713*x/1000 has two.
std::size_t operations(const GiNaC::ex&);
/// Those of definitions and of outputs.
std::size_t operations(std::span<const EquationsOfMotion::Definition>, std::span<const GiNaC::ex> outputs);
/// Those of the outputs with every definition put in wherever it occurs, without doing so; the count may be beyond all integers.
double operations_put_in(std::span<const EquationsOfMotion::Definition>, std::span<const GiNaC::ex> outputs);

/// The model with Mráz's names for the points, shapes and modal stiffnesses of its elastic bodies, which have the stated
/// expressions as values. Beams, which are integrals, keep their parameters.
/// @throws sfg::Error where the model has another use for such a name.
Multibody with_elastic_names(Multibody);

/// What a list has beside M and F.
enum class ListedResults {
  motion,  ///< what the motion needs: of constraints φ, J, ∂φ/∂t and γ; the rates of coordinates that no speeds are
  with_reactions,  ///< and every joint's wrench R<number>; accelerations and multipliers are inputs then, behind the others
};

/// M, F and, where there are constraints, phi, J, phit, gamma (φ, J, ∂φ/∂t, J v̇ = γ), and where speeds are not the rates of the
/// coordinates Xd, the rates, as a list. Rates are named after their coordinates: s1d.
/// @param model  whose equations they are: with_elastic_names(…), or as it was stated
SubstitutionList substitution_list(const MultibodyEquations&, const Multibody& model, ListedResults = ListedResults::motion);

/// Operations that one counts in a list as it is written, of all its lines.
std::size_t operations(const SubstitutionList&);

}  // namespace sfg
