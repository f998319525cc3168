#include <algorithm>

#include "sfg/derive/lagrange.hpp"
#include "sfg/derive/multibody/linear_motion.hpp"
#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/polar/polar_derivation.hpp"
#include "sfg/draw/blocks/block_diagram.hpp"
#include "sfg/draw/bodies/mechanism_picture.hpp"
#include "sfg/draw/polar_picture.hpp"
#include "sfg/expr/decimal_fraction.hpp"
#include "sfg/multibody/mechanism.hpp"
#include "sfg/multibody/mechanism_position.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/write/derivation.hpp"
#include "sfg/write/motion/motion.hpp"

namespace sfg {

namespace {

constexpr double quickly = 3;  ///< seconds for what a section could do without

/// Equations that would fill many pages are not printed.
std::vector<ReportPart> of_system(const EquationSystem& system, const std::string& introduction) {
  constexpr std::size_t most = 40;
  std::vector<ReportPart> parts{remark(introduction)};
  if (system.unknowns.size() > most) {
    parts.push_back(remark("They are " + std::to_string(system.unknowns.size()) +
                           " equations, too many for a report: the command of this section writes them."));
    return parts;
  }
  parts.push_back(fitting(page(system, assignment(system))));
  return parts;
}

class EquationsOf {
 public:
  explicit EquationsOf(ReportWork& work) : work_(work) {}

  std::vector<ReportPart> operator()(const EquationSystem& system) {
    return of_system(system, "The stated equations, and what each is solved for.");
  }

  std::vector<ReportPart> operator()(const Lagrangian& model) {
    std::vector<ReportPart> parts;
    if (model.equilibrium) {
      parts.push_back(remark("The equations of motion as they follow from the energies, nothing linearised."));
      parts.push_back(fitting(page(equations_of_motion(model, work_.budget()))));
      parts.push_back(remark("Linearised at the equilibrium; everything that follows is of these equations."));
      work_.gives({.verb = "derive", .options = {"--as", "motion"}});
    }
    parts.push_back(fitting(page(lagrange_equations(model, work_.budget()))));
    return parts;
  }

  std::vector<ReportPart> operator()(const Circuit&) {
    return of_system(work_.subject().subject.about({}).equations(),
                     "The equations of the circuit by Kirchhoff's laws, and what each is solved for.");
  }

  std::vector<ReportPart> operator()(const PolarNetwork& network) {
    const PolarDerivation derivation = polar_derivation(network, work_.budget());
    std::vector<ReportPart> parts;
    for (const auto& [stage, name, caption] : {std::tuple(PolarStage::graph, "polar", "The polar graph: an edge an element"),
                                               std::tuple(PolarStage::tree, "tree", "The Lagrange tree, bold, and its chords")}) {
      parts.push_back(picture_part(polar_picture(derivation.graph, stage), caption));
      work_.gives({.verb = "draw", .options = {"--as", name}, .picture = name});
    }
    parts.push_back(fitting(page(derivation)));
    return parts;
  }

  std::vector<ReportPart> operator()(const Multibody& model) {
    const MultibodyEquations equations = multibody_equations(model, {}, work_.budget());
    std::vector<ReportPart> parts = mechanism_of(model, equations);
    MultibodyAnswer answer{equations, {}, {}};
    constexpr std::size_t small_model = 12;
    const bool small = equations.motion.speeds.size() <= small_model;
    if (small) try {
        answer.small = linearized(model, equations, work_.budget());
      } catch (const Failure& failure) {
        work_.budget().check("the equations of small motions");
        parts.push_back(remark(std::string("There are no equations of small motions: ") + failure.what() + "."));
      }
    constexpr std::size_t most = 250;
    if (equations.motion.definitions.size() > most)
      parts.push_back(remark("The equations of motion M v' = F have " + std::to_string(equations.motion.speeds.size()) +
                             " speeds and " + std::to_string(equations.motion.definitions.size()) +
                             " definitions, too many for a report: the command of this section writes them."));
    else
      parts.push_back(fitting(page(answer)));
    if (!small)
      for (ReportPart& part : of_system(work_.subject().subject.about({}).equations(),
                                        "Of small motions, linearised; everything that follows is of these equations."))
        parts.push_back(std::move(part));
    return parts;
  }

  std::vector<ReportPart> operator()(const Joined&) {
    return of_system(work_.subject().subject.about({}).equations(),
                     "The equations of the parts side by side, and one for every signal that branches enter.");
  }

 private:
  std::vector<ReportPart> mechanism_of(const Multibody& model, const MultibodyEquations& equations) {
    try {
      const std::vector<double> position = mechanism_position(model, equations, {}, nullptr, work_.share(quickly));
      ReportPart part = picture_part(mechanism_picture(mechanism(model), MechanismPoses(model, equations)(position)),
                                     "The mechanism in its position");
      work_.gives({.verb = "draw", .options = {"--as", "mechanism"}, .picture = "mechanism"});
      return {std::move(part)};
    } catch (const Failure& failure) {
      work_.budget().check("the picture of the mechanism");
      return {remark(std::string("There is no picture of the mechanism: ") + failure.what() + ".")};
    }
  }

  ReportWork& work_;
};

/// The structural diagram, a row a coordinate, of what has few of them.
std::vector<ReportPart> diagram(ReportWork& work) {
  constexpr std::size_t most_branches = 60;
  if (work.loop()) return {};
  const SignalFlowGraph& graph = work.graph();
  if (!graph.linear() || graph.branches().size() > most_branches) return {};
  const EquationSystem shown = work.subject().subject.about({}).shortest_equations();
  BlockDiagramOptions options{.decimals = decimals_in(work.subject().text), .budget = work.share(quickly)};
  for (const EquationSystem::Unknown& unknown : shown.unknowns) options.coordinates.push_back(unknown.name);
  try {
    ReportPart part = picture_part(block_diagram(graph, options), "The structural diagram: a row a coordinate");
    work.gives({.verb = "draw", .options = {"--as", "blocks"}, .picture = "blocks"});
    return {std::move(part)};
  } catch (const Failure&) {
    work.budget().check("the structural diagram");  // a picture beside the equations: without it they are as complete
    return {};
  }
}

}  // namespace

std::vector<ReportPart> equations_section(ReportWork& work) {
  const Model* model = work.model();
  if (model == nullptr) return {};
  work.gives({.verb = "derive"});
  std::vector<ReportPart> parts = std::visit(EquationsOf(work), *model);
  for (ReportPart& part : diagram(work)) parts.push_back(std::move(part));
  return parts;
}

}  // namespace sfg
