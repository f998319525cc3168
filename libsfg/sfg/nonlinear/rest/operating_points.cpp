#include "sfg/nonlinear/rest/operating_points.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/expr/constant.hpp"
#include "sfg/graph/draft.hpp"
#include "sfg/graph/rest_inputs.hpp"
#include "sfg/nonlinear/rest/rest_equations.hpp"
#include "sfg/nonlinear/rest/rest_reach.hpp"
#include "sfg/nonlinear/rest/rest_search.hpp"
#include "sfg/nonlinear/rest/rest_sensitivity.hpp"
#include "sfg/nonlinear/rest/rest_stability.hpp"
#include "sfg/nonlinear/run/dynamics.hpp"

namespace sfg {

namespace {

using ring::Bounds;

std::string name(const PrincipalForm& form, std::size_t argument) { return form.linear[form.arguments[argument].node].name; }

void refuse_time(const SignalFlowGraph& graph, const PrincipalForm& form) {
  for (const auto& law : form.laws)
    if (law.law.has(form.time))
      throw NoAnswer("the law into '" + graph[law.head].name + "' depends on time, so that nothing stays at rest", {},
                     graph[law.branch].where);
}

/// So that a search takes seconds at most: the fewer the dearer a box is.
std::size_t most_boxes(const numeric::Tape& laws) {
  constexpr double all = 1e8, of_function = 100, evaluations = 10;
  const auto n = static_cast<double>(laws.inputs().size());
  double cost = n * n * n;
  for (const numeric::Instruction& i : laws.instructions()) {
    const bool function = numeric::Operation::sqrt <= i.operation && i.operation <= numeric::Operation::tanh;
    cost += evaluations * (n + (function ? of_function : 1));
  }
  return static_cast<std::size_t>(std::clamp(all / cost, 1e3, 1e5));
}

/// Freed sources are arguments, too, whether a law has them or not; each wanted value is a source of its own.
PrincipalForm trimmed_form(const SignalFlowGraph& graph, std::span<const NodeId> sources, const RestQuestion& question,
                           RestTrim& trim) {
  std::vector<NodeId> sinks = question.outputs.empty() ? graph.stated_outputs() : question.outputs;
  const auto place = [](const auto& list, NodeId node) {
    return static_cast<std::size_t>(std::ranges::find(list, node) - list.begin());
  };
  for (const auto& [node, value] : question.wanted)
    if (place(sinks, node) == sinks.size()) sinks.push_back(node);
  PrincipalForm form = principal_form(graph, sources, sinks);
  for (const NodeId input : question.freed) {
    trim.freed.push_back(place(form.sources, input));
    const auto is_it = [&](const auto& argument) { return !argument.rate && argument.node == input; };
    const std::string& name = graph[input].name;
    if (std::ranges::none_of(form.arguments, is_it)) form.arguments.push_back({name, false, GiNaC::symbol(name), input});
  }
  for (const auto& [node, value] : question.wanted) {
    trim.wanted.push_back({place(sinks, node), form.sources.size()});
    form.sources.push_back(form.linear.add_node({free_name(form.linear, "wanted_" + graph[node].name), {}, {}}));
  }
  return form;
}

/// A graph prepared for the search: what does not depend on the constants of the inputs is done once.
class GraphAtRest {
 public:
  GraphAtRest(const SignalFlowGraph& graph, std::span<const NodeId> sources, const RestQuestion& question)
      : question_(question),
        form_(trimmed_form(graph, sources, question, trim_)),
        exact_(exact_of(graph)),
        equations_(rest_equations(form_, exact_, trim_, question.budget)),
        laws_(form_, graph.parameter_values()),
        linear_(dynamics(exact_)) {
    if (!laws_.memories().empty())
      throw NoAnswer("the law into '" + graph[form_.laws[laws_.memories().front().law].head].name +
                         "' has memory: where it rests depends on how it came there",
                     "simulate it, or look at periodic motion");
    far_laws_ = far_laws(form_, graph.parameter_values());
    most_boxes_ = most_boxes(far_laws_);
    for (const NodeId sink : form_.sinks) signals_.push_back(graph[sink].name);
    for (const NodeId input : question.freed) inputs_.push_back(graph[input].name);
    const auto listed = [&](const std::string& signal) {
      return std::ranges::count(signals_, signal) + std::ranges::count(inputs_, signal) > 0;
    };
    for (std::size_t i = 0; i < form_.arguments.size(); ++i)
      if (!form_.arguments[i].rate && !listed(name(form_, i))) signals_.push_back(name(form_, i));
  }

  OperatingPoints at(const std::map<NodeId, double>& constants) const {
    std::vector<double> inputs;
    for (const NodeId source : form_.sources) inputs.push_back(constants.contains(source) ? constants.at(source) : 0);
    for (std::size_t i = 0; i < trim_.wanted.size(); ++i) inputs[trim_.wanted[i].source] = question_.wanted[i].second;
    const RestSystem system(form_, equations_, laws_, inputs);
    OperatingPoints result{signals_, inputs_, {}, false, false, {}};
    const RestFound found = searched(system, inputs, result);
    const std::vector<std::vector<RestPiece>> sets = joined(found.pieces);
    const auto alone = [&](const RestBox& box) {
      return std::ranges::none_of(sets, [&](const auto& set) { return lies_in(box, set); });
    };
    for (const RestBox& box : found.states)
      if (alone(box)) result.points.push_back(point_in(box, inputs));
    for (const auto& [box, holds] : found.doubts) {
      if (!alone(box)) continue;
      result.complete = result.complete_in_box = false;
      if (!holds) continue;
      result.points.push_back(point_in(box, inputs));
      doubt(result.points.back());
    }
    for (const auto& set : sets) {
      result.points.push_back(point_of(set, inputs));
      if (!result.points.back().set.empty() || !set.front().jumping.empty()) continue;
      result.complete = result.complete_in_box = false;
      doubt(result.points.back());
    }
    std::erase_if(result.points, [&](const OperatingPoints::Point& point) { return !in_box(point); });
    const auto key = [&](const OperatingPoints::Point& point) {
      std::vector<double> all;
      for (const auto* names : {&signals_, &inputs_})
        for (const std::string& signal : *names) all.push_back(point.signals.at(signal));
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

  /// Within the sides that are stated, and for the others as far as states may lie; where that is not known, in growing boxes.
  RestFound searched(const RestSystem& system, const std::vector<double>& inputs, OperatingPoints& result) const {
    for (const auto* names : {&signals_, &inputs_})
      for (const std::string& signal : *names)
        if (const auto stated = question_.box.find(signal); stated != question_.box.end()) result.box.insert(*stated);
    RestBox sides;
    bool open = false;
    for (std::size_t i = 0; i < form_.arguments.size(); ++i) {
      const auto stated = question_.box.find(name(form_, i));
      const bool is_stated = stated != question_.box.end() && !form_.arguments[i].rate;
      open = open || !is_stated;
      sides.push_back(is_stated ? Bounds{stated->second.first, stated->second.second} : Bounds::everything());
    }
    const auto within = [&](double reach) {
      RestBox box = sides;
      for (Bounds& side : box)
        if (!std::isfinite(side.width())) side = {-reach, reach};
      return box;
    };
    const auto reach = open ? rest_reach(equations_, form_, far_laws_, inputs, sides, question_.budget) : std::optional(0.0);
    if (reach) {
      RestFound found = search_rest(system, laws_, open ? within(*reach) : sides, most_boxes_, question_.budget);
      result.complete = result.complete_in_box = found.whole;
      return found;
    }
    return searched_outwards(system, within, result);
  }

  template <class Within>
  RestFound searched_outwards(const RestSystem& system, const Within& within, OperatingPoints& result) const {
    constexpr std::size_t most_states = 100;  // a periodic law has as many as are asked for
    RestFound found;
    double reached = 0;
    std::size_t left = most_boxes_;
    const auto ends_at = [&](double reach) {  // sets without end
      return std::ranges::any_of(found.pieces, [&](const RestPiece& piece) {
        return std::ranges::any_of(piece.box, [&](const Bounds& side) { return side.low == -reach || side.high == reach; });
      });
    };
    for (const double reach : {10.0, 1e3, 1e6, 1e9, 1e12}) {
      RestFound next = search_rest(system, laws_, within(reach), left, question_.budget);
      left -= std::min(left, next.boxes);
      const std::size_t states = next.states.size() + next.pieces.size();
      const bool any = !found.states.empty() || !found.pieces.empty();
      if (reached > 0 && any && (states > most_states || !next.whole)) {
        if (!next.whole) add_others(found, next);
        break;
      }
      found = std::move(next);
      reached = reach;
      if (!found.whole || states > most_states || (reach >= 1e6 && ends_at(reach))) break;
    }
    result.complete_in_box = found.whole;
    if (constexpr double far = 1e6; !found.whole && reached < far) {  // starts of Newton's method further away
      add_others(found, search_rest(system, laws_, within(far), 0, question_.budget));
      reached = far;
    }
    for (std::size_t i = 0; i < form_.arguments.size(); ++i)
      if (!form_.arguments[i].rate) result.box.try_emplace(name(form_, i), -reached, reached);
    return found;
  }

  /// States further away that a search met which did not end.
  void add_others(RestFound& found, const RestFound& further) const {
    for (const RestBox& state : further.states)
      if (std::ranges::none_of(found.states, [&](const RestBox& known) { return near(known, state); }))
        found.states.push_back(state);
  }

  OperatingPoints::Point point_in(const RestBox& box, const std::vector<double>& inputs) const {
    std::vector<double> arguments, f(form_.laws.size());
    for (const Bounds& side : box) arguments.push_back(side.contains(0) ? 0 : middle(side));
    laws_.values({arguments, 0}, f);
    OperatingPoints::Point point{signals_at(arguments, f, inputs)};
    say(point, rest_stability(form_, laws_, linear_, arguments));
    if (question_.sensitivities) point.derivatives = rest_sensitivities(form_, inputs, arguments, trim_);
    return point;
  }

  /// The middle of a set, with its ranges.
  OperatingPoints::Point point_of(const std::vector<RestPiece>& set, const std::vector<double>& inputs) const {
    const auto [chosen, middle] = middle_of(set);
    const auto halves = [&](const Eigen::VectorXd& z) {
      const std::size_t n = form_.arguments.size();
      const double* data = z.data();
      return std::pair(std::vector<double>(data, data + n), std::vector<double>(data + n, data + z.size()));
    };
    const auto [arguments, f] = halves(middle);
    OperatingPoints::Point point{signals_at(arguments, f, inputs)};
    // A double solution is as flat as a set within a speck.
    if (chosen->dimension > 0 && (!chosen->jumping.empty() || whole_extent(set) > 1e-6 * std::max(1.0, middle.norm())))
      for (const RestPiece& piece : set)
        for (const Eigen::VectorXd& corner : piece.corners) {
          const auto [a, g] = halves(corner);
          add_to_set(point, signals_at(a, g, inputs));
        }
    say(point, rest_stability(form_, laws_, linear_, arguments, chosen));
    return point;
  }

  /// Of lines the state nearest to the middle of them all, else the middle of the greatest piece.
  static std::pair<const RestPiece*, Eigen::VectorXd> middle_of(const std::vector<RestPiece>& set) {
    const RestPiece* greatest = &*std::ranges::max_element(set, {}, extent);
    if (std::ranges::any_of(set, [](const RestPiece& piece) { return piece.corners.size() > 2; }))
      return {greatest, greatest->centre()};
    Eigen::VectorXd low = set.front().corners.front(), high = low;
    for (const RestPiece& piece : set)
      for (const Eigen::VectorXd& corner : piece.corners) low = low.cwiseMin(corner), high = high.cwiseMax(corner);
    const Eigen::VectorXd middle = (low + high) / 2;
    std::pair<const RestPiece*, Eigen::VectorXd> best{greatest, greatest->centre()};
    for (const RestPiece& piece : set) {
      const Eigen::VectorXd &from = piece.corners.front(), along = piece.corners.back() - from;
      const double length = along.squaredNorm(), at = length > 0 ? std::clamp(along.dot(middle - from) / length, 0.0, 1.0) : 0;
      const Eigen::VectorXd point = from + at * along;
      if ((point - middle).norm() < (best.second - middle).norm()) best = {&piece, point};
    }
    const double small = 1e-9 * (high - low).norm();  // where an end was found to its last digits
    for (double& value : best.second) value = std::abs(value) < small ? 0 : value;
    return best;
  }

  /// Widens the ranges; ends are those of the first signal that varies by more than rounding.
  void add_to_set(OperatingPoints::Point& point, const std::map<std::string, double>& state) const {
    for (const auto& [signal, value] : state) {
      const auto [range, added] = point.set.try_emplace(signal, value, value);
      range->second = {std::min(range->second.first, value), std::max(range->second.second, value)};
    }
    point.ends.resize(2, state);
    for (const auto* names : {&signals_, &inputs_})
      for (const std::string& signal : *names) {
        const auto [low, high] = point.set.at(signal);
        if (high - low <= 1e-9 * std::max(1.0, std::abs(low))) continue;
        if (state.at(signal) < point.ends[0].at(signal)) point.ends[0] = state;
        if (state.at(signal) > point.ends[1].at(signal)) point.ends[1] = state;
        return;
      }
  }

  /// Several states may meet there, or one may be missed by as much as doubles can tell.
  static void doubt(OperatingPoints::Point& point) { say(point, {{}, "it is not proven to be one state alone"}); }

  static void say(OperatingPoints::Point& point, RestStability found) {
    point.stable = found.stable;
    point.open = std::move(found.open);
  }

  /// A narrow box that belongs to a set: its end, where doubles cannot tell.
  static bool lies_in(const RestBox& box, const std::vector<RestPiece>& set) {
    constexpr double near = 1e-7;
    return std::ranges::any_of(set, [&](const RestPiece& piece) {
      for (std::size_t j = 0; j < box.size(); ++j) {
        const Bounds range = piece.range(static_cast<Eigen::Index>(j));
        const double at = middle(box[j]), by = near * std::max(1.0, std::abs(at));
        if (at < range.low - by || at > range.high + by) return false;
      }
      return true;
    });
  }

  static double whole_extent(const std::vector<RestPiece>& set) {
    double widest = 0;
    for (const RestPiece& piece : set)
      for (const Eigen::VectorXd& corner : piece.corners)
        widest = std::max(widest, (corner - set.front().corners.front()).norm());
    return widest;
  }

  static double extent(const RestPiece& piece) { return whole_extent({piece}); }

  std::map<std::string, double> signals_at(const std::vector<double>& arguments, const std::vector<double>& f,
                                           const std::vector<double>& inputs) const {
    std::map<std::string, double> signals;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (!form_.arguments[i].rate) signals[name(form_, i)] = arguments[i];
    for (std::size_t k = 0; k < form_.sinks.size(); ++k) {
      double value = 0;
      for (const auto& [i, c] : equations_.sinks[k].arguments) value += c.to_double() * arguments[i];
      for (const auto& [i, c] : equations_.sinks[k].laws) value += c.to_double() * f[i];
      for (const auto& [i, c] : equations_.sinks[k].sources) value += c.to_double() * inputs[i];
      signals[form_.linear[form_.sinks[k]].name] = value;
    }
    return signals;
  }

  bool in_box(const OperatingPoints::Point& point) const {
    return std::ranges::all_of(question_.box, [&](const auto& side) {
      const auto signal = point.signals.find(side.first);
      return signal == point.signals.end() || (side.second.first <= signal->second && signal->second <= side.second.second);
    });
  }

  const RestQuestion& question_;
  RestTrim trim_;
  PrincipalForm form_;
  ExactDynamics exact_;
  RestEquations equations_;
  CompiledLaws laws_;
  numeric::Tape far_laws_;
  std::size_t most_boxes_ = 0;
  Dynamics linear_;
  std::vector<std::string> signals_, inputs_;
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
  if (question.wanted.size() != question.freed.size())
    throw std::invalid_argument("operating_points: as many wanted values as freed inputs");
  std::vector<NodeId> sources = graph.stated_inputs();
  for (const NodeId input : question.freed)
    if (std::ranges::find(sources, input) == sources.end()) sources.push_back(input);
  for (const auto& constants : cases)
    for (const auto& [node, value] : constants)
      if (std::ranges::find(sources, node) == sources.end()) sources.push_back(node);
  const GraphAtRest rest(graph, sources, question);
  std::vector<OperatingPoints> found;
  for (const auto& constants : cases) found.push_back(rest.at(constants));
  return found;
}

std::vector<std::string> OperatingPoints::shown() const {
  std::vector<std::string> all = signals;
  all.insert(all.end(), inputs.begin(), inputs.end());
  return all;
}

std::vector<std::map<std::string, double>> shown_states(const OperatingPoints::Point& point) {
  if (point.ends.empty()) return {point.signals};
  constexpr int steps = 40;
  std::vector<std::map<std::string, double>> along(steps + 1, point.ends[0]);
  for (int k = 0; k <= steps; ++k)
    for (auto& [signal, value] : along[static_cast<std::size_t>(k)]) value += (point.ends[1].at(signal) - value) * k / steps;
  return along;
}

LinearizationPoint linearization_point(const OperatingPoints::Point& point) {
  LinearizationPoint result;
  for (const auto& [signal, value] : point.signals) result.emplace(signal, decimal_rational(value));
  return result;
}

}  // namespace sfg
