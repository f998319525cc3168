#include "sfg/derive/second_derivatives.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sfg/expr/derivative.hpp"
#include "sfg/expr/rational.hpp"
#include "sfg/expr/root_terms.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

/// A sum into its terms, k/2*(sum) too: a derivative then touches few of them.
void append_pieces(const ex& value, GiNaC::exvector& pieces) {
  if (GiNaC::is_exactly_a<GiNaC::add>(value)) {
    for (const ex& term : value) append_pieces(term, pieces);
    return;
  }
  if (GiNaC::is_exactly_a<GiNaC::mul>(value)) {
    std::size_t sum = value.nops();
    for (std::size_t i = 0; i < value.nops() && sum == value.nops(); ++i)
      if (GiNaC::is_exactly_a<GiNaC::add>(value.op(i))) sum = i;
    if (sum != value.nops()) {
      GiNaC::exvector others;
      for (std::size_t i = 0; i < value.nops(); ++i)
        if (i != sum) others.push_back(value.op(i));
      const ex factor = GiNaC::mul(others);
      for (const ex& term : value.op(sum)) pieces.push_back(factor * term);  // no deeper: products of sums would multiply out
      return;
    }
  }
  pieces.push_back(value);
}

/// Number of terms when multiplied out, at most.
double expanded_terms(const ex& value) {
  double terms = 1;
  if (GiNaC::is_exactly_a<GiNaC::add>(value)) {
    terms = 0;
    for (const ex& term : value) terms += expanded_terms(term);
  } else if (GiNaC::is_exactly_a<GiNaC::mul>(value)) {
    for (const ex& factor : value) terms *= expanded_terms(factor);
  } else if (GiNaC::is_exactly_a<GiNaC::power>(value) && value.op(1).info(GiNaC::info_flags::posint)) {
    terms = std::pow(expanded_terms(value.op(0)), GiNaC::ex_to<GiNaC::numeric>(value.op(1)).to_double());
  }
  return terms;
}

/// A sum of products of symbols: nonzero unless it is literally 0.
bool is_expanded_polynomial(const ex& value) {
  for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node) {
    if (GiNaC::is_exactly_a<GiNaC::power>(*node)) {
      if (!node->op(1).info(GiNaC::info_flags::posint) || !GiNaC::is_exactly_a<GiNaC::symbol>(node->op(0))) return false;
    } else if (GiNaC::is_exactly_a<GiNaC::function>(*node) || GiNaC::is_exactly_a<GiNaC::constant>(*node)) {
      return false;
    }
  }
  return true;
}

/// The sums that become a, b and c, before they are tidied.
struct Contributions {
  std::array<GiNaC::exvector, 3> terms;
};
enum Coefficient { a_of_rate_rate = 0, b_of_mixed = 1, c_of_position = 2 };

/// One kind of term of Lagrange's equation: which first derivative, and where its derivatives by Dx_s and x_s belong.
struct Part {
  bool by_rate;         ///< first derivative by Dx_i, else by x_i
  Coefficient of_rate;  ///< derivative by Dx_s
  Coefficient of_position;
  int sign;
};
// d/dt ∂T/∂Dx_i − ∂T/∂x_i + ∂Pi/∂x_i + ∂Phi/∂Dx_i
constexpr Part T_by_rate{true, a_of_rate_rate, b_of_mixed, 1};
constexpr Part T_by_position{false, b_of_mixed, c_of_position, -1};
constexpr Part Pi_by_position{false, b_of_mixed, c_of_position, 1};
constexpr Part Phi_by_rate{true, b_of_mixed, c_of_position, 1};

class Differentiation {
 public:
  Differentiation(const Energies& energies, const OperatingPoint& point, const Budget& budget)
      : energies_(energies), point_(point), budget_(budget) {
    for (const MotionVariable& variable : energies.variables) {
      meaning_.emplace(variable.q, Meaning{&variable, false});
      meaning_.emplace(variable.rate, Meaning{&variable, true});
    }
  }

  void add(const std::vector<EnergySummand>& summands, std::initializer_list<Part> parts) {
    for (const EnergySummand& summand : summands) {
      GiNaC::exvector pieces;
      append_pieces(summand.value, pieces);
      bool contributes = false, has_variable = false;
      for (const ex& piece : pieces) {
        budget_.check("the second derivatives of the energies");
        const std::vector<Meaning> present = variables_in(piece);
        has_variable = has_variable || !present.empty();
        for (const Meaning& i : present)
          for (const Part& part : parts)
            if (i.is_rate == part.by_rate && i.variable->role != Lagrangian::Role::excitation)
              contributes = add_row(summand, *i.variable, derivative(piece, symbol(i)), part) || contributes;
      }
      if (has_variable && !contributes) result_.without_influence.push_back(&summand);
    }
  }

  Coefficients take() {
    for (auto& [row, columns] : contributions_) {
      for (auto& [column, contributions] : columns) {
        budget_.check("the second derivatives of the energies");
        const OperatorPolynomial d{sum(contributions.terms[0]), sum(contributions.terms[1]), sum(contributions.terms[2])};
        if (!d.is_zero()) result_.d[row][column] = d;
      }
    }
    return std::move(result_);
  }

 private:
  struct Meaning {
    const MotionVariable* variable;
    bool is_rate;
  };

  static const ex& symbol(const Meaning& meaning) { return meaning.is_rate ? meaning.variable->rate : meaning.variable->q; }

  std::vector<Meaning> variables_in(const ex& value) const {
    std::vector<Meaning> result;
    GiNaC::exset seen;
    for (auto node = value.preorder_begin(); node != value.preorder_end(); ++node) {
      const auto known = meaning_.find(*node);
      if (known != meaning_.end() && seen.insert(*node).second) result.push_back(known->second);
    }
    return result;
  }

  bool add_row(const EnergySummand& summand, const MotionVariable& row, const ex& gradient, const Part& part) {
    bool contributes = false;
    for (const Meaning& s : variables_in(gradient)) {
      const ex second = point_.value(derivative(gradient, symbol(s)), summand.energy, summand.where);
      if (second.is_zero()) continue;
      contributes = true;
      contributions_[row.name][s.variable->name].terms[s.is_rate ? part.of_rate : part.of_position].push_back(part.sign * second);
    }
    return contributes;
  }

  static ex sum(const GiNaC::exvector& terms) { return terms.empty() ? ex(0) : tidy(GiNaC::add(terms)); }

  const Energies& energies_;
  const OperatingPoint& point_;
  const Budget& budget_;
  std::map<ex, Meaning, GiNaC::ex_is_less> meaning_;
  std::map<std::string, std::map<std::string, Contributions>> contributions_;
  Coefficients result_;
};

}  // namespace

ex tidy(const ex& value) {
  constexpr double most_terms = 5'000;
  const ex result = expanded_terms(value) <= most_terms ? value.expand() : value;
  if (result.is_zero() || is_expanded_polynomial(result)) return result;
  if (vanishes(result)) return 0;
  return has_roots(result) ? collected_by_roots(result) : result;
}

Coefficients coefficients(const Energies& energies, const OperatingPoint& point, const Budget& budget) {
  Differentiation differentiation(energies, point, budget);
  differentiation.add(energies.T, {T_by_rate, T_by_position});
  differentiation.add(energies.Pi, {Pi_by_position});
  differentiation.add(energies.Phi, {Phi_by_rate});
  return differentiation.take();
}

std::vector<ex> static_forces(const Energies& energies, const OperatingPoint& point) {
  std::map<ex, GiNaC::exvector, GiNaC::ex_is_less> terms;  // by the symbol that the energy is differentiated by
  for (const MotionVariable& i : energies.variables)
    if (i.role == Lagrangian::Role::principal) terms[i.q], terms[i.rate];
  const auto add = [&](const std::vector<EnergySummand>& summands, bool by_rate, int sign) {
    GiNaC::exset wanted;
    for (const MotionVariable& i : energies.variables)
      if (i.role == Lagrangian::Role::principal) wanted.insert(by_rate ? i.rate : i.q);
    for (const EnergySummand& summand : summands) {
      GiNaC::exvector pieces;
      append_pieces(summand.value, pieces);
      for (const ex& piece : pieces) {
        GiNaC::exset present;
        for (auto node = piece.preorder_begin(); node != piece.preorder_end(); ++node)
          if (wanted.contains(*node)) present.insert(*node);
        for (const ex& by : present)
          terms[by].push_back(sign * point.value(derivative(piece, by), summand.energy, summand.where));
      }
    }
  };
  add(energies.Pi, false, 1);
  add(energies.T, false, -1);
  add(energies.Phi, true, 1);
  std::vector<ex> result;
  for (const MotionVariable& i : energies.variables)
    if (i.role == Lagrangian::Role::principal) result.push_back(tidy(GiNaC::add(terms[i.q]) + GiNaC::add(terms[i.rate])));
  return result;
}

}  // namespace sfg
