// Files of every format. What is read as a graph is written and read again, and must be the same graph.
#include <sstream>
#include <variant>

#include "fuzz/targets.hpp"
#include "same_graph.hpp"
#include "sfg/read/csv.hpp"
#include "sfg/read/dot.hpp"
#include "sfg/read/graphml.hpp"
#include "sfg/read/input.hpp"
#include "sfg/read/json.hpp"
#include "sfg/read/substitutions.hpp"
#include "sfg/text/printable.hpp"
#include "sfg/write/graph.hpp"

namespace sfg::fuzz {

namespace {

constexpr std::size_t most_branches = 60;  // of a graph that is compared: more cost time and show nothing new

void examine(const SourceSpan& where, const std::string& message) {
  require(!message.empty(), "every problem has words");
  require(where.file != nullptr && (where.line > 0 || where.column == 0), "every problem has its place: " + message);
}

/// What a reader refuses has places.
template <class Function>
bool attempt_reading(Function function) {
  try {
    function();
    return true;
  } catch (const Error& error) {
    require(!error.diagnostics().empty(), "an error has its problems");
    for (const Diagnostic& problem : error.diagnostics()) examine(problem.where, problem.message);
    return false;
  } catch (const Failure& failure) {
    require(failure.what()[0] != '\0', "a refusal says what is wrong");
    return false;
  }
}

template <class Write, class Read>
void same_again(const SignalFlowGraph& graph, const char* format, Write write, Read read) {
  std::ostringstream text;
  write(text, graph);
  if (has_long_number(text.str())) return;
  try {
    const std::string before = test::description(graph), after = test::description(read(text.str()));
    require(before == after, std::string("what is written as ") + format + " is read as the same graph:\n" + before + "\nthen\n" +
                                 after + "\nfrom\n" + text.str());
  } catch (const Failure& failure) {
    throw Broken(std::string("what is written as ") + format + " is refused: " + failure.what() + "\n" + text.str());
  }
}

void write_and_read(const SignalFlowGraph& graph) {
  if (graph.branches().size() > most_branches || graph.nodes().size() > most_branches) return;
  same_again(
      graph, "JSON", [](std::ostream& out, const SignalFlowGraph& g) { write_json(out, g); },
      [](const std::string& text) { return read_json(text, "again.json"); });
  same_again(
      graph, "TOML", [](std::ostream& out, const SignalFlowGraph& g) { write_toml(out, g); },
      [](const std::string& text) { return std::get<SignalFlowGraph>(read(text, InputFormat::toml, "again.toml").content); });
  // What would steer a terminal is not written into DOT, and what is no character of XML not into GraphML.
  const std::string all = test::description(graph);
  if (has_steering(all) || all.find("\xEF\xBF\xBE") != all.npos || all.find("\xEF\xBF\xBF") != all.npos) return;
  same_again(graph, "DOT", write_dot, [](const std::string& text) { return read_dot(text, "again.dot"); });
  same_again(
      graph, "GraphML", [](std::ostream& out, const SignalFlowGraph& g) { write_graphml(out, g); },
      [](const std::string& text) { return read_graphml(text, "again.graphml"); });
}

int try_format(std::string_view text, InputFormat format) {
  const FileBeside beside = [](const std::string& name) -> std::string {
    if (name == "part.cir") return "beside\nR9 a b 3\n";
    if (name == "self.cir") return "beside\n.include self.cir\n";
    throw Error({std::make_shared<const std::string>(name), 1, 1}, "there is no such file", "");
  };
  attempt_reading([&] {
    const Input input = read(text, format, "input", beside);
    for (const Diagnostic& note : input.notes) examine(note.where, note.message);
    if (const auto* graph = std::get_if<SignalFlowGraph>(&input.content)) write_and_read(*graph);
  });
  return 0;
}

}  // namespace

int try_dot(std::string_view text) { return try_format(text, InputFormat::dot); }
int try_toml(std::string_view text) { return try_format(text, InputFormat::toml); }
int try_json(std::string_view text) { return try_format(text, InputFormat::json); }
int try_graphml(std::string_view text) { return try_format(text, InputFormat::graphml); }
int try_yaml(std::string_view text) { return try_format(text, InputFormat::yaml); }
int try_csv(std::string_view text) { return try_format(text, InputFormat::csv); }
int try_simulink(std::string_view text) { return try_format(text, InputFormat::simulink); }
int try_xcos(std::string_view text) { return try_format(text, InputFormat::xcos); }
int try_typed(std::string_view text) { return try_format(text, InputFormat::sfg); }
int try_spice(std::string_view text) { return try_format(text, InputFormat::spice); }
int try_script(std::string_view text) { return try_format(text, InputFormat::script); }
int try_system(std::string_view text) { return try_format(text, InputFormat::system); }

int try_signal(std::string_view text) {
  attempt_reading([&] { read_csv(text, "signal.csv"); });
  attempt_reading([&] { read_points(text, "points.csv"); });
  return 0;
}

int try_substitutions(std::string_view text) {
  attempt_reading([&] {
    const SubstitutionList list = read_substitutions(text, "list.sub");
    require(compile(list).outputs().size() == result_entries(list).size(), "a tape has an output for every entry");
    values_at(list, sample_point(list));
  });
  return 0;
}

}  // namespace sfg::fuzz
