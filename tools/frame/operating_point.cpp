#include "tools/frame/operating_point.hpp"

#include <filesystem>

#include "sfg/read/input_at_point.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

namespace {

std::optional<SimulatorPoint> operating_point(const Arguments& arguments, const std::string& input, InputFormat format) {
  const std::string file = arguments.text("operating-point");
  if (file.empty()) return {};
  if (format != InputFormat::spice)
    throw UsageError("--operating-point is of netlists, and '" + input + "' is none", "leave it out");
  if (file == "-" && arguments.input() == "-")
    throw UsageError("standard input is the model, and brings no operating point", "name a file behind --operating-point");
  return read_simulator_point(text_of_input(file), file == "-" ? "<stdin>" : file);
}

}  // namespace

Input read_given(const Arguments& arguments, std::string_view text, InputFormat format, const std::string& name) {
  const std::optional<SimulatorPoint> point = operating_point(arguments, name, format);
  return point ? read(text, format, name, {}, *point) : read(text, format, name);
}

Input read_text(const Arguments& arguments, std::string_view text, const std::string& file, std::optional<InputFormat> format) {
  const std::optional<SimulatorPoint> point = operating_point(arguments, file, format ? *format : format_of(file));
  return point ? read_as_file(text, file, format, *point) : read_as_file(text, file, format);
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

NetlistBlocks netlist_blocks(const Arguments& arguments, const StatedInput& stated, const std::vector<std::string>& asked,
                             bool all, Input& input) {
  const std::optional<SimulatorPoint> point = operating_point(arguments, stated.name, stated.format);
  const FileBeside beside = [&](const std::string& name) {
    return text_of_file((std::filesystem::path(stated.name).parent_path() / name).string());
  };
  return read_netlist_blocks(stated.text, stated.name, asked, all, &input.notes, stated.given ? FileBeside() : beside,
                             point ? &*point : nullptr, &input.analyses);
}

}  // namespace sfg::command
