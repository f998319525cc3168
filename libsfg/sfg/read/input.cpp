#include "sfg/read/input.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <istream>

#include "sfg/read/block_list.hpp"
#include "sfg/read/diagram.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/graphml.hpp"
#include "sfg/read/input_at_point.hpp"
#include "sfg/read/json.hpp"
#include "sfg/read/lagrange_script.hpp"
#include "sfg/read/printed_system.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/read/typed_diagram.hpp"
#include "sfg/read/yaml.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

SourceSpan whole(const std::string& file) {
  SourceSpan span;
  span.file = std::make_shared<const std::string>(file);
  return span;
}

[[noreturn]] void refuse(const std::string& file, const std::string& reason, const std::string& hint) {
  throw Error(whole(file), "cannot read '" + file + "': " + reason, hint);
}

std::string text_of(std::istream& in, const std::string& file) {
  std::string text;
  constexpr std::size_t step = std::size_t{1} << 16;
  while (in) {
    const std::size_t size = text.size();
    text.resize(size + step);
    in.read(text.data() + size, static_cast<std::streamsize>(step));
    text.resize(size + static_cast<std::size_t>(in.gcount()));
    if (text.size() > largest_file)
      refuse(file, "it is larger than " + std::to_string(largest_file >> 20) + " MiB", "split the model");
  }
  if (in.bad()) refuse(file, std::strerror(errno), "check the device");
  return text;
}

Input read_at(std::string_view text, InputFormat format, const std::string& file, const FileBeside& beside,
              const NetlistConditions& netlist) {
  if (netlist.point && format != InputFormat::spice)
    throw Error(whole(file), "operating points of a simulator are of netlists, and '" + file + "' is none",
                "leave the operating point out");
  Input input;
  input.format = format;
  std::vector<StatedUnit> units;
  switch (format) {
    case InputFormat::dot: input.content = read_dot(text, file, &input.notes); break;
    case InputFormat::json: input.content = read_json(text, file, &input.notes); break;
    case InputFormat::script: input.content = Model(read_lagrange_script(text, file, &input.notes)); break;
    case InputFormat::spice:
      input.content = Model(
          read_spice(text, file, &input.notes, {}, &input.analyses, beside, netlist.point, netlist.temperature, netlist.rest));
      break;
    case InputFormat::csv: input.content = read_block_list(text, file, &input.notes); break;
    case InputFormat::graphml: input.content = read_graphml(text, file, &input.notes); break;
    case InputFormat::sfg: input.content = read_typed_diagram(text, file, &input.notes); break;
    case InputFormat::simulink: input.content = read_simulink(text, file, &input.notes); break;
    case InputFormat::xcos: input.content = read_xcos(text, file, &input.notes); break;
    case InputFormat::yaml: input.content = read_yaml(text, file, &input.notes); break;
    case InputFormat::system: input.content = read_printed_system(text, file, &input.notes); break;
    case InputFormat::toml: {
      std::variant<SignalFlowGraph, Model> content =
          read_toml(text, file, &input.notes, &input.simulation, &units, beside, &input.latex);
      std::visit([&](auto& value) { input.content = std::move(value); }, content);
      break;
    }
  }
  input.dimensions = dimensions(input.content, units, input.simulation, text, file);
  input.notes.insert(input.notes.end(), input.dimensions.notes.begin(), input.dimensions.notes.end());
  return input;
}

Input read_file_text(std::string_view text, const std::string& path, std::optional<InputFormat> format,
                     const NetlistConditions& netlist) {
  if (path == "-") {
    if (!format) throw Error(whole("<stdin>"), "standard input has no name to tell its format from", Advice::name_format);
    return read_at(text, *format, "<stdin>", {}, netlist);
  }
  const FileBeside beside = [&](const std::string& name) {
    return text_of_file((std::filesystem::path(path).parent_path() / name).string());
  };
  if (!format) format = format_of(path);
  if (*format == InputFormat::script && path.ends_with(".txt") && is_printed_system(text)) format = InputFormat::system;
  return read_at(text, *format, path, beside, netlist);
}

}  // namespace

std::string text_of_file(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    refuse(path, error && error.value() != ENOENT ? error.message() : "there is no such file", "check the name");
  if (std::filesystem::is_directory(status)) refuse(path, "it is a folder", "name a file in it");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(path, std::strerror(errno ? errno : EIO), "check the rights of the file");
  return text_of(in, path);
}

Input read(std::string_view text, InputFormat format, std::string file, const FileBeside& beside) {
  return read_at(text, format, file, beside, {});
}

Input read(std::string_view text, InputFormat format, std::string file, const FileBeside& beside,
           const NetlistConditions& netlist) {
  return read_at(text, format, file, beside, netlist);
}

std::span<const FormatName> format_names() {
  static constexpr std::array<FormatName, 14> names{{{"toml", InputFormat::toml, ".toml"},
                                                     {"dot", InputFormat::dot, ".dot"},
                                                     {"m", InputFormat::script, ".m"},
                                                     {"json", InputFormat::json, ".json"},
                                                     {"spice", InputFormat::spice, ".cir"},
                                                     {"csv", InputFormat::csv, ".csv"},
                                                     {"graphml", InputFormat::graphml, ".graphml"},
                                                     {"yaml", InputFormat::yaml, ".yaml"},
                                                     {"tf", InputFormat::system, ".tf"},
                                                     {"sfg", InputFormat::sfg, ".sfg"},
                                                     {"slx", InputFormat::simulink, ".slx"},
                                                     {"mdl", InputFormat::simulink, ".mdl"},
                                                     {"zcos", InputFormat::xcos, ".zcos"},
                                                     {"xcos", InputFormat::xcos, ".xcos"}}};
  return names;
}

std::string listed_format_names() {
  std::string list;
  for (const FormatName& known : format_names()) {
    const bool last = &known == &format_names().back();
    list += (list.empty() ? "" : last ? " or " : ", ") + std::string(known.name);
  }
  return list;
}

std::optional<InputFormat> format_named(std::string_view name) {
  for (const FormatName& known : format_names())
    if (known.name == name) return known.format;
  return {};
}

InputFormat format_of(std::string_view path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  for (const FormatName& known : format_names())
    if (extension == known.extension) return known.format;
  if (extension == ".gv") return InputFormat::dot;
  if (extension == ".txt") return InputFormat::script;
  if (extension == ".yml") return InputFormat::yaml;
  if (extension == ".sp" || extension == ".net" || extension == ".ckt") return InputFormat::spice;
  const std::string file(path);
  throw Error(whole(file), "cannot tell the format of '" + file + "' from its name",
              "name it .dot, .gv, .toml, .json, .cir, .m, .csv, .graphml, .yaml, .tf, .sfg, .slx, .mdl, .zcos or .xcos" |
                  Remedy(Advice::name_format));
}

std::optional<InputFormat> format_by_text(std::string_view text) {
  Scan scan(text);
  for (scan.blanks(); !scan.ended(); scan.blanks()) {
    if (scan.rest().starts_with("/*")) {
      const std::size_t close = text.find("*/", scan.at() + 2);
      scan = Scan(text, close == std::string_view::npos ? text.size() : close + 2);
    } else if (scan.next() == '#' || scan.rest().starts_with("//")) {
      scan.run([](char c) { return c != '\n' && c != '\r'; });
    } else {
      break;
    }
  }
  if (scan.next() == '{') return InputFormat::json;
  if (scan.next() == '<')
    return scan.rest().find("<XcosDiagram") != std::string_view::npos ? InputFormat::xcos : InputFormat::graphml;
  for (const char* const model : {"Model", "Library"})
    if (Scan rest = scan; rest.run(is_word_character) == model && !rest.blanks().empty() && rest.next() == '{')
      return InputFormat::simulink;
  if (scan.next() == '[') return InputFormat::toml;
  Scan word = scan;
  for (const char* const keyword : {"digraph", "graph", "strict"})
    if (Scan rest = scan;
        rest.take_caseless(keyword) && !is_word_character(rest.next()) && rest.rest().find('{') != std::string_view::npos)
      return InputFormat::dot;
  word.run([](char c) { return is_word_character(c) || c == '-' || c == '.' || c == '"'; });
  word.blanks();
  if (word.at() > scan.at() && word.next() == '=') return InputFormat::toml;
  if (begins_typed_diagram(scan.rest())) return InputFormat::sfg;
  return {};
}

std::string text_of_input(const std::string& path) {
  if (path != "-") return text_of_file(path);
  static const std::string given = text_of(std::cin, "<stdin>");  // it comes once, and is asked for again by what was typed
  return given;
}

Input read_as_file(std::string_view text, const std::string& path, std::optional<InputFormat> format) {
  return read_file_text(text, path, format, {});
}

Input read_as_file(std::string_view text, const std::string& path, std::optional<InputFormat> format,
                   const NetlistConditions& netlist) {
  return read_file_text(text, path, format, netlist);
}

Input read_file(const std::string& path, std::optional<InputFormat> format) {
  if (path == "-" && !format) return read_as_file("", path, format);  // refused before anything is waited for
  return read_as_file(text_of_input(path), path, format);
}

}  // namespace sfg
