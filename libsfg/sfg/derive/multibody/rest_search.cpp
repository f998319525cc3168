#include "sfg/derive/multibody/rest_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <random>
#include <set>

#include "sfg/derive/multibody/first_order.hpp"
#include "sfg/derive/operating_point.hpp"
#include "sfg/expr/compile.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/model/joint_coordinates.hpp"
#include "sfg/numeric/dense.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using Number = GiNaC::numeric;
using Definition = EquationsOfMotion::Definition;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr long working_digits = 60;

Number power_of_ten(int exponent) { return Number(10).power(Number(exponent)); }

/// Depth-first along what the definitions refer to.
class Order {
 public:
  explicit Order(const std::vector<Definition>& definitions) {
    for (const Definition& definition : definitions) known_.emplace(definition.symbol, &definition);
  }
  void visit(const ex& expression) {
    for (const ex& symbol : symbols_of(expression)) {
      const auto definition = known_.find(symbol);
      if (definition == known_.end() || done_.contains(symbol)) continue;
      if (!open_.insert(symbol).second)
        throw Error(definition->second->where,
                    "'" + GiNaC::ex_to<GiNaC::symbol>(symbol).get_name() + "' is stated in terms of itself",
                    "a control law may use coordinates, rates and sensors");
      visit(definition->second->value);
      open_.erase(symbol);
      done_.insert(symbol);
      result.emplace_back(symbol, definition->second->value);
    }
  }
  std::vector<std::pair<ex, ex>> result;

 private:
  std::map<ex, const Definition*, GiNaC::ex_is_less> known_;
  GiNaC::exset open_, done_;
};

}  // namespace

std::vector<std::pair<ex, ex>> in_order(const std::vector<Definition>& definitions, const std::vector<ex>& expressions) {
  Order order(definitions);
  for (const ex& expression : expressions) order.visit(expression);
  return std::move(order.result);
}

ex decimal_of(const Number& value) {
  constexpr std::size_t digits = 40;
  constexpr int parts = 12;  // of pi
  const Precision precision(working_digits);
  if (abs(value) < power_of_ten(-40)) return 0;
  const ex turned = (value * parts / GiNaC::Pi).evalf();
  const Number whole(std::lround(GiNaC::ex_to<Number>(turned).to_double()));
  if (abs(GiNaC::ex_to<Number>(turned) - whole) < power_of_ten(-38)) return whole * GiNaC::Pi / parts;
  return numeric_value(exact::rounded(*rational_value(value, working_digits), digits));
}

struct RestSearch::Impl {
  Impl(const SmallMotion& motion, const GiNaC::exmap& fixed) : small(motion), values(fixed) {
    std::vector<ex> outputs = small.motion.F;
    for (const auto& row : small.J) outputs.insert(outputs.end(), row.begin(), row.end());
    for (const auto& constraint : small.motion.constraints) outputs.push_back(constraint.value);
    for (const auto& row : small.N) outputs.insert(outputs.end(), row.begin(), row.end());
    for (const auto& coordinate : small.motion.coordinates) inputs.push_back(coordinate.q);
    const auto definitions = in_order(small.definitions, outputs);
    check_values(outputs, definitions);
    tape = numeric::with_jacobian(compile(outputs, inputs, values, definitions));
  }

  void check_values(const std::vector<ex>& outputs, const std::vector<std::pair<ex, ex>>& definitions) const {
    GiNaC::exset known(inputs.begin(), inputs.end());
    for (const auto& [symbol, value] : values) known.insert(symbol);
    for (const auto& [symbol, value] : definitions) known.insert(symbol);
    std::set<std::string> missing;
    const auto check = [&](const ex& expression) {
      for (const ex& symbol : symbols_of(expression))
        if (!known.contains(symbol)) missing.insert(GiNaC::ex_to<GiNaC::symbol>(symbol).get_name());
    };
    for (const ex& output : outputs) check(output);
    for (const auto& [symbol, value] : definitions) check(value);
    if (!missing.empty()) throw missing_values(missing, small.motion.symbols);
  }

  std::size_t speeds() const { return small.size(); }
  std::size_t constraints() const { return small.J.size(); }

  /// What shall vanish, and how it changes with what moves.
  struct System {
    VectorXd residual;
    MatrixXd jacobian;
    Index moving = 0;  ///< columns of displacements, before those of multipliers
  };
  /// Forces and multipliers in units of `force`, the greatest force or stiffness at the start: what balances is a matter of
  /// ratios, for a machine of micrometres as for a bridge.
  struct State {
    VectorXd x, multipliers;
    double force = 1;
  };

  static bool is_about_forces(const Task& task) { return std::ranges::count(task.balances, true) != 0; }

  std::vector<double> values_at(const State& state) const {
    std::vector<double> all = tape.values<double>(std::span<const double>(state.x.data(), inputs.size()));
    each_force(all, [&](double& force) { force /= state.force; });
    return all;
  }
  /// Forces and their slopes by the coordinates, among what the tape answers.
  void each_force(std::vector<double>& all, const std::function<void(double&)>& on) const {
    const std::size_t n = speeds(), m = constraints(), nc = inputs.size(), slopes = n + m * n + m + nc * n;
    for (std::size_t i = 0; i < n; ++i) {
      on(all[i]);
      for (std::size_t j = 0; j < nc; ++j) on(all[slopes + i * nc + j]);
    }
  }
  double unit_of_force(const State& state) const {
    std::vector<double> all = values_at(state);
    double greatest = 0;
    each_force(all, [&](double force) { greatest = std::max(greatest, std::abs(force)); });
    return greatest > 0 && std::isfinite(greatest) ? greatest : 1;
  }

  System system(const State& state, const Task& task) const {
    const std::size_t n = speeds(), m = constraints(), nc = inputs.size(), outputs = n + m * n + m + nc * n;
    const std::vector<double> all = values_at(state);
    const auto slope = [&](std::size_t output, std::size_t k) {  // along displacement k
      double sum = 0;
      for (std::size_t j = 0; j < nc; ++j) sum += all[outputs + output * nc + j] * all[n + m * n + m + j * n + k];
      return sum;
    };
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < n; ++k)
      if (task.moves[k]) columns.push_back(k);
    const std::size_t forces = static_cast<std::size_t>(std::ranges::count(task.balances, true));
    const std::size_t moving = columns.size(), width = moving + (forces > 0 ? m : 0);
    System result{VectorXd::Zero(static_cast<Index>(forces + m)),
                  MatrixXd::Zero(static_cast<Index>(forces + m), static_cast<Index>(width)), static_cast<Index>(moving)};
    Index row = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!task.balances[i]) continue;
      result.residual[row] = all[i];
      for (std::size_t c = 0; c < m; ++c) {
        result.residual[row] += all[n + c * n + i] * state.multipliers[static_cast<Index>(c)];
        result.jacobian(row, static_cast<Index>(moving + c)) = all[n + c * n + i];
      }
      for (std::size_t k = 0; k < moving; ++k) {
        double sum = slope(i, columns[k]);
        for (std::size_t c = 0; c < m; ++c) sum += state.multipliers[static_cast<Index>(c)] * slope(n + c * n + i, columns[k]);
        result.jacobian(row, static_cast<Index>(k)) = sum;
      }
      ++row;
    }
    for (std::size_t c = 0; c < m; ++c, ++row) {
      result.residual[row] = all[n + m * n + c];
      if (std::ranges::all_of(small.J[c], [](const ex& entry) { return entry.is_zero(); })) continue;  // holds whatever moves
      for (std::size_t k = 0; k < moving; ++k) result.jacobian(row, static_cast<Index>(k)) = slope(n + m * n + c, columns[k]);
    }
    return result;
  }

  /// x + N ξ with quaternions of length 1, and λ.
  State moved(const State& state, const VectorXd& step, double fraction, const Task& task) const {
    const std::size_t n = speeds(), m = constraints(), nc = inputs.size();
    const std::vector<double> all = tape.values<double>(std::span<const double>(state.x.data(), nc));
    State result = state;
    Index at = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (!task.moves[k]) continue;
      for (std::size_t j = 0; j < nc; ++j)
        result.x[static_cast<Index>(j)] -= fraction * all[n + m * n + m + j * n + k] * step[at];
      ++at;
    }
    for (Index c = 0; at < step.size(); ++c, ++at) result.multipliers[c] -= fraction * step[at];
    for (const auto& quaternion : small.equations.quaternions) {
      double square = 0;
      for (const std::size_t j : quaternion) square += std::pow(result.x[static_cast<Index>(j)], 2);
      for (const std::size_t j : quaternion) result.x[static_cast<Index>(j)] /= std::sqrt(square);
    }
    return result;
  }

  /// Lengths of rows or columns; of one that is 0, which nothing moves: 1.
  static VectorXd sizes(const VectorXd& norms) {
    return norms.unaryExpr([](double length) { return length > 1e-15 ? length : 1; });
  }
  static VectorXd row_sizes(const System& s) { return sizes(s.jacobian.rowwise().norm()); }

  /// Steps of least norm, with rows and the columns of multipliers of length 1: lengths of micrometres are no lack of rank.
  class Steps {
   public:
    Steps(const System& system, double threshold) : rows_(row_sizes(system).cwiseInverse()) {
      const MatrixXd scaled = rows_.asDiagonal() * system.jacobian;
      columns_ = sizes(scaled.colwise().norm().transpose()).cwiseInverse();
      columns_.head(system.moving).setOnes();
      solver_.setThreshold(threshold);
      solver_.compute(scaled * columns_.asDiagonal());
    }
    VectorXd operator()(const VectorXd& residual) const {
      return columns_.cwiseProduct(solver_.solve(rows_.cwiseProduct(residual)));
    }

   private:
    VectorXd rows_, columns_;
    Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver_;
  };

  std::optional<State> newton(State state, const Task& task, const Budget& budget) const {
    constexpr int most_iterations = 100, most_halvings = 30;
    constexpr double converged = 1e-13, accepted = 1e-9;
    System now = system(state, task);
    if (now.residual.size() == 0) return state;
    VectorXd scale = row_sizes(now).cwiseMax(now.residual.cwiseAbs() * 1e-3);
    const auto size = [&](const System& s) { return s.residual.cwiseQuotient(scale).norm(); };
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      budget.check("the search for a balance of forces");
      if (!now.residual.allFinite() || !now.jacobian.allFinite()) return std::nullopt;
      const VectorXd step = Steps(now, 1e-11)(now.residual);
      double fraction = 1;
      int halving = 0;
      for (; halving < most_halvings; ++halving, fraction /= 2) {
        const State trial = moved(state, step, fraction, task);
        const System there = system(trial, task);
        if (!there.residual.allFinite() || !(size(there) < size(now))) continue;
        state = trial;
        now = there;
        break;
      }
      if (halving == most_halvings || fraction * step.norm() < converged) break;
    }
    scale = row_sizes(now);
    return size(now) < accepted * (1 + state.x.norm() + state.multipliers.norm()) ? std::optional(state) : std::nullopt;
  }

  /// With 60 digits: residuals through the definitions, steps by the Jacobian in doubles.
  std::optional<Position> polished(const State& start, const Task& task, const Budget& budget) const {
    constexpr int most_iterations = 40;
    const Precision precision(working_digits);
    const System last = system(start, task);
    const Steps steps(last, 1e-9);
    std::vector<Number> x, multipliers;
    for (const double value : start.x) x.emplace_back(value);
    for (const double value : start.multipliers) multipliers.emplace_back(value);
    Position result;
    double before = 1;
    for (int iteration = 0; iteration < most_iterations; ++iteration) {
      budget.check("the search for a balance of forces");
      const auto [residual, N] = precise(x, multipliers, Number(start.force), task);
      double largest = 0;
      for (const Number& value : residual) largest = std::max(largest, std::abs(value.to_double()));
      if (largest == 0) break;
      VectorXd scaled(static_cast<Index>(residual.size()));
      const Number unit(largest);
      for (std::size_t i = 0; i < residual.size(); ++i) scaled[static_cast<Index>(i)] = (residual[i] / unit).to_double();
      const VectorXd step = steps(scaled);
      Index at = 0;
      for (std::size_t k = 0; k < speeds(); ++k) {
        if (!task.moves[k]) continue;
        for (std::size_t j = 0; j < x.size(); ++j) x[j] -= N[j][k] * Number(step[at]) * unit;
        ++at;
      }
      for (std::size_t c = 0; at < step.size(); ++c, ++at) multipliers[c] -= Number(step[at]) * unit;
      normalise(x);
      if (const double length = step.norm() * largest; length < 1e-52 || (length < 1e-40 && length > before / 2)) break;
      before = step.norm() * largest;
    }
    for (const Number& value : x) result.coordinates.push_back(decimal_of(value));
    result.free = free_displacements(last.jacobian, task);
    return result;
  }

  std::pair<std::vector<Number>, std::vector<std::vector<Number>>> precise(const std::vector<Number>& x,
                                                                           const std::vector<Number>& multipliers,
                                                                           const Number& force_unit, const Task& task) const {
    FirstOrderExpansion::Known known;
    for (const auto& [symbol, value] : values) known[symbol].value = value.evalf();
    for (std::size_t j = 0; j < inputs.size(); ++j) known[inputs[j]].value = x[j];
    FirstOrderExpansion expand(small.definitions, known, [](const ex& value) { return value.evalf(); });
    const auto number = [&](const ex& expression) {
      return real_number(expand.value(expression, "the balance of forces")).value_or(Number(0));
    };
    std::vector<Number> residual;
    for (std::size_t i = 0; i < speeds(); ++i) {
      if (!task.balances[i]) continue;
      Number force = number(small.motion.F[i]) / force_unit;
      for (std::size_t c = 0; c < constraints(); ++c)
        if (!small.J[c][i].is_zero()) force += multipliers[c] * number(small.J[c][i]);
      residual.push_back(force);
    }
    for (const auto& constraint : small.motion.constraints) residual.push_back(number(constraint.value));
    std::vector<std::vector<Number>> N;
    for (const auto& row : small.N) {
      N.emplace_back();
      for (const ex& entry : row) N.back().push_back(entry.is_zero() ? Number(0) : number(entry));
    }
    return {std::move(residual), std::move(N)};
  }

  void normalise(std::vector<Number>& x) const {
    for (const auto& quaternion : small.equations.quaternions) {
      Number square = 0;
      for (const std::size_t j : quaternion) square += x[j] * x[j];
      const Number length = GiNaC::ex_to<Number>(GiNaC::sqrt(square).evalf());
      for (const std::size_t j : quaternion) x[j] /= length;
    }
  }

  /// The displacements in the null space of the Jacobian, multipliers apart.
  std::vector<std::string> free_displacements(const MatrixXd& jacobian, const Task& task) const {
    std::vector<std::string> names;
    if (!is_about_forces(task)) return names;
    MatrixXd scaled = jacobian;
    for (Index i = 0; i < scaled.rows(); ++i)
      if (const double length = scaled.row(i).norm(); length > 0) scaled.row(i) /= length;
    Eigen::FullPivLU<MatrixXd> lu;
    lu.setThreshold(1e-9);
    lu.compute(scaled);
    if (lu.rank() == scaled.cols()) return names;
    const MatrixXd kernel = lu.kernel();
    Index at = 0;
    for (std::size_t k = 0; k < speeds(); ++k) {
      if (!task.moves[k]) continue;
      if (kernel.row(at++).cwiseAbs().maxCoeff() > 1e-6) names.push_back(small.displacement_names[k]);
    }
    return names;
  }

  const SmallMotion& small;
  GiNaC::exmap values;
  std::vector<ex> inputs;
  numeric::Tape tape;
};

RestSearch::RestSearch(const SmallMotion& small, const GiNaC::exmap& fixed) : impl_(std::make_unique<const Impl>(small, fixed)) {}
RestSearch::~RestSearch() = default;

std::optional<RestSearch::Position> RestSearch::from(std::vector<double> start, const Task& task, const Budget& budget) const {
  Impl::State state{Eigen::Map<const VectorXd>(start.data(), static_cast<Index>(start.size())),
                    VectorXd::Zero(static_cast<Index>(impl_->constraints()))};
  state.force = impl_->unit_of_force(state);
  const auto reached = impl_->newton(state, task, budget);
  return reached ? impl_->polished(*reached, task, budget) : std::nullopt;
}

namespace {

bool same(const std::vector<ex>& a, const std::vector<ex>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = double_value(a[i]).value_or(0), difference = std::abs(x - double_value(b[i]).value_or(0));
    const double turns = difference / (2 * std::numbers::pi);
    if (difference > 1e-9 * (1 + std::abs(x)) && !(turns > 0.5 && std::abs(turns - std::round(turns)) < 1e-9)) return false;
  }
  return true;
}

/// By coordinate: whether it is an angle.
std::vector<bool> angles(const Multibody& model, const EquationsOfMotion& motion) {
  std::set<std::string> names;
  for (const Multibody::Joint& joint : model.joints)
    for (std::size_t k = 0; k < joint.coordinates.size(); ++k)
      if (is_angle(joint, k)) names.insert(joint.coordinates[k]);
  std::vector<bool> result;
  for (const auto& coordinate : motion.coordinates) result.push_back(names.contains(coordinate.name));
  return result;
}

/// The same position with angles within half a turn of the start.
void unwind(std::vector<ex>& reached, const std::vector<double>& start, const std::vector<bool>& angle) {
  const Precision precision(working_digits);
  for (std::size_t i = 0; i < start.size(); ++i) {
    const long turns = std::lround((double_value(reached[i]).value_or(0) - start[i]) / (2 * std::numbers::pi));
    if (angle[i] && turns != 0)
      reached[i] = decimal_of(GiNaC::ex_to<Number>((reached[i] - 2 * Number(turns) * GiNaC::Pi).evalf()));
  }
}

double distance(const std::vector<double>& start, const std::vector<ex>& reached) {
  double square = 0;
  for (std::size_t i = 0; i < start.size(); ++i) square += std::pow(double_value(reached[i]).value_or(0) - start[i], 2);
  return square;
}

}  // namespace

std::vector<RestSearch::Position> RestSearch::around(const std::vector<double>& start, const Task& task, std::size_t most,
                                                     const Budget& budget) const {
  std::vector<Position> found;
  const std::vector<bool> angle = angles(impl_->small.model, impl_->small.motion);
  const auto try_from = [&](const std::vector<double>& x) {
    auto reached = from(x, task, budget);
    if (!reached || found.size() >= most) return;
    unwind(reached->coordinates, start, angle);
    for (const Position& known : found)
      if (!known.free.empty() || same(known.coordinates, reached->coordinates)) return;
    found.push_back(*reached);
  };
  try_from(start);
  std::mt19937 generator(20110317);  // the same answer on every run
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round)
    for (const double radius : {0.05, 0.4, 1.0, 3.2}) {
      std::vector<double> x = start;
      for (std::size_t k = 0; k < impl_->speeds(); ++k) {
        const double offset = radius * (static_cast<double>(generator() % 2001) - 1000) / 1000;
        if (const auto j = impl_->small.coordinate_of[k]; j && task.moves[k]) x[*j] += offset;
      }
      if (found.size() < most && !(found.size() == 1 && !found.front().free.empty())) try_from(x);
    }
  std::ranges::stable_sort(found, {}, [&](const Position& position) { return distance(start, position.coordinates); });
  return found;
}

}  // namespace sfg
