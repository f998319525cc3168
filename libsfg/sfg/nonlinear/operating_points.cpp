#include "sfg/nonlinear/operating_points.hpp"

#include <ginac/ginac.h>

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/nonlinear/dynamics.hpp"
#include "sfg/nonlinear/enclosure.hpp"
#include "sfg/nonlinear/law_loop.hpp"
#include "sfg/nonlinear/rest_equations.hpp"
#include "sfg/nonlinear/rest_sensitivity.hpp"
#include "sfg/ring/bounds.hpp"

namespace sfg {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using ring::Bounds;
using Box = std::vector<Bounds>;

constexpr double usual_reach = 1e6;  ///< of the search where no box is stated
constexpr std::size_t most_boxes = 200'000;

Bounds bounds(const exact::Rational& x) { return ring::widened(Bounds::exactly(x.to_double())); }
double middle(const Bounds& x) { return x.low + (x.high - x.low) / 2; }

Bounds intersection(const Bounds& a, const Bounds& b) { return {std::max(a.low, b.low), std::min(a.high, b.high)}; }
bool empty(const Bounds& x) { return !(x.low <= x.high); }

/// G(a) = M a + P f(a) + q with enclosed coefficients.
class RestSystem {
 public:
  RestSystem(const PrincipalForm& form, const RestEquations& equations, const CompiledLaws& compiled,
             const std::vector<double>& inputs)
      : size_(form.arguments.size()), laws_(form.laws.size()), compiled_(compiled) {
    for (const auto& equation : equations.equations) {
      Row row{Box(size_, Bounds{}), Box(laws_, Bounds{}), Bounds{}};
      for (const auto& [i, value] : equation.arguments) row.arguments[i] = bounds(value);
      for (const auto& [i, value] : equation.laws) row.laws[i] = bounds(value);
      for (const auto& [i, value] : equation.sources) row.constant = row.constant + bounds(value) * Bounds::exactly(inputs[i]);
      rows_.push_back(std::move(row));
    }
  }

  std::size_t size() const { return size_; }

  struct Values {
    Box residual;               ///< by equation
    std::vector<Box> jacobian;  ///< by rows
    Box laws;
  };
  Values at(const Box& box) const {
    const Enclosure laws = compiled_.enclosure(box);
    Values found{{}, {}, laws.values};
    for (const Row& row : rows_) {
      Bounds sum = row.constant;
      Box slopes = row.arguments;
      for (std::size_t j = 0; j < size_; ++j) sum = sum + row.arguments[j] * box[j];
      for (std::size_t i = 0; i < laws_; ++i) {
        sum = sum + row.laws[i] * laws.values[i];
        for (std::size_t j = 0; j < size_; ++j) slopes[j] = slopes[j] + row.laws[i] * laws.slopes[i * size_ + j];
      }
      found.residual.push_back(sum);
      found.jacobian.push_back(std::move(slopes));
    }
    return found;
  }

  /// Narrows every argument by each equation solved for it; false when nothing is left.
  bool narrow(Box& box, const Box& laws) const {
    for (const Row& row : rows_)
      for (std::size_t j = 0; j < size_; ++j) {
        if (row.arguments[j].contains(0)) continue;
        Bounds rest = row.constant;
        for (std::size_t i = 0; i < laws_; ++i) rest = rest + row.laws[i] * laws[i];
        for (std::size_t other = 0; other < size_; ++other)
          if (other != j) rest = rest + row.arguments[other] * box[other];
        box[j] = intersection(box[j], -rest / row.arguments[j]);
        if (empty(box[j])) return false;
      }
    return true;
  }

 private:
  struct Row {
    Box arguments, laws;
    Bounds constant;
  };
  std::size_t size_, laws_;
  const CompiledLaws& compiled_;
  std::vector<Row> rows_;
};

/// Branch and prune.
class Search {
 public:
  Search(const RestSystem& system, const Budget& budget) : system_(system), budget_(budget) {}

  /// Boxes with exactly one solution each, narrow.
  std::vector<Box> operator()(Box box) {
    open_.push_back(std::move(box));
    for (std::size_t count = 0; !open_.empty(); ++count) {
      budget_.check("the search for operating points");
      if (count > most_boxes) {
        complete = false;
        break;
      }
      Box next = std::move(open_.back());
      open_.pop_back();
      examine(std::move(next));
    }
    return std::move(found_);
  }

  bool complete = true;

 private:
  enum class Verdict { none, one, unknown };

  void examine(Box box) {
    for (;;) {
      const double before = size(box);
      switch (contract(box)) {
        case Verdict::none: return;
        case Verdict::one: return add(std::move(box));
        case Verdict::unknown: break;
      }
      if (!(size(box) <= 0.7 * before) || before == 0) break;
    }
    const std::size_t widest = widest_side(box);
    if (box[widest].width() <= 1e-13 * std::max(1.0, std::abs(middle(box[widest])))) return undecided(std::move(box));
    Box half = box;
    const double cut = cut_of(box[widest]);
    half[widest].high = box[widest].low = cut;
    open_.push_back(std::move(box));
    open_.push_back(std::move(half));
  }

  /// Wide intervals are cut by their order of magnitude, others in the middle; never at 0, where solutions lie.
  static double cut_of(const Bounds& side) {
    if (side.low < 0 && side.high > 0) {
      const double reach = std::max(-side.low, side.high);
      if (reach > 1e-6 && std::min(-side.low, side.high) > 0.01 * reach) return reach * 1e-3 * 0.7654321;
    }
    if (side.low > 0 && side.high > 100 * side.low) return std::sqrt(side.low * side.high);
    if (side.high < 0 && side.low < 100 * side.high) return -std::sqrt(side.low * side.high);
    return side.low + (side.high - side.low) * 0.4876543;
  }

  static double size(const Box& box) {
    double sum = 0;
    for (const Bounds& side : box) sum += side.width();
    return sum;
  }
  static std::size_t widest_side(const Box& box) {
    const auto relative = [](const Bounds& side) {
      return side.width() / std::max(1e-3, std::min(std::abs(side.low), std::abs(side.high)));
    };
    return static_cast<std::size_t>(std::ranges::max_element(box, {}, relative) - box.begin());
  }

  Verdict contract(Box& box) const {
    if (box.empty()) return Verdict::one;  // nothing depends on anything
    const auto values = system_.at(box);
    for (const Bounds& residual : values.residual)
      if (!residual.contains(0)) return Verdict::none;
    if (!system_.narrow(box, values.laws)) return Verdict::none;
    return krawczyk(box, give_inside(box) ? system_.at(box).jacobian : values.jacobian);
  }

  /// Krawczyk's test needs an interior, and a side may be a number at once: a rate is 0. True where a side was widened.
  static bool give_inside(Box& box) {
    constexpr double least = 1e-20;
    bool widened = false;
    for (Bounds& side : box) {
      const double at = middle(side), reach = 1e-15 * std::abs(at) + least;
      if (side.width() >= reach) continue;
      side = {at - reach, at + reach};
      widened = true;
    }
    return widened;
  }

  /// K = m − Y G(m) + (1 − Y J)(X − m): solutions in X lie in K; one is in it when K is inside of X.
  Verdict krawczyk(Box& box, const std::vector<Box>& jacobian) const {
    const auto n = static_cast<Index>(box.size());
    MatrixXd about(n, n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j) {
        const Bounds& entry = jacobian[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
        about(i, j) = middle(entry);
        if (!std::isfinite(about(i, j))) return Verdict::unknown;
      }
    const MatrixXd inverse = about.fullPivLu().inverse();
    if (!inverse.allFinite()) return Verdict::unknown;
    Box at;
    for (const Bounds& side : box) at.push_back(Bounds::exactly(middle(side)));
    const Box residual = system_.at(at).residual;
    Box next(box.size());
    bool inside = true;
    for (Index i = 0; i < n; ++i) {
      Bounds sum = at[static_cast<std::size_t>(i)];
      for (Index k = 0; k < n; ++k) sum = sum - Bounds::exactly(inverse(i, k)) * residual[static_cast<std::size_t>(k)];
      for (Index j = 0; j < n; ++j) {
        Bounds entry = Bounds::exactly(i == j ? 1 : 0);
        for (Index k = 0; k < n; ++k)
          entry = entry - Bounds::exactly(inverse(i, k)) * jacobian[static_cast<std::size_t>(k)][static_cast<std::size_t>(j)];
        sum = sum + entry * (box[static_cast<std::size_t>(j)] - at[static_cast<std::size_t>(j)]);
      }
      const Bounds& side = box[static_cast<std::size_t>(i)];
      inside = inside && side.low < sum.low && sum.high < side.high;
      next[static_cast<std::size_t>(i)] = intersection(side, sum);
      if (empty(next[static_cast<std::size_t>(i)])) return Verdict::none;
    }
    box = std::move(next);
    return inside ? Verdict::one : Verdict::unknown;
  }

  /// It stays the only one while the box closes in on it: by contraction, or by halves where that is slow.
  void add(Box box) {
    constexpr double slow = 0.9;
    for (int i = 0; i < 2000 && !box.empty(); ++i) {
      const double before = size(box);
      if (contract(box) == Verdict::none) break;
      if (size(box) < slow * before) continue;
      const std::size_t widest = widest_side(box);
      Box low = box, high = box;
      low[widest].high = high[widest].low = cut_of(box[widest]);
      const bool in_low = contract(low) != Verdict::none, in_high = contract(high) != Verdict::none;
      if (in_low && in_high)
        for (std::size_t side = 0; side < box.size(); ++side) box[side] = intersection(box[side], hull(low[side], high[side]));
      else if (in_low || in_high)
        box = in_low ? std::move(low) : std::move(high);
      if (!(size(box) < slow * before)) break;  // as narrow as doubles tell
    }
    found_.push_back(std::move(box));
  }

  /// A point so narrow that doubles cannot tell: a double solution, say. Kept once, and nothing is proven.
  void undecided(Box box) {
    complete = false;
    const auto near = [&](const Box& other) {
      for (std::size_t i = 0; i < box.size(); ++i)
        if (std::abs(middle(other[i]) - middle(box[i])) > 1e-6 * std::max(1.0, std::abs(middle(box[i])))) return false;
      return true;
    };
    if (std::ranges::none_of(found_, near)) found_.push_back(std::move(box));
  }

  const RestSystem& system_;
  const Budget& budget_;
  std::vector<Box> open_, found_;
};

/// Whether small motions around a point die away.
std::optional<bool> stable(const PrincipalForm& form, const CompiledLaws& laws, const Dynamics& linear,
                           const std::vector<double>& arguments) {
  constexpr Index largest = 500;
  if (!linear.delays.empty() || linear.A.rows() > largest) return {};
  if (linear.A.rows() == 0) return true;
  LawLoop loop(laws, through(form, linear));
  loop.arguments = Eigen::Map<const VectorXd>(arguments.data(), loop.arguments.size());
  const MatrixXd A = closed(form, linear, loop.sensitivity(0));
  if (!A.allFinite()) return {};
  const Eigen::VectorXcd roots = A.eigenvalues();
  const bool discrete = form.linear.op.discrete();
  return std::all_of(roots.begin(), roots.end(), [&](const auto& root) {
    return discrete ? std::abs(root) < 1 - 1e-10 : root.real() < -1e-10 * std::abs(root);
  });
}

std::string name(const PrincipalForm& form, std::size_t argument) { return form.linear[form.arguments[argument].node].name; }

void refuse_time(const SignalFlowGraph& graph, const PrincipalForm& form) {
  for (const auto& law : form.laws)
    if (law.law.has(form.time))
      throw NoAnswer("the law into '" + graph[law.head].name + "' depends on time, so that nothing stays at rest", {},
                     graph[law.branch].where);
}

/// A graph prepared for the search: what does not depend on the constants of the inputs is done once.
class GraphAtRest {
 public:
  GraphAtRest(const SignalFlowGraph& graph, std::span<const NodeId> sources, const RestQuestion& question)
      : question_(question),
        form_(principal_form(graph, sources, question.outputs)),
        exact_(exact_of(graph)),
        equations_(rest_equations(form_, exact_, question.budget)),
        laws_(form_, graph.parameter_values()),
        linear_(dynamics(exact_)) {
    if (!laws_.memories().empty())
      throw NoAnswer("the law into '" + graph[form_.laws[laws_.memories().front().law].head].name +
                         "' has memory: where it rests depends on how it came there",
                     "simulate it, or look at periodic motion");
    for (const NodeId sink : form_.sinks) signals_.push_back(graph[sink].name);
    for (std::size_t i = 0; i < form_.arguments.size(); ++i)
      if (!form_.arguments[i].rate && std::ranges::find(signals_, name(form_, i)) == signals_.end())
        signals_.push_back(name(form_, i));
  }

  OperatingPoints at(const std::map<NodeId, double>& constants) const {
    std::vector<double> inputs;
    for (const NodeId source : form_.sources) inputs.push_back(constants.contains(source) ? constants.at(source) : 0);
    const RestSystem system(form_, equations_, laws_, inputs);
    OperatingPoints result{signals_, {}, false, {}};
    Search search(system, question_.budget);
    for (const Box& box : search(box_of(result))) result.points.push_back(point_in(box, inputs));
    result.complete = search.complete;
    std::erase_if(result.points, [&](const OperatingPoints::Point& point) { return !in_box(point); });
    const auto key = [&](const OperatingPoints::Point& point) {
      std::vector<double> all;
      for (const std::string& signal : signals_) all.push_back(point.signals.at(signal));
      return all;
    };
    std::ranges::sort(result.points, {}, key);
    return result;
  }

 private:
  ExactDynamics exact_of(const SignalFlowGraph& graph) const {
    refuse_time(graph, form_);
    return exact_dynamics(form_.linear, form_.inputs(), form_.outputs(), question_.budget);
  }

  Box box_of(OperatingPoints& result) const {
    Box box;
    for (std::size_t i = 0; i < form_.arguments.size(); ++i) {
      const auto stated = question_.box.find(name(form_, i));
      const std::pair<double, double> side =
          stated != question_.box.end() ? stated->second : std::pair(-usual_reach, usual_reach);
      box.push_back({side.first, side.second});
      if (!form_.arguments[i].rate) result.box[name(form_, i)] = side;
    }
    return box;
  }

  OperatingPoints::Point point_in(const Box& box, const std::vector<double>& inputs) const {
    std::vector<double> arguments;
    for (const Bounds& side : box) arguments.push_back(side.contains(0) ? 0 : middle(side));
    OperatingPoints::Point point;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (!form_.arguments[i].rate) point.signals[name(form_, i)] = arguments[i];
    std::vector<double> f(form_.laws.size());
    laws_.values({arguments, 0}, f);
    for (std::size_t k = 0; k < form_.sinks.size(); ++k) {
      double value = 0;
      for (const auto& [i, c] : equations_.sinks[k].arguments) value += c.to_double() * arguments[i];
      for (const auto& [i, c] : equations_.sinks[k].laws) value += c.to_double() * f[i];
      for (const auto& [i, c] : equations_.sinks[k].sources) value += c.to_double() * inputs[i];
      point.signals[form_.linear[form_.sinks[k]].name] = value;
    }
    point.stable = stable(form_, laws_, linear_, arguments);
    if (question_.sensitivities) point.derivatives = rest_sensitivities(form_, inputs, arguments);
    return point;
  }

  bool in_box(const OperatingPoints::Point& point) const {
    return std::ranges::all_of(question_.box, [&](const auto& side) {
      const auto signal = point.signals.find(side.first);
      return signal == point.signals.end() || (side.second.first <= signal->second && signal->second <= side.second.second);
    });
  }

  const RestQuestion& question_;
  PrincipalForm form_;
  ExactDynamics exact_;
  RestEquations equations_;
  CompiledLaws laws_;
  Dynamics linear_;
  std::vector<std::string> signals_;
};

}  // namespace

OperatingPoints operating_points(const SignalFlowGraph& graph, const RestQuestion& question) {
  return std::move(operating_points(graph, question, std::span(&question.inputs, 1)).front());
}

std::vector<OperatingPoints> operating_points(const SignalFlowGraph& graph, const RestQuestion& question,
                                              std::span<const std::map<NodeId, double>> stated) {
  std::vector<std::map<NodeId, double>> cases(stated.begin(), stated.end());
  for (const auto& [source, rest] : rest_inputs(graph))
    for (auto& constants : cases) constants.try_emplace(source, rest.value.to_double());
  std::vector<NodeId> sources = graph.stated_inputs();
  for (const auto& constants : cases)
    for (const auto& [node, value] : constants)
      if (std::ranges::find(sources, node) == sources.end()) sources.push_back(node);
  const GraphAtRest rest(graph, sources, question);
  std::vector<OperatingPoints> found;
  for (const auto& constants : cases) found.push_back(rest.at(constants));
  return found;
}

LinearizationPoint linearization_point(const OperatingPoints::Point& point) {
  LinearizationPoint result;
  for (const auto& [signal, value] : point.signals) result.emplace(signal, decimal_rational(value));
  return result;
}

}  // namespace sfg
