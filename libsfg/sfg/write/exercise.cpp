#include "sfg/write/mason.hpp"

#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <stdexcept>

#include "sfg/expr/print.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

using Json = nlohmann::ordered_json;

const std::string& input_of(const Exercise& exercise) { return exercise.graph[exercise.solution.question.input].name; }
const std::string& output_of(const Exercise& exercise) { return exercise.graph[exercise.solution.question.output].name; }

Math arrow(const Exercise& exercise, const Branch& branch) {
  return Math::relation(Math::signal(exercise.graph[branch.from].name), "→", Math::signal(exercise.graph[branch.to].name));
}

Table branch_table(const Exercise& exercise) {
  Table table{.columns = {{.head = words("branch")}, {.head = words("gain")}}, .rows = {}, .depth = 1};
  for (const Branch& branch : exercise.graph.branches())
    table.rows.push_back({{arrow(exercise, branch)}, {math(branch.gain(), exercise.graph.op.symbol())}});
  return table;
}

void add(Page& sheet, const Exercise& exercise, const Picture* picture, const Picture* loops, const SheetContent& content) {
  sheet.add(Paragraph{{picture != nullptr ? "Find " : "Find the gain ", gain_name(input_of(exercise), output_of(exercise)),
                       picture != nullptr ? " of the signal-flow graph by Mason's rule."
                                          : " of the signal-flow graph with these branches by Mason's rule."}});
  if (picture != nullptr) sheet.add(*picture);
  if (picture == nullptr || content.branches) sheet.add(branch_table(exercise));
  if (!content.solution) return;
  sheet.add(Gap{});
  sheet.add(page(exercise.solution));
  if (loops == nullptr || loops->empty()) return;
  sheet.add(Heading{words("In the graph")});
  sheet.add(*loops);
}

Json counts(const ShapeCounts& found) {
  return {{"paths", found.paths},
          {"loops", found.loops},
          {"self_loops", found.self_loops},
          {"nontouching_pairs", found.pairs},
          {"nontouching_triples", found.triples}};
}

Json solution(const Exercise& exercise) {
  std::ostringstream text;
  write_json(text, exercise.solution);
  return Json::parse(text.str());
}

}  // namespace

Page page(std::span<const Exercise> exercises, const SheetContent& content) {
  for (const auto* pictures : {&content.pictures, &content.loops})
    if (!pictures->empty() && pictures->size() != exercises.size())
      throw std::invalid_argument("page: a sheet has a picture of each exercise, or none");
  const auto of = [](const std::vector<Picture>& pictures, std::size_t i) { return pictures.empty() ? nullptr : &pictures[i]; };
  Page sheet;
  sheet.title =
      "Mason's rule: " + std::string(exercises.size() == 1 ? "exercise" : "exercises") + (content.solution ? ", solved" : "");
  std::string seeds;
  for (const Exercise& exercise : exercises) seeds += (seeds.empty() ? "" : ", ") + std::to_string(exercise.seed);
  sheet.add(Paragraph{words((exercises.size() == 1 ? "Seed " : "Seeds ") + seeds), 0, true});
  for (std::size_t i = 0; i < exercises.size(); ++i) {
    if (exercises.size() > 1) sheet.add(Heading{words("Exercise " + std::to_string(i + 1))});
    add(sheet, exercises[i], of(content.pictures, i), of(content.loops, i), content);
  }
  return sheet;
}

void write_json(std::ostream& out, std::span<const Exercise> exercises, bool solved) {
  Json list = Json::array();
  for (const Exercise& exercise : exercises) {
    Json branches = Json::array();
    for (const Branch& branch : exercise.graph.branches())
      branches.push_back(
          {{"from", exercise.graph[branch.from].name}, {"to", exercise.graph[branch.to].name}, {"gain", print(branch.gain())}});
    Json nodes = Json::array();
    for (const Node& node : exercise.graph.nodes()) nodes.push_back(node.name);
    list.push_back({{"seed", exercise.seed},
                    {"variable", exercise.graph.op.symbol()},
                    {"input", input_of(exercise)},
                    {"output", output_of(exercise)},
                    {"nodes", std::move(nodes)},
                    {"branches", std::move(branches)},
                    {"counts", counts(exercise.counts)}});
    if (solved) list.back()["solution"] = solution(exercise);
  }
  out << Json{{"schema", "sfg/exercise/1"}, {"exercises", std::move(list)}}.dump() << "\n";
}

}  // namespace sfg
