#include "sfg/nonlinear/rest/rest_sensitivity.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <span>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/derived_parameters.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/graph/polynomial_rows.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using GiNaC::ex;

/// The value at s = 0 of an entry, as an expression of parameters.
ex at_rest(const ring::Polynomial& entry, const PolynomialSpace& space) {
  const auto coefficients = entry.coefficients(0);  // highest power first
  return coefficients.empty() ? ex(0) : space.expression(coefficients.back());
}

class RestState {
 public:
  RestState(const PrincipalForm& form, const std::vector<double>& inputs, const std::vector<double>& arguments,
            const RestTrim& trim)
      : form_(form),
        trim_(trim),
        inputs_(inputs),
        symbols_(form.linear.symbols),
        rows_(polynomial_rows(form.linear)),
        n_(static_cast<Index>(rows_.left.size())),
        all_(n_ + static_cast<Index>(trim.freed.size())) {
    values_ = symbols_.values();
    for (std::size_t a = 0; a < arguments.size(); ++a)
      at_[form.arguments[a].symbol] = numeric_value(exact::Rational::of(arguments[a]));
    state_equations(inputs);
  }

  bool isolated() const { return lu_.isInvertible() && x_.allFinite(); }

  /// −J⁻¹ ∂R/∂k
  VectorXd moved(const ex& parameter) const {
    const GiNaC::exmap others = values_keeping(symbols_, std::span(&parameter, 1));
    const auto slope = [&](const ex& e) {
      const ex of_one = e.subs(others, GiNaC::subs_options::no_pattern);
      if (!of_one.has(parameter)) return 0.0;
      return number(of_one.diff(GiNaC::ex_to<GiNaC::symbol>(parameter)));
    };
    VectorXd R = VectorXd::Zero(all_);
    for (Index k = 0; k < n_; ++k) {
      for (const auto& [node, entry] : rows_.left[static_cast<std::size_t>(k)])
        R[k] += slope(at_rest(entry, rows_.space)) * x_[static_cast<Index>(node)];
      R[k] -= slope(at_rest(rows_.right[static_cast<std::size_t>(k)], rows_.space)) * u_[k];
    }
    for (std::size_t i = 0; i < form_.sources.size(); ++i) {
      if (std::ranges::find(trim_.freed, i) != trim_.freed.end()) continue;
      const NodeId source = form_.sources[i];
      const auto rest = kept_rest(form_.linear[source], symbols_);  // as long as no other value is stated for it
      if (rest && number(rest->value) == inputs_[i]) R[row(source)] -= d_[row(source)] * slope(rest->value);
    }
    for (const auto& law : form_.laws)
      R[row(law.output)] -= d_[row(law.output)] * slope(law.law.subs(at_, GiNaC::subs_options::no_pattern));
    return lu_.solve(-R);
  }

 private:
  static Index row(NodeId node) { return static_cast<Index>(node.index); }

  double number(const ex& e) const {
    return double_value(e.subs(values_, GiNaC::subs_options::no_pattern).subs(at_, GiNaC::subs_options::no_pattern))
        .value_or(NAN);
  }

  /// left(0) x − d(0) u = 0 with u what sources and laws bring, linearised in the arguments; behind x the freed sources, and
  /// behind the rows of the nodes the wanted signals.
  void state_equations(const std::vector<double>& inputs) {
    MatrixXd J = MatrixXd::Zero(all_, all_);
    d_ = VectorXd::Zero(n_);
    u_ = VectorXd::Zero(n_);
    for (Index k = 0; k < n_; ++k) {
      for (const auto& [node, entry] : rows_.left[static_cast<std::size_t>(k)])
        J(k, static_cast<Index>(node)) = number(at_rest(entry, rows_.space));
      d_[k] = number(at_rest(rows_.right[static_cast<std::size_t>(k)], rows_.space));
    }
    for (std::size_t i = 0; i < form_.sources.size(); ++i)
      if (std::ranges::find(trim_.freed, i) == trim_.freed.end()) u_[row(form_.sources[i])] += inputs[i];
    VectorXd right = VectorXd::Zero(all_);
    right.head(n_) = d_.cwiseProduct(u_);
    for (std::size_t i = 0; i < trim_.freed.size(); ++i) {
      const Index source = row(form_.sources[trim_.freed[i]]), behind = n_ + static_cast<Index>(i);
      J(source, behind) = -d_[source];
      J(behind, row(form_.sinks[trim_.wanted[i].sink])) = 1;
      right[behind] = inputs[trim_.wanted[i].source];
    }
    for (const auto& law : form_.laws) {
      const Index k = row(law.output);
      double f = number(law.law);
      u_[k] += f;
      for (const std::size_t a : law.arguments) {
        const ex& symbol = form_.arguments[a].symbol;
        const double slope = number(law.law.diff(GiNaC::ex_to<GiNaC::symbol>(symbol)));
        J(k, row(form_.arguments[a].node)) -= d_[k] * slope;
        f -= slope * number(symbol);
      }
      right[k] += d_[k] * f;
    }
    lu_.compute(J);
    x_ = lu_.solve(right);
    for (std::size_t i = 0; i < trim_.freed.size(); ++i) u_[row(form_.sources[trim_.freed[i]])] += x_[n_ + static_cast<Index>(i)];
  }

  const PrincipalForm& form_;
  const RestTrim& trim_;
  const std::vector<double>& inputs_;
  const SymbolTable& symbols_;
  PolynomialRows rows_;
  Index n_, all_;
  GiNaC::exmap values_, at_;
  VectorXd d_, u_, x_;
  Eigen::FullPivLU<MatrixXd> lu_;
};

}  // namespace

std::map<std::string, std::map<std::string, double>> rest_sensitivities(const PrincipalForm& form,
                                                                        const std::vector<double>& inputs,
                                                                        const std::vector<double>& arguments,
                                                                        const RestTrim& trim) {
  const RestState state(form, inputs, arguments, trim);
  std::map<std::string, std::map<std::string, double>> result;
  if (!state.isolated()) return result;
  for (const Symbol& symbol : form.linear.symbols.all()) {
    if (symbol.kind != SymbolKind::parameter || !symbol.value || is_derived(symbol)) continue;
    const VectorXd moved = state.moved(symbol.expr);
    const auto add = [&](NodeId node) { result[form.linear[node].name][symbol.name] = moved[static_cast<Index>(node.index)]; };
    for (const NodeId sink : form.sinks) add(sink);
    for (const auto& argument : form.arguments)
      if (!argument.rate) add(argument.node);
  }
  return result;
}

}  // namespace sfg
