#include "tools/frame/operating_point.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/model/temperature.hpp"
#include "sfg/read/input_at_point.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

std::optional<SimulatorPoint> operating_point(const Arguments& arguments, const std::string& input, InputFormat format) {
  if (arguments.unread_copy().has("temperature") && format != InputFormat::spice && format != InputFormat::toml)
    throw UsageError("--temperature is of netlists, and '" + input + "' is none", "leave it out");
  const std::string file = arguments.text("operating-point");
  if (file.empty()) return {};
  if (format != InputFormat::spice)
    throw UsageError("--operating-point is of netlists, and '" + input + "' is none", "leave it out");
  if (file == "-" && arguments.input() == "-")
    throw UsageError("standard input is the model, and brings no operating point", "name a file behind --operating-point");
  return read_simulator_point(text_of_input(file), file == "-" ? "<stdin>" : file);
}

/// Whether words name the temperature, which is a parameter of the netlist then.
bool names_temperature(const Arguments& arguments) {
  const std::string parameter = temperature_parameter;
  for (const char* option : {"set", "sweep", "vary", "tolerance", "interval", "region", "in"})
    for (const std::string& text : arguments.list(option))
      if (text == parameter || text.starts_with(parameter + "=") || text.starts_with(parameter + ",") ||
          text.ends_with("," + parameter))
        return true;
  return false;
}

/// Numbers that --set and --temperature put in: the operating point is that of these.
std::map<std::string, GiNaC::numeric> set_values(const Arguments& unread) {
  std::map<std::string, GiNaC::numeric> values;
  for (const std::string& setting : unread.list("set")) {
    const std::size_t sign = setting.find('=');
    if (sign == std::string::npos) continue;
    try {
      values[setting.substr(0, sign)] = parse_number(setting.substr(sign + 1));
    } catch (const Error&) {  // an expression, or what is refused later
    }
  }
  try {
    if (unread.has("temperature")) values[temperature_parameter] = celsius_of(unread.text("temperature"));
  } catch (const Error&) {
  }
  return values;
}

/// The conditions of the words, and the points in them.
struct Conditions {
  std::optional<SimulatorPoint> point;
  SpiceRest rest = {};
  NetlistConditions of(const Arguments& arguments) {
    const Arguments unread = arguments.unread_copy();
    rest.values = set_values(unread);
    return {point ? &*point : nullptr, unread.has("temperature") || names_temperature(unread), &rest};
  }
};

/// What moves parameters leaves the point where it was found.
void note_point(Input& input, const SpiceRest& rest, const Arguments& unread) {
  if (!rest.found) return;
  std::string moving;
  for (const char* option : {"sweep", "vary", "tolerance", "interval", "region", "in"})
    if (moving.empty() && unread.has(option)) moving = option;
  for (const std::string& setting : unread.list("set"))
    if (moving.empty() && !rest.values.contains(setting.substr(0, setting.find('=')))) moving = "set " + setting;
  if (moving.empty()) return;
  input.notes.push_back({{},
                         "--" + moving + " leaves the operating point where the values of the netlist put it",
                         "set numbers, --set NAME=NUMBER or --temperature, which move it",
                         Severity::warning});
}

/// That nothing follows the temperature matters where it is not asked for the noise.
Input told(Input input, const Arguments& arguments) {
  const Arguments unread = arguments.unread_copy();
  const auto names_noise = [&](const char* option) {
    return std::ranges::any_of(unread.list(option), [](const auto& text) { return text.find("noise") != std::string::npos; });
  };
  const bool noise =
      arguments.verb() == "noise" || std::ranges::any_of(std::array{"measure", "spec", "minimize", "maximize"}, names_noise);
  std::erase_if(input.notes, [&](const Diagnostic& note) { return noise && note.message == nothing_follows_temperature; });
  return input;
}

FileBeside beside_of(const StatedInput& stated) {
  return [folder = std::filesystem::path(stated.name).parent_path()](const std::string& name) {
    return text_of_file((folder / name).string());
  };
}

}  // namespace

Input read_given(const Arguments& arguments, std::string_view text, InputFormat format, const std::string& name) {
  Conditions conditions{operating_point(arguments, name, format)};
  Input input = read(text, format, name, {}, conditions.of(arguments));
  note_point(input, conditions.rest, arguments.unread_copy());
  return told(std::move(input), arguments);
}

Input read_text(const Arguments& arguments, std::string_view text, const std::string& file, std::optional<InputFormat> format) {
  Conditions conditions{operating_point(arguments, file, format ? *format : format_of(file))};
  Input input = read_as_file(text, file, format, conditions.of(arguments));
  note_point(input, conditions.rest, arguments.unread_copy());
  return told(std::move(input), arguments);
}

std::vector<std::string> temperature_setting(Task& task) {
  const Arguments& arguments = task.arguments;
  if (!arguments.has("temperature")) return {};
  const std::string stated = arguments.text("temperature");
  const auto celsius = as_usage("--temperature", [&] { return celsius_of(stated); });
  const bool bare = std::string_view("CK").find(stated.back()) == std::string_view::npos && arguments.verb() != "noise";
  if (constexpr int arctic = -73; bare && celsius.to_double() < arctic)
    task.notes.push_back({{},
                          "--temperature " + stated + " is in kelvin: " + print(celsius.to_double()) + " degrees Celsius",
                          "write --temperature " + stated + "C for degrees Celsius",
                          Severity::warning});
  return {std::string(temperature_parameter) + "=" + print(celsius)};
}

StatedInput stated_input(Task& task) {
  const auto format = stated_format(task.arguments);
  task.working("reading");
  if (task.given != nullptr) return {std::string(task.given->text), task.given->name, format.value_or(InputFormat::dot), true};
  const std::string& file = task.arguments.input();
  StatedInput stated{text_of_input(file), file, format ? *format : format_of(file), file == "-"};
  if (stated.given) stated.name = "<stdin>";
  return stated;
}

std::optional<SpiceRest> solved_rest(Task& task, const StatedInput& stated) {
  const Arguments& arguments = task.arguments;
  if (stated.format != InputFormat::spice || arguments.unread_copy().has("operating-point")) return {};
  const Arguments unread = arguments.unread_copy();
  SpiceRest rest{.values = set_values(unread)};
  std::vector<Diagnostic> notes;
  read_spice(stated.text, stated.name, &notes, {}, nullptr, stated.given ? FileBeside() : beside_of(stated), nullptr,
             unread.has("temperature"), &rest);
  if (!rest.found) return {};
  for (Diagnostic& note : notes)
    if (note.severity != Severity::note) task.notes.push_back(std::move(note));
  return rest;
}

NetlistBlocks netlist_blocks(const Arguments& arguments, const StatedInput& stated, const std::vector<std::string>& asked,
                             bool all, Input& input) {
  const std::optional<SimulatorPoint> point = operating_point(arguments, stated.name, stated.format);
  SpiceRest rest{.values = set_values(arguments.unread_copy())};
  NetlistBlocks blocks =
      read_netlist_blocks(stated.text, stated.name, asked, all, &input.notes, stated.given ? FileBeside() : beside_of(stated),
                          point ? &*point : nullptr, &input.analyses, {}, &rest);
  note_point(input, rest, arguments.unread_copy());
  return blocks;
}

}  // namespace sfg::command
