#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/model.hpp"
#include "sfg/model/simulation.hpp"
#include "sfg/read/toml.hpp"

namespace sfg {

enum class InputFormat { dot, toml, script, json, spice, csv, graphml, yaml, system, sfg, simulink, xcos };

/// A format by the name that a user gives it, and the first of the extensions of its files.
struct FormatName {
  const char* name;
  InputFormat format;
  const char* extension;
};
/// toml, dot, m, json, spice, csv, graphml, yaml, tf, sfg, slx, mdl, zcos, xcos: of a format the first is that of files.
std::span<const FormatName> format_names();
/// "toml, dot, m … or sfg"
std::string listed_format_names();
/// Nothing where no format has the name.
std::optional<InputFormat> format_named(std::string_view name);

/// A file as read: a graph, or a model to derive one from.
struct Input {
  std::variant<SignalFlowGraph, Model> content;
  InputFormat format = InputFormat::dot;
  std::vector<Diagnostic> notes;  ///< warnings of the reader
  SimulationSettings simulation;  ///< the table [simulation] of a TOML file
  StatedAnalyses analyses;        ///< of a netlist
  std::string latex;              ///< of a model: how its names are set (NameTable::stated)
  Dimensions dimensions;          ///< what is measured in what; its conflicts are not among the notes
};

/// Largest file that is read, in bytes.
inline constexpr std::size_t largest_file = std::size_t{256} << 20;

/// The format that a text of unknown name is in, by what it begins with, comments apart: digraph, graph or strict: DOT; [table] or
/// name = …: TOML; {: JSON; <: GraphML; a statement with -> or of a word, input r: a typed block
/// diagram. Nothing where it is none of these.
std::optional<InputFormat> format_by_text(std::string_view text);

/// Reads text in the format; `file` is its name in messages, `beside` reads what it names of its folder.
/// @throws sfg::Error with every problem found.
Input read(std::string_view text, InputFormat, std::string file, const FileBeside& beside = {});
/// The text of a file. @throws sfg::Error when it cannot be read or is larger than largest_file.
std::string text_of_file(const std::string& path);
/// The format by extension: .dot .gv → dot, .toml, .m .txt → script, .json, .cir .sp .net .ckt → spice, .csv, .graphml,
/// .yaml .yml → yaml, .tf → system, .sfg → sfg, .slx .mdl → simulink, .zcos .xcos → xcos.
InputFormat format_of(std::string_view path);
/// The text of a file, or of standard input for "-".
std::string text_of_input(const std::string& path);
/// Reads a text that stood in the file: the name tells the format (of .txt what stands in it), and what the text names is found
/// beside it.
Input read_as_file(std::string_view text, const std::string& path, std::optional<InputFormat> = {});
/// Reads a file, or standard input for "-" (which needs a format).
Input read_file(const std::string& path, std::optional<InputFormat> = {});

}  // namespace sfg
