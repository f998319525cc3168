// export: models as programs for others. A target is a row of the table and a file beside this one.
#include "tools/verbs/export.hpp"

#include <algorithm>
#include <array>

#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

constexpr std::array targets{Target{"analog", export_analog}};

int run(Task& task) {
  if (!task.arguments.has("target")) {
    std::string names;
    for (const Target& target : targets) names += (names.empty() ? "" : ", ") + std::string(target.name);
    throw UsageError("it is not said what is exported", "add --target " + names);
  }
  const std::string name = task.arguments.text("target");
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
      {"--target", "T", "what the model becomes: analog, the program of an analog computer", Kind::choice, target_names()},
      {"--name", "NAME", "of the model and of the files that its run writes (default: that of the file)"},
      {"--freq", "LO:HI:N", "frequencies, for targets with a frequency response (analog has none)"},
      {"--netlist",
       "KIND",
       "analog, in a netlist: user's units (user), machine units (machine), or operational amplifiers",
       Kind::choice,
       {"user", "machine", "amplifiers"}}};
  for (Option& option : analog_options()) options.push_back(std::move(option));
  for (Option& option : std::vector{notation_option(), width_option()}) options.push_back(std::move(option));
  return {
      .name = "export",
      .summary = "a model as a program for others: the analog computer program, ngspice",
      .details =
          "analog: every branch is replaced by integrators, summers, inverters, coefficient potentiometers, multipliers and "
          "function generators; amplitudes are scaled by --maximum, else by a run with the inputs of --input or [simulation] "
          "(a step of each input where none are stated), the time so that the gains of the integrators are near 1. The table "
          "goes to the terminal, .txt, .csv, .json; with -o x.cir a netlist that ngspice -b runs and that writes NAME_step.txt.",
      .options = std::move(options),
      .examples = {"sfg export examples/hardening_masses.dot --target analog --input 'w=4*cos(13*t)' --until 20",
                   "sfg export examples/servo.dot --target analog -o servo.cir && ngspice -b servo.cir"},
      .run = run,
      .refuses = {{"--ratio", "an analog program has signals for its inputs"}}};
}

}  // namespace sfg::command
