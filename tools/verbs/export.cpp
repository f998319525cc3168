// export: models as programs for others. A target is a row of the table and a file beside this one.
#include "tools/verbs/export.hpp"

#include <algorithm>
#include <array>

#include "sfg/export/targets.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

constexpr std::array targets{
    Target{"analog", export_analog},
    Target{"c", export_c},
    Target{"cpp", export_cpp},
    Target{"csv", [](Task& task) { return export_program(task, {.laws = true, .questions = false}, write_branch_list); }},
    Target{"fmu", [](Task& task) { return export_program(task, {.samples = true}, write_functional_mockup_unit); }},
    Target{"graphml", [](Task& task) { return export_program(task, {.laws = true, .questions = false}, write_graphml_file); }},
    Target{"html-snippet", [](Task& task) { return export_program(task, {.laws = true}, write_html_snippet); }},
    Target{"json", [](Task& task) { return export_program(task, {.laws = true}, write_json_export); }},
    Target{"latex", [](Task& task) { return export_program(task, {.laws = true}, write_latex_document); }},
    Target{"maxima", [](Task& task) { return export_program(task, {.samples = true}, write_maxima_program); }},
    Target{"modelica", [](Task& task) { return export_program(task, {.laws = true, .samples = true}, write_modelica_model); }},
    Target{"octave", [](Task& task) { return export_code(task, write_octave, write_octave_program); }},
    Target{"python", [](Task& task) { return export_code(task, write_python, write_python_program); }},
    Target{"scilab", [](Task& task) { return export_program(task, {.laws = true, .samples = true}, write_scilab_program); }},
    Target{"simulink", [](Task& task) { return export_program(task, {.laws = true}, write_simulink_model); }},
    Target{"spice", [](Task& task) { return export_program(task, {.laws = true, .samples = true}, write_spice_netlist); }},
    Target{"substitution", export_substitution},
    Target{"substitution-indexed", export_indexed_substitution},
    Target{"verilog", [](Task& task) { return export_program(task, {.samples = true}, write_verilog_module); }},
    Target{"verilog-a", [](Task& task) { return export_program(task, {.laws = true, .samples = true}, write_verilog_a_module); }},
};

/// Options of the one kind of target do not change the other.
void refuse_options_of(const Arguments& arguments, const std::vector<Option>& options, const char* of) {
  for (const Option& option : options)
    if (arguments.has(option.name.substr(2))) throw UsageError(option.name + " is about " + of, "leave it out");
}

int run_export(Task& task) {
  if (!task.arguments.has("target")) {
    std::string names;
    for (const Target& target : targets) names += (names.empty() ? "" : ", ") + std::string(target.name);
    throw UsageError("it is not said what is exported", "add --target " + names);
  }
  const std::string name = task.arguments.text("target");
  const bool substitutions =
      name.starts_with("substitution") || name == "c" || name == "cpp" || name == "octave" || name == "python";
  if (!substitutions) refuse_options_of(task.arguments, substitution_options(), "lists of substitutions");
  if (name != "c" && name != "cpp") refuse_options_of(task.arguments, program_options(), "code in C");
  if (name != "analog") refuse_options_of(task.arguments, analog_options(), "an analog program");
  if (name != "analog" && name != "json" && task.arguments.has("json"))
    throw UsageError("--target " + name + " is no JSON", "leave --json out, or write --target json");
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
  std::vector<Option> options{{"--target", "T", "what the model becomes", Kind::choice, target_names()},
                              {"--name", "NAME", "of the model and of the files that its run writes (default: that of the file)"},
                              {"--freq", "LO:HI:N", "frequencies of the file's own table, rad/s (default: those of bode)"},
                              {"--hz", "", "frequencies in Hz in --freq"},
                              {"--sample-time", "H",
                               "of a model in z, s (default: what the file states, else 1); of another one for verilog and "
                               "--fixed: its input is held that long"},
                              {"--netlist",
                               "KIND",
                               "analog, in a netlist: user's units (user), machine units (machine), or operational amplifiers",
                               Kind::choice,
                               {"user", "machine", "amplifiers"}}};
  for (std::vector<Option> more : {run_options(),
                                   program_options(),
                                   analog_options(),
                                   substitution_options(),
                                   loop_options(),
                                   {ratio_option(), notation_option(), width_option()}})
    options.insert(options.end(), more.begin(), more.end());
  return {
      .name = "export",
      .summary = "a model as a program, netlist, document or table for others",
      .details =
          "analog: every branch is replaced by integrators, summers, inverters, coefficient potentiometers, multipliers and "
          "function generators; amplitudes are scaled by --maximum, else by a run with the inputs of --input or [simulation] "
          "(a step of each input where none are stated), the time so that the gains of the integrators are near 1. The table "
          "goes to the terminal, .txt, .csv, .json; with -o x.cir a netlist that ngspice -b runs and that writes NAME_step.txt. "
          "substitution, substitution-indexed: M(x) v' = F of a [multibody] model as Mráz's lists of named intermediate results, "
          "by names or as the arrays sub, kon (constants), X (states); such a list (.sub, .idx) is an input, too, so that one "
          "form becomes the other. c, octave, python of a multibody model: functions NAME_M, NAME_F … with those substitutions. "
          "The other targets are of any model: programs that print their own step and frequency responses when they run, "
          "netlists, "
          "documents, tables. What a target cannot express is refused with the branch and a target that can.",
      .options = std::move(options),
      .examples = {"sfg export examples/hardening_masses.dot --target analog --input 'w=4*cos(13*t)' --until 20",
                   "sfg export examples/servo.dot --target analog -o servo.cir && ngspice -b servo.cir",
                   "sfg export examples/double_pendulum.toml --target substitution-indexed -o double_pendulum.idx",
                   "sfg export examples/double_pendulum.toml --target c -o pendulum.c",
                   "sfg export examples/vehicle.toml --target octave -o vehicle.m && octave-cli --norc vehicle.m"},
      .run = run_export,
      .refuses = {{"--ratio", "an analog program has signals for its inputs"}},
      .parameters = Parameters::kept};
}

}  // namespace sfg::command
