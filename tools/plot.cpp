#include "tools/plot.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "sfg/analysis/frequency_response.hpp"
#include "sfg/analysis/time_response.hpp"
#include "sfg/draw/convert.hpp"
#include "sfg/expr/parse.hpp"
#include "tools/output.hpp"

namespace sfg::command {

Answer answer_of(const Arguments& arguments) {
  if (arguments.has("json")) return Answer::json;
  const std::string extension = extension_of(arguments.text("output"));
  if (extension == "json") return Answer::json;
  if (extension == "csv") return Answer::csv;
  if (extension == "svg" || extension == "png" || extension == "pdf") return Answer::picture;
  if (extension.empty() || extension == "txt") return Answer::text;
  throw UsageError("nothing is written as '" + arguments.text("output") + "'",
                   "end the name in .svg, .png, .pdf, .csv, .json or .txt");
}

void put(Task& task, const Figure& figure) {
  std::ostringstream svg;
  write_svg(svg, figure);
  const std::string extension = extension_of(task.arguments.text("output"));
  task.out << (extension == "svg" ? svg.str()
                                  : converted(svg.str(), extension == "png" ? PictureFormat::png : PictureFormat::pdf));
}

std::vector<ExactTransfer> transfers_of(Task& task) {
  const SignalFlowGraph graph = graph_of(task);
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  task.working("finding transfer functions");
  return exact_transfers(graph, questions, {.budget = task.budget, .seed = task.arguments.count("seed", 1)});
}

double value_of(const std::string& option, const std::string& word) {
  try {
    return parse_number(word).to_double();
  } catch (const Error& error) {
    throw UsageError("option '" + option + " " + word + "': " + error.diagnostics().front().message,
                     error.diagnostics().front().hint);
  }
}

std::vector<double> times_of(const Arguments& arguments, const std::vector<ExactTransfer>& transfers) {
  double until = 0;
  if (arguments.has("until")) {
    until = value_of("--until", arguments.text("until"));
  } else {
    for (const ExactTransfer& transfer : transfers) until = std::max(until, settling_range(transfer));
  }
  const std::size_t points = arguments.count("points", 201);
  if (until <= 0 || points < 2) throw UsageError("the response needs a positive --until and at least two --points");
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = until * static_cast<double>(i) / static_cast<double>(points - 1);
  return times;
}

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

std::vector<double> stated_frequencies(const std::string& text) {
  std::vector<double> values;
  if (const auto range = split(text, ':'); range.size() == 3) {
    const double low = value_of("--freq", range[0]), high = value_of("--freq", range[1]), count = value_of("--freq", range[2]);
    if (low <= 0 || high < low || count < 1 || count > 1e7)
      throw UsageError("option '--freq " + text + "': not a range", "write --freq 0.1:100:400");
    return logarithmic(low, high, static_cast<std::size_t>(count));
  }
  for (const std::string& word : split(text, ',')) values.push_back(value_of("--freq", word));
  if (values.empty()) throw UsageError("--freq has no value", "write --freq LO:HI:N or a list W1,W2");
  return values;
}

}  // namespace

std::optional<std::pair<double, double>> range_of(const Arguments& arguments) {
  if (!arguments.has("freq")) return {};
  const std::string text = arguments.text("freq");
  const auto ends = split(text, ':');
  if (ends.size() != 2 && ends.size() != 3)
    throw UsageError("option --freq needs a range, not '" + text + "'", "write --freq 0.1:100");
  const double low = value_of("--freq", ends[0]), high = value_of("--freq", ends[1]);
  if (low <= 0 || high < low)
    throw UsageError("option --freq needs a range of positive frequencies, not '" + text + "'", "write --freq 0.1:100");
  return std::pair(low, high);
}

std::vector<double> frequencies_of(const Arguments& arguments) {
  std::vector<double> values = stated_frequencies(arguments.text("freq"));
  if (arguments.has("hz"))
    for (double& value : values) value *= 2 * std::numbers::pi;
  return values;
}

std::vector<ExactTransfer> approximated(const Arguments& arguments, std::vector<ExactTransfer> transfers) {
  if (arguments.has("pade"))
    for (ExactTransfer& transfer : transfers) transfer = pade(transfer, arguments.count("pade", 4));
  return transfers;
}

Option dark_option() { return {"--dark", "", "light lines on a dark ground"}; }
Option pade_option() { return {"--pade", "N", "replace dead time by its Padé approximant of order N", Option::Kind::count}; }

std::vector<Option> frequency_options() {
  return {{"--freq", "LO:HI:N|W1,W2", "frequencies, logarithmic or a list, rad/s (default: chosen from the poles and zeros)"},
          {"--hz", "", "frequencies in Hz"},
          {"--sample-time", "H", "sample time of a discrete system in z, s (default 1)", Option::Kind::number},
          pade_option(),
          dark_option()};
}

std::vector<Option> time_options() {
  return {{"--until", "T", "last time, s (default: until the slowest mode has settled)"},
          {"--points", "N", "number of times, 0 and T included (default 201)", Option::Kind::count},
          {"--amplitude", "A", "size of the step or impulse (default 1)"},
          pade_option(),
          dark_option()};
}

}  // namespace sfg::command
