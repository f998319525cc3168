#include "sfg/transfer/exercise.hpp"

#include <optional>
#include <span>
#include <sstream>
#include <vector>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/picture.hpp"
#include "sfg/draw/sheets/matrix_picture.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/write/graph.hpp"
#include "sfg/write/mason.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

namespace {

std::optional<std::size_t> stated_count(const Arguments& arguments, const char* option) {
  if (!arguments.has(option)) return {};
  return static_cast<std::size_t>(arguments.count(option, 0));
}

ShapeDemand demand_of(const Arguments& arguments) {
  return {.nodes = static_cast<std::size_t>(arguments.count("nodes", ShapeDemand{}.nodes)),
          .loops = stated_count(arguments, "loops"),
          .pairs = stated_count(arguments, "nontouching"),
          .triples = stated_count(arguments, "triples"),
          .paths = stated_count(arguments, "paths"),
          .self_loops = stated_count(arguments, "self-loops")};
}

ExerciseGains gains_of(const Arguments& arguments) {
  const std::string kind = arguments.text("gains", "symbols");
  return kind == "numbers" ? ExerciseGains::numbers : kind == "s" ? ExerciseGains::blocks : ExerciseGains::symbols;
}

std::string dot_of(const SignalFlowGraph& graph) {
  std::ostringstream text;
  write_dot(text, graph);
  return text.str();
}

/// The exercises of consecutive seeds; that two are the same graph is said.
std::vector<Exercise> exercises_of(Task& task) {
  constexpr std::uint64_t most = 100;
  const Arguments& arguments = task.arguments;
  const std::uint64_t count = arguments.count("count", 1), seed = arguments.count("seed", 1);
  if (count == 0 || count > most)
    throw UsageError("a sheet of " + std::to_string(count) + " exercises", "state --count 1 to " + std::to_string(most));
  std::vector<Exercise> exercises;
  std::vector<std::string> seen;
  for (std::uint64_t i = 0; i < count; ++i) {
    exercises.push_back(exercise(demand_of(arguments), seed + i, {.gains = gains_of(arguments), .budget = task.budget}));
    SignalFlowGraph nameless = exercises.back().graph;
    nameless.title.clear();
    seen.push_back(dot_of(nameless));
    for (std::size_t j = 0; j < i; ++j)
      if (seen[j] == seen.back()) {
        task.notes.push_back({.message = "exercises " + std::to_string(j + 1) + " and " + std::to_string(i + 1) +
                                         " are the same graph: there are few of this kind",
                              .hint = "take another --seed, more --nodes or fewer conditions",
                              .severity = Severity::remark});
        break;
      }
  }
  return exercises;
}

/// What is a graph or a picture, not a sheet, holds one exercise.
const Exercise& only(const std::vector<Exercise>& exercises, const std::string& extension) {
  if (exercises.size() > 1)
    throw UsageError("a file ." + extension + " holds one graph, and here are " + std::to_string(exercises.size()) + " exercises",
                     "leave --count out, or write -o sheet.html, .tex or .md");
  return exercises.front();
}

/// The graph as a file of the corpus states it: with what is expected of it where the solution is wanted.
SignalFlowGraph with_answer(const Exercise& exercise, bool solution) {
  SignalFlowGraph graph = exercise.graph;
  if (!solution) return graph;
  const MasonListing& listing = exercise.solution;
  graph.attributes.emplace_back("expect", print(listing.transmittance, Notation::text, graph.op.symbol()));
  graph.attributes.emplace_back("paths", std::to_string(listing.paths.size()));
  graph.attributes.emplace_back("loops", std::to_string(listing.loops.size()));
  graph.attributes.emplace_back("sets", to_string(*listing.set_count));
  return graph;
}

/// As the notation of the sheet needs it.
Picture picture_of(const Exercise& exercise, const std::string& notation, const Budget& budget) {
  return {.drawn = layout(exercise.graph, {.budget = budget}), .theme = notation == "latex" ? Theme::print : Theme::automatic};
}

/// Every path, loop and set of non-touching loops in the graph; none where they are more than anyone looks at.
Picture loops_of(const Exercise& exercise, const Budget& budget) {
  constexpr std::size_t most = 40;
  const MasonListing& solution = exercise.solution;
  if (solution.paths.size() + solution.loops.size() + solution.non_touching.size() > most) return {};
  return {.drawn = loop_sheet(exercise.graph, std::span(&solution, 1), {.budget = budget}),
          .caption = "Each path, loop and set of non-touching loops."};
}

bool is_picture(const std::string& extension) { return extension == "svg" || extension == "png" || extension == "pdf"; }

void write_sheet(Task& task, const std::vector<Exercise>& exercises) {
  const std::string notation = notation_of(task.arguments);
  SheetContent content{.branches = notation == "markdown" || notation == "rst", .solution = task.arguments.has("solution")};
  if (notation == "html" || notation == "markdown" || notation == "latex") {
    task.working("drawing");
    for (const Exercise& exercise : exercises) content.pictures.push_back(picture_of(exercise, notation, task.budget));
    if (content.solution && notation == "html")
      for (const Exercise& exercise : exercises) content.loops.push_back(loops_of(exercise, task.budget));
  }
  show(task, page(exercises, content));
}

int run_exercise(Task& task) {
  const Arguments& arguments = task.arguments;
  if (!arguments.input().empty())
    throw UsageError("'sfg exercise' makes its graph and reads none",
                     "leave '" + arguments.input() + "' out; 'sfg mason' solves it");
  const std::string extension = extension_of(arguments.text("output"));
  const bool solution = arguments.has("solution");
  if (is_picture(extension) && solution)
    throw UsageError("a picture shows the graph, not its solution", "leave --solution out, or write -o sheet.html or .tex");
  task.working("looking for graphs");
  const std::vector<Exercise> exercises = exercises_of(task);
  if (arguments.has("json")) {
    write_json(task.out, exercises, solution);
  } else if (extension == "dot" || extension == "gv") {
    task.out << dot_of(with_answer(only(exercises, extension), solution));
  } else if (is_picture(extension)) {
    const PictureFormat format = extension == "svg"   ? PictureFormat::svg
                                 : extension == "png" ? PictureFormat::png
                                                      : PictureFormat::pdf;
    task.out << picture(only(exercises, extension).graph, format, {.budget = task.budget});
  } else if (extension.empty() || extension == "txt" || is_page(extension)) {
    write_sheet(task, exercises);
  } else {
    throw UsageError("'sfg exercise' writes no file ." + extension,
                     "write -o sheet.tex, .html, .md or .txt, exercise.dot, .json, .svg, .png or .pdf");
  }
  return 0;
}

}  // namespace

Verb exercise() {
  using Kind = Option::Kind;
  const char* no_input = "the graph is made, not read";
  std::vector<Refusal> refuses;
  for (const char* option : {"--from", "--to", "--ratio", "--inject", "--set", "--numbers", "--nonlinear", "--linearize", "--at",
                             "--box", "--want", "--free", "--at-time", "--variable", "--format"})
    refuses.push_back({option, no_input});
  return {
      .name = "exercise",
      .summary = "a random graph of a wanted kind to be solved by Mason's rule",
      .details =
          "A signal-flow graph as textbooks print it: a main line from R to C, bypasses above, feedback below, few crossings. "
          "It has exactly what is asked for; what is left open, the seed decides (--seed, 1 unless stated: the same seed "
          "gives the same exercise everywhere). Conditions that no graph can meet are refused with the reason and what is "
          "possible.",
      .options = {{"--nodes", "N", "nodes in all, R and C included (default 6)", Kind::count},
                  {"--loops", "N", "loops, self-loops included (default: 2 to 4)", Kind::count},
                  {"--nontouching", "N", "pairs of non-touching loops, that is sets of two (default: any number)", Kind::count},
                  {"--triples", "N", "sets of three loops that do not touch each other (default: any number)", Kind::count},
                  {"--paths", "N", "forward paths (default: 1 or 2)", Kind::count},
                  {"--self-loops", "N", "loops of one node (default: at most one, unless more are needed)", Kind::count},
                  {"--gains",
                   "KIND",
                   "symbols: G1, G2, … forward, -H1, -H2, … back (default); numbers: small ones; s: blocks such as K1, 1/s, "
                   "1/(s + 2)",
                   Kind::choice,
                   {"symbols", "numbers", "s"}},
                  {"--count", "N", "exercises on the sheet, of consecutive seeds (default 1)", Kind::count},
                  {"--solution", "", "with the solution: paths, loops, non-touching sets, determinant, cofactors, gain"},
                  notation_option(),
                  width_option()},
      .examples = {"sfg exercise --nodes 6 --loops 4 --nontouching 2 --seed 7",
                   "sfg exercise --nodes 6 --loops 4 --nontouching 2 --seed 7 --solution -o solution.html",
                   "sfg exercise --nodes 5 --loops 2 --gains s --count 5 -o sheet.tex",
                   "sfg exercise --nodes 7 --loops 5 --paths 3 --seed 3 -o exercise.dot"},
      .run = run_exercise,
      .needs_input = false,
      .refuses = std::move(refuses)};
}

}  // namespace sfg::command
