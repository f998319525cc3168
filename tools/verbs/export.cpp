// export: models as programs for others. A target is a row of the table and a file beside this one.
#include "tools/verbs/export.hpp"

#include <algorithm>
#include <array>

#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

constexpr std::array targets{Target{"analog", export_analog}, Target{"c", export_c}, Target{"octave", export_octave},
                             Target{"substitution", export_substitution},
                             Target{"substitution-indexed", export_indexed_substitution}};

/// Options of the one kind of target do not change the other.
void refuse_options(const Arguments& arguments, const std::vector<Option>& options, const char* of) {
  for (const Option& option : options)
    if (arguments.has(option.name.substr(2))) throw UsageError(option.name + " is about " + of, "leave it out");
}

int run(Task& task) {
  if (!task.arguments.has("target")) {
    std::string names;
    for (const Target& target : targets) names += (names.empty() ? "" : ", ") + std::string(target.name);
    throw UsageError("it is not said what is exported", "add --target " + names);
  }
  const std::string name = task.arguments.text("target");
  if (name == "analog")
    refuse_options(task.arguments, substitution_options(), "lists of substitutions");
  else
    refuse_options(task.arguments, analog_options(), "an analog program");
  return std::ranges::find(targets, name, &Target::name)->run(task);
}

std::vector<std::string> target_names() {
  std::vector<std::string> names;
  for (const Target& target : targets) names.emplace_back(target.name);
  return names;
}

}  // namespace

Verb export_model() {
  using Kind = Option::Kind;
  std::vector<Option> options{
      {"--target", "T",
       "what the model becomes: analog, the program of an analog computer; of a multibody model M and F: c and octave code, "
       "substitution and substitution-indexed, the lists of its intermediate results",
       Kind::choice, target_names()},
      {"--name", "NAME", "of the model and of the files that its run writes (default: that of the file)"},
      {"--freq", "LO:HI:N", "frequencies, for targets with a frequency response (analog has none)"},
      {"--netlist",
       "KIND",
       "analog, in a netlist: user's units (user), machine units (machine), or operational amplifiers",
       Kind::choice,
       {"user", "machine", "amplifiers"}}};
  for (Option& option : analog_options()) options.push_back(std::move(option));
  for (Option& option : substitution_options()) options.push_back(std::move(option));
  for (Option& option : std::vector{notation_option(), width_option()}) options.push_back(std::move(option));
  return {
      .name = "export",
      .summary = "a model as a program for others: the analog computer program, ngspice, C, Octave, lists of substitutions",
      .details =
          "analog: every branch is replaced by integrators, summers, inverters, coefficient potentiometers, multipliers and "
          "function generators; amplitudes are scaled by --maximum, else by a run with the inputs of --input or [simulation] "
          "(a step of each input where none are stated), the time so that the gains of the integrators are near 1. The table "
          "goes to the terminal, .txt, .csv, .json; with -o x.cir a netlist that ngspice -b runs and that writes NAME_step.txt. "
          "substitution, substitution-indexed: M(x) v' = F of a [multibody] model as Mráz's lists of named intermediate results, "
          "by names or as the arrays sub, kon (constants), X (states); such a list (.sub, .idx) is an input, too, so that one "
          "form "
          "becomes the other. c, octave: functions NAME_M, NAME_F … with those substitutions.",
      .options = std::move(options),
      .examples = {"sfg export examples/hardening_masses.dot --target analog --input 'w=4*cos(13*t)' --until 20",
                   "sfg export examples/servo.dot --target analog -o servo.cir && ngspice -b servo.cir",
                   "sfg export examples/double_pendulum.toml --target substitution-indexed -o double_pendulum.idx",
                   "sfg export examples/double_pendulum.toml --target c -o pendulum.c"},
      .run = run,
      .refuses = {{"--ratio", "an analog program has signals for its inputs"}}};
}

}  // namespace sfg::command
