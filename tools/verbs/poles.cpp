#include "sfg/control/poles.hpp"

#include <algorithm>
#include <map>
#include <numbers>

#include "sfg/control/modes.hpp"
#include "sfg/exact/rational_polynomial.hpp"
#include "sfg/graph/from_equations.hpp"
#include "sfg/plot/figures.hpp"
#include "sfg/write/poles.hpp"
#include "sfg/write/study/sweep.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/sweep.hpp"

namespace sfg::command {

namespace {

using Poles = std::vector<PolesZeros>;

/// Of a set; of several inputs and outputs also what they are as one.
struct Answers {
  Poles each;
  std::optional<TransmissionZeros> matrix = {};

  const TransmissionZeros* as_one() const { return matrix ? &*matrix : nullptr; }
};

std::vector<Poles> each_of(const std::vector<Answers>& found) {
  std::vector<Poles> all;
  for (const Answers& answers : found) all.push_back(answers.each);
  return all;
}

/// Shapes are found from roots with more digits than are shown.
std::size_t digits_of(const Arguments& arguments) {
  constexpr std::size_t for_shapes = 40;
  const std::size_t digits = arguments.count("digits", 17);
  return arguments.has("modes") ? std::max(digits, for_shapes) : digits;
}

bool asks_for_transfer(const Arguments& arguments) {
  return std::ranges::any_of(std::array{"from", "to", "ratio", "inject", "pade", "break", "ratio-of"},
                             [&](const char* option) { return arguments.has(option); });
}

/// The equations of a set; of a model with laws, those of its linearised graph.
EquationSystem equations_of(SweptInput& input, std::size_t set) {
  if (input.model())
    if (const EquationSystem& own = input.substituted(set).equations(); own.laws.empty()) return own;
  return to_equations(input.graph(set), 0);  // every node is a signal
}

/// Of a mechanism: the coordinates, dependent ones among them; small rotations for the parts of a quaternion, and no inputs.
void show_displacements(PolesZeros& poles, const Subject& subject, const EquationSystem& equations) {
  const auto* bodies = subject.bodies();
  if (!bodies || poles.signals.empty()) return;
  std::vector<std::string> names;
  for (const auto& unknown : equations.unknowns)
    if (!bodies->control.contains(unknown.name)) names.push_back(unknown.name);
  std::vector<std::string> coordinates = bodies->coordinate_names();
  for (const auto& joint : bodies->joints)
    if (joint.speeds.size() >= 3)
      for (std::size_t i = joint.coordinates.size() - 4; i < joint.coordinates.size(); ++i)
        std::erase(coordinates, joint.coordinates[i]);
  for (const auto& definition : equations.definitions)
    if (std::ranges::count(coordinates, definition.name)) names.push_back(definition.name);
  choose_signals(poles, equations, names);
}

/// Of the transfer functions asked for; of the whole model when none is.
Answers poles_of(Task& task, SweptInput& input, std::size_t set) {
  const std::size_t digits = digits_of(task.arguments);
  const bool modes = task.arguments.has("modes"), steady = input.sweep().empty();
  if (!asks_for_transfer(task.arguments) && input.model()) {
    if (task.arguments.has("sample-time"))
      throw UsageError("--sample-time is of a graph in z, and these are the poles of a whole model",
                       "leave it out, or add --from and --to");
    const EquationSystem equations = equations_of(input, set);
    if (steady) task.working("finding the characteristic polynomial");
    PolesZeros whole = sfg::poles(equations, {.digits = digits, .shapes = modes, .budget = task.budget});
    show_displacements(whole, input.subject(), equations);
    return {{std::move(whole)}};
  }
  const SignalFlowGraph graph = input.graph(set);
  Answers found;
  const std::vector<ExactTransfer> transfers = input.transfers(set);
  for (const ExactTransfer& transfer : transfers) found.each.push_back(poles_zeros(transfer, digits));
  found.matrix = transmission_zeros(graph, questions_of(task.arguments, graph), transfers,
                                    {.digits = task.arguments.count("digits", 17), .budget = task.budget});
  if (!modes) return found;
  if (task.arguments.has("pade"))
    throw UsageError("--modes are those of the model, and Padé approximants are not in it", "leave out --modes or --pade");
  const EquationSystem equations = equations_of(input, set);
  for (PolesZeros& poles : found.each) {
    add_shapes(poles, equations, task.budget);
    show_displacements(poles, input.subject(), equations);
  }
  return found;
}

/// The lines of Campbell's diagram, and what one unit of the speed is.
Orders orders_of(const Arguments& arguments, const SweptInput& input) {
  if (input.sweep().parameters().size() != 1)
    throw UsageError("--orders are of a sweep over one parameter, the speed",
                     "add --sweep SPEED=LO:HI:N, and nothing else swept");
  Orders orders{.unit = input.unit_of(input.sweep().parameters().front().name)};
  static const std::map<std::string, double> units{{"Hz", 2 * std::numbers::pi},        {"1/s", 1.0},
                                                   {"rpm", std::numbers::pi / 30},      {"1/min", std::numbers::pi / 30},
                                                   {"deg/s", std::numbers::pi / 180.0}, {"rad/s", 1.0}};
  if (const auto known = units.find(orders.unit); known != units.end()) orders.per_unit = known->second;
  if (orders.unit.empty()) orders.unit = "rad/s";
  std::string word;
  for (const char c : arguments.text("orders") + ",") {
    if (c != ',') {
      word += c;
      continue;
    }
    orders.orders.push_back(positive_value_of("--orders", word).to_double());
    word.clear();
  }
  return orders;
}

Figure pole_figure_of(const Arguments& arguments, const SweptInput& input, const std::vector<Poles>& found) {
  const FigureOptions options{.hertz = arguments.has("hz"), .sets = input.sets_of_curves(found.front().size())};
  if (arguments.has("orders")) {
    if (found.front().size() > 1)
      throw UsageError("--orders are of one transfer function, or of the whole model", "name it by --from and --to");
    return campbell_figure(joined(found), input.sweep(), orders_of(arguments, input), options);
  }
  if (!input.sweep().empty()) return pole_paths_figure(joined(found), input.sweep(), options);
  if (arguments.has("modes")) return mode_figure(found.front().front(), options);
  return pole_figure(found.front(), options);
}

int run_poles(Task& task) {
  const Answer answer = answer_of(task.arguments, curves);
  if (task.arguments.has("orders") && answer != Answer::picture)
    throw UsageError("--orders are lines of a picture, and no picture is written", "add -o campbell.svg (or .png, .pdf)");
  if (task.arguments.has("modes") && answer == Answer::csv)
    throw UsageError("the table has no place for shapes", "leave --modes out, or ask for JSON or a picture");
  if (task.arguments.has("digits") && answer == Answer::picture)
    throw UsageError("--digits is of numbers, and a picture has none", "leave it out");
  SweptInput input(task);
  if (task.arguments.has("orders")) orders_of(task.arguments, input);
  const std::vector<Answers> found = input.each([&](std::size_t set) { return poles_of(task, input, set); });
  const PolesColumns columns{.digits = task.arguments.count("digits", 17), .hertz = task.arguments.has("hz")};
  if (answer == Answer::json)
    write_json(task.out, input.sweep(),
               [&](std::ostream& out, std::size_t set) { write_json(out, found[set].each, columns, found[set].as_one()); });
  else if (answer == Answer::csv)
    write_csv(task.out, input.sweep(),
              [&](std::ostream& out, std::size_t set) { write_csv(out, found[set].each, columns, found[set].as_one()); });
  else if (answer == Answer::picture)
    put(task, pole_figure_of(task.arguments, input, each_of(found)));
  else
    show(task, page(input.sweep(), [&](std::size_t set) { return page(found[set].each, columns, found[set].as_one()); }));
  return 0;
}

}  // namespace

Verb poles() {
  return {.name = "poles",
          .summary = "poles, zeros, gain, natural frequencies and damping ratios",
          .details =
              "Roots are certified: every digit shown is correct, for multiple and clustered ones too. Of a model without --from "
              "and --to, the poles of the whole model; else of the transfer function in lowest terms, and cancelled modes are "
              "named; of several inputs and outputs also the zeros of their matrix, exactly (Smith-McMillan). Frequency and "
              "damping of a pole in z "
              "are those of ln(z)/h. A picture of a sweep shows the paths of the poles, with --orders Campbell's diagram.",
          .options = {formerly("--precision", {"--digits", "N", "correct digits (default 17)", Option::Kind::count}),
                      {"--modes", "", "with the shape of every mode in the coordinates; in a picture the shapes alone"},
                      loop_options().front(),
                      loop_options().back(),
                      ratio_option(),
                      {"--hz", "", "frequencies in Hz; JSON keeps rad/s"},
                      sweep_option(),
                      {"--orders", "N1,N2", "of a sweep over a speed: Campbell's diagram with these multiples of the speed"},
                      sample_time_option(),
                      pade_option(),
                      notation_option(),
                      width_option(),
                      theme_option(),
                      dark_option()},
          .examples = {"sfg poles examples/vehicle.toml", "sfg poles examples/vehicle.toml --from z1 --to Z --digits 40",
                       "sfg poles graph.dot -o poles.svg", "sfg poles examples/vehicle.toml --modes -o modes.svg",
                       "sfg poles examples/rotor.toml --sweep Om=0:600:61 --orders 1,2 -o campbell.svg"},
          .run = run_poles,
          .of_values = true};
}

}  // namespace sfg::command
