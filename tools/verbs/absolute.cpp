// absolute: stability for every law in a sector.
#include "sfg/nonlinear/absolute_stability.hpp"

#include "sfg/plot/figures.hpp"
#include "sfg/write/balance.hpp"
#include "tools/frame/linearize.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/plot.hpp"

namespace sfg::command {

namespace {

/// LO:HI; HI may be inf. A comma will do.
std::optional<Sector> sector_of(const Arguments& arguments) {
  if (!arguments.has("sector")) return {};
  const std::string text = arguments.text("sector");
  const std::size_t cut = text.find_first_of(":,");
  if (cut == std::string::npos)
    throw UsageError("option '--sector " + text + "' is no sector", "write --sector LO:HI (HI may be inf)");
  const std::string high = text.substr(cut + 1);
  Sector sector{exact_value_of("--sector", text.substr(0, cut)), {}};
  if (high != "inf") sector.high = exact_value_of("--sector", high);
  if (sector.high && *sector.high <= sector.low)
    throw UsageError("option '--sector " + text + "': the sector is empty", "write the smaller end first");
  return sector;
}

int run_absolute(Task& task) {
  const Arguments& arguments = task.arguments;
  const Answer answer = answer_of(arguments, std::array{Answer::picture});
  const SignalFlowGraph graph = graph_of(task);
  SectorQuestion question{.sector = sector_of(arguments), .range = {}, .budget = task.budget};
  const auto boxes = boxes_of(arguments, graph);
  note_ends(task, graph, "the loop is that of the law");
  if (question.sector && !boxes.empty())
    task.notes.push_back({{},
                          "--box makes no difference: --sector states what would be found over it",
                          "leave one of them out",
                          Severity::remark});
  if (boxes.size() > 1) throw UsageError("one range is asked for: that of the law's signal", "leave one --box");
  if (!boxes.empty()) question.range = boxes.begin()->second;
  task.working("deciding the criteria");
  const AbsoluteStability found = absolute_stability(graph, question);
  if (!boxes.empty() && boxes.begin()->first != found.signal)
    throw UsageError("--box " + boxes.begin()->first + ": the law is one of '" + found.signal + "'",
                     "write --box " + found.signal + "=LO:HI");
  switch (answer) {
    case Answer::json: write_json(task.out, found); break;
    case Answer::picture: put(task, absolute_stability_figure(found)); break;
    case Answer::csv:
    case Answer::text: show(task, page(found)); break;
  }
  return 0;
}

}  // namespace

Verb absolute() {
  return {.name = "absolute",
          .summary = "absolute stability of a loop with one law: circle and Popov criteria",
          .details =
              "The loop is u = -G(s) f(u). Its rest at 0 is stable at large for every f with LO <= f(u)/u <= HI when one of the "
              "criteria holds; the sector is found from the law, over --box SIGNAL=LO:HI where that is given. Decided exactly; "
              "how far each criterion reaches is said too.",
          .options = {{"--sector", "LO:HI", "the sector, instead of that of the law; HI may be inf"},
                      notation_option(),
                      width_option(),
                      theme_option(),
                      dark_option()},
          .examples = {"sfg absolute servo.dot", "sfg absolute servo.dot --sector 0:2 -o popov.svg"},
          .run = run_absolute,
          .refuses = {{"--ratio", "the loop is that of the law"},
                      {"--inject", "the loop is that of the law"},
                      {"--linearize", "the law itself is asked about"},
                      {"--at", "the law itself is asked about"},
                      {"--want", "the law itself is asked about"},
                      {"--free", "the law itself is asked about"},
                      {"--at-time", "the law itself is asked about"}},
          .of_values = true,
          .keeps_laws = true};
}

}  // namespace sfg::command
