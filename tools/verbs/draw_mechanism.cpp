#include "tools/verbs/draw_mechanism.hpp"

#include <algorithm>
#include <map>

#include "sfg/draw/bodies/mechanism_picture.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/multibody/mechanism_position.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/derive_multibody.hpp"

namespace sfg::command {

int draw_mechanism(Task& task, PictureFormat format, const PictureOptions& options) {
  const Arguments& arguments = task.arguments;
  if (arguments.has("layout")) throw UsageError("--layout is about a graph", "leave it out");
  refuse_any(arguments, {"from", "to"}, " has no meaning in a mechanism");
  for (const char* option : {"numbers", "variable"})
    if (arguments.has(option))
      task.notes.push_back({{},
                            std::string("--") + option + " makes no difference to a mechanism in its position",
                            "leave it out",
                            Severity::remark});
  if (format == PictureFormat::dot)
    throw NoAnswer("a mechanism is no graph, so that there is no DOT of it", "write .svg, .png, .pdf, .eps or .tex");
  const std::map<std::string, double> state = state_of(arguments);
  if (arguments.has("mode") && !state.empty())
    throw UsageError("a mode is about the equilibrium, not about a given state", "leave out --state or --mode");
  const Subject subject = subject_of(task);
  if (!subject.bodies())
    throw UsageError("--as mechanism is of a multibody model", "leave it out, or state the model as [multibody]");
  const auto& model = *subject.bodies();
  task.working("deriving the equations");
  const MultibodyEquations equations = subject.body_equations();
  Mechanism shown = mechanism(model);
  task.working("drawing");
  if (!arguments.has("mode")) {
    const std::vector<double> position =
        as_usage_without_place([&] { return mechanism_position(model, equations, state, &task.notes, task.budget); });
    task.out << picture(mechanism_picture(shown, MechanismPoses(model, equations)(position), {}, options), format, options);
    return 0;
  }
  const MechanismMode mode =
      mechanism_mode(model, equations, static_cast<std::size_t>(arguments.count("mode", 1)), 0.12, task.budget);
  shown.title += (shown.title.empty() ? "mode " : ", mode ") + arguments.text("mode") + " of " + std::to_string(mode.count);
  task.out << picture(mechanism_picture(shown, mode.ends[0], std::vector{mode.ends[1], mode.rest}, options), format, options);
  task.notes.push_back(
      {{},
       "mode " + arguments.text("mode") + ": " + print(mode.frequency) + " rad/s, damping ratio " + print(mode.damping),
       {},
       Severity::note});
  return 0;
}

std::vector<Option> mechanism_options() {
  return {{"--state",
           "NAME=VALUE",
           "mechanism: the position, coordinates by name (default: the equilibrium, the assembly, 0)",
           Option::Kind::text,
           {},
           true},
          {"--mode", "K", "mechanism: swinging in its mode K about the equilibrium", Option::Kind::count}};
}

std::vector<std::string> coordinates_of(const MultibodyEquations& equations) {
  std::vector<std::string> names;
  for (const auto& coordinate : equations.motion.coordinates) names.push_back(coordinate.name);
  return names;
}

void write_moving_mechanism(Task& task, const Subject& subject, const MultibodyEquations& equations, const MechanismRun& run) {
  const auto& model = *subject.bodies();
  const std::string extension = extension_of(task.arguments.text("output"));
  const std::map<std::string, PictureFormat> formats{{"svg", PictureFormat::svg},
                                                     {"png", PictureFormat::png},
                                                     {"pdf", PictureFormat::pdf},
                                                     {"eps", PictureFormat::eps},
                                                     {"tex", PictureFormat::tex}};
  if (extension != "html" && extension != "htm" && !formats.contains(extension))
    throw UsageError("--as mechanism writes an animation or a picture",
                     "add -o motion.html, or -o motion.svg (.png, .pdf, .eps, .tex)");
  const MechanismPoses pose_of(model, equations);
  std::vector<MechanismPose> poses;
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    std::vector<double> q;
    for (const NamedResponse& signal : run.signals) q.push_back(signal.value.value[k]);
    poses.push_back(pose_of(q, run.time[k]));
  }
  task.working("drawing");
  const Mechanism shown = mechanism(model);
  const PictureOptions options{.theme = theme_of(task.arguments), .budget = task.budget, .notes = &task.notes};
  if (!formats.contains(extension)) {
    task.out << mechanism_animation(shown, run.time, poses, options);
    return;
  }
  constexpr std::size_t most_ghosts = 8;
  std::vector<MechanismPose> ghosts;
  for (std::size_t i = most_ghosts; i > 0; --i) ghosts.push_back(poses[(poses.size() - 1) * i / most_ghosts]);
  task.out << picture(mechanism_picture(shown, poses.front(), ghosts), formats.at(extension), options);
}

}  // namespace sfg::command
