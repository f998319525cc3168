#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/ring/echelon_form.hpp"
#include "sfg/ring/modular_ideal.hpp"
#include "sfg/study/identifiable/told.hpp"

// Not installed: the parameters that give the same transfer functions as a random point does.
namespace sfg {

/// Random values of all variables, modulo a prime.
struct ResiduePoint {
  ring::ModularRing ring;
  std::vector<std::uint64_t> values;
  std::uint64_t at(const ring::Polynomial& p) const { return p.modulo(ring.prime(), values); }
};

/// All that gives the same as one random point. Of the directions in which nothing changes as many parameters are held as there
/// are, so that finitely many points are left: a function has one value in all of these, and does not change along the
/// directions, exactly if it is a function of what is told (docs/methods.md).
class Fibre {
 public:
  /// @param prime  the point is drawn modulo it
  Fibre(const Told&, std::uint64_t prime, std::uint64_t seed);

  const ResiduePoint& point() const noexcept { return point_; }
  std::size_t rank() const noexcept { return rank_; }
  /// Directions, in the order of Told::unknown, in which nothing that is told changes.
  const std::vector<ring::EchelonForm::Row>& directions() const noexcept { return directions_; }
  /// d(above/below)·below² along every unknown.
  ring::EchelonForm::Row gradient(const ToldFunction&) const;
  bool moves(const ring::EchelonForm::Row& gradient) const;

  /// Solves for the points: false where the limits do not suffice.
  bool solve(const Budget&);
  void forget() { ideal_.reset(); }
  bool solved() const noexcept { return ideal_.has_value(); }
  std::size_t solutions() const { return ideal_->solutions(); }
  /// Whether it is a function of what is told; needs solve(). `moves` is asked before.
  bool one_value(const ToldFunction&) const;
  /// The normal form of polynomial − its value at the point, of the points.
  ring::ModularPolynomial difference(const ToldFunction&) const;
  /// The number of points where these functions, rank() of them, have their values; nothing: the limits do not suffice.
  std::optional<std::size_t> solutions_of(std::span<const ToldFunction>) const;

 private:
  void choose(std::uint64_t turn);
  ring::ModularPolynomial specialised(const ring::Polynomial&) const;
  std::optional<ring::ModularIdeal> ideal_of(std::span<const ToldFunction>, std::uint64_t effort) const;
  std::vector<ToldFunction> quotients() const;

  const Told& told_;
  ResiduePoint point_;
  std::vector<ring::EchelonForm::Row> rows_, directions_;
  std::size_t rank_ = 0;
  std::vector<std::size_t> chosen_;  ///< places in Told::unknown: solved for, all others are held, or were found before
  std::optional<ring::ModularIdeal> ideal_;
};

}  // namespace sfg
