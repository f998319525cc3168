#include "tools/frame/plot.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include "sfg/draw/picture.hpp"
#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/plot/figure_scene.hpp"
#include "sfg/response/discretize.hpp"
#include "sfg/response/frequency_response.hpp"
#include "sfg/response/time_response.hpp"
#include "sfg/transfer/pade_graph.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/sweep.hpp"
#include "tools/frame/usage.hpp"

namespace sfg::command {

Answer answer_of(const Arguments& arguments, std::span<const Answer> besides) {
  static const std::map<std::string, Answer> kinds{{"", Answer::text},       {"txt", Answer::text},    {"json", Answer::json},
                                                   {"csv", Answer::csv},     {"svg", Answer::picture}, {"png", Answer::picture},
                                                   {"pdf", Answer::picture}, {"eps", Answer::picture}, {"tikz", Answer::picture},
                                                   {"tex", Answer::text},    {"md", Answer::text},     {"html", Answer::text},
                                                   {"htm", Answer::text},    {"rst", Answer::text}};
  if (arguments.has("json")) return Answer::json;
  const auto writes = [&](Answer kind) {
    return kind == Answer::text || kind == Answer::json || std::find(besides.begin(), besides.end(), kind) != besides.end();
  };
  const auto kind = kinds.find(extension_of(arguments.text("output")));
  if (kind != kinds.end() && writes(kind->second)) return kind->second;
  throw UsageError("nothing is written as '" + arguments.text("output") + "'",
                   std::string("end the name in ") + (writes(Answer::picture) ? ".svg, .png, .pdf, .eps, .tikz, " : "") +
                       (writes(Answer::csv) ? ".csv, " : "") + ".tex, .md, .html, .json or .txt");
}

namespace {

/// "K=2" as it is read: K = 2.
Caption conditions_of(const std::vector<std::string>& settings) {
  Caption text;
  for (const std::string& setting : settings) {
    const auto sign = setting.find('=');
    if (sign == std::string::npos) continue;
    text +=
        (text.empty() ? Caption() : Caption(", ")) + Caption::name(setting.substr(0, sign)) + " = " + setting.substr(sign + 1);
  }
  return text;
}

}  // namespace

namespace {

/// What the options of every plot say.
PlotOptions plot_options(const Arguments& arguments) {
  using Place = Figure::LegendPlace;
  static const std::map<std::string, Place> places{
      {"", Place::automatic}, {"none", Place::none}, {"inside", Place::inside}, {"outside", Place::outside}};
  PlotOptions options{.width = arguments.number("width").value_or(0),
                      .height = arguments.number("height").value_or(0),
                      .font_size = arguments.number("font-size").value_or(0),
                      .legend = places.at(arguments.text("legend")),
                      .grid = arguments.text("grid") != "none"};
  if (arguments.has("title")) options.title = arguments.text("title") == "none" ? "" : arguments.text("title");
  std::istringstream names(arguments.text("panels"));
  for (std::string name; std::getline(names, name, ',');) options.panels.push_back(name);
  constexpr double largest = 5000;
  for (const char* size : {"width", "height", "font-size"})
    if (arguments.number(size).value_or(0) > largest)
      throw UsageError(std::string("--") + size + " is at most 5000", "a sheet of A4 is 210 mm wide");
  return options;
}

}  // namespace

void put(Task& task, Figure figure) {
  figure.theme = theme_of(task.arguments);
  if (figure.conditions.empty() && task.arguments.has("set")) figure.conditions = conditions_of(task.arguments.list("set"));
  const std::string extension = extension_of(task.arguments.text("output"));
  static const std::map<std::string, PictureFormat> formats{{"svg", PictureFormat::svg},
                                                            {"png", PictureFormat::png},
                                                            {"pdf", PictureFormat::pdf},
                                                            {"eps", PictureFormat::eps},
                                                            {"tikz", PictureFormat::tex}};
  const PictureFormat format = formats.at(extension);
  PictureOptions options{.theme = figure.theme, .style = style_of(task.arguments), .outline = outline_of(task.arguments, format)};
  if (format == PictureFormat::tex) options.font_size = 8, options.fragment = true;
  const PlotOptions asked = plot_options(task.arguments);
  const Scene scene = [&] {
    try {
      return figure_scene(with_options(std::move(figure), asked));
    } catch (const NoAnswer& failure) {  // what is asked does not go with this picture
      throw UsageError(failure.what(), failure.remedy());
    }
  }();
  task.out << picture(scene, format, options);
}

std::vector<ExactTransfer> transfers_of(Task& task, const SignalFlowGraph& graph) {
  const std::vector<Question> questions = questions_of(task.arguments, graph);
  task.working("finding transfer functions");
  return exact_transfers(graph, questions, {.budget = task.budget, .seed = task.arguments.count("seed", 1)});
}

exact::Rational exact_value_of(const std::string& option, const std::string& word) {
  return as_usage("option '" + option + " " + word + "'", [&] { return exact_value(parse_number(word)); });
}

double value_of(const std::string& option, const std::string& word) {
  return as_usage("option '" + option + " " + word + "'", [&] { return parse_number(word).to_double(); });
}

namespace {

std::size_t points_in(const TimeAxis& axis, std::size_t otherwise) {
  constexpr double most = 1e7;
  const double count = axis.points.empty() ? static_cast<double>(otherwise) : value_of("--points", axis.points);
  if (count < 2 || count > most || count != std::floor(count))
    throw UsageError("option '--points " + axis.points + "': not a number of points from 2 to 10000000", "write --points 201");
  return static_cast<std::size_t>(count);
}

}  // namespace

exact::Rational positive_value_of(const std::string& option, const std::string& word) {
  exact::Rational value = exact_value_of(option, word);
  if (value.sign() <= 0)
    throw UsageError("option '" + option + " " + word + "': not a positive number", "write " + option + " 10, say");
  return value;
}

TimeAxis time_axis(const Arguments& arguments, double otherwise) {
  return {arguments.text("until"), arguments.text("points"), otherwise,
          answer_of(arguments, curves) == Answer::picture ? 1001U : 201U};
}

TimeAxis time_axis(const Arguments& arguments, const Input& input, double otherwise) {
  TimeAxis axis = time_axis(arguments, otherwise);
  const auto& stated = input.simulation.until ? input.simulation.until : input.analyses.until;
  if (axis.until.empty()) axis.until = stated.value_or("");
  if (axis.points.empty()) axis.points = input.simulation.points.value_or("");
  return axis;
}

std::vector<double> even_times(const TimeAxis& axis) {
  const exact::Rational until =
      axis.until.empty() ? exact::Rational::of(axis.otherwise) : positive_value_of("--until", axis.until);
  const std::size_t points = points_in(axis, axis.usual);
  const exact::Rational step = until / (points - 1);
  std::vector<double> times(points);
  for (std::size_t i = 0; i < points; ++i) times[i] = (step * i).to_double();
  return times;
}

std::vector<double> sample_times(const TimeAxis& axis, const exact::Rational& h) {
  std::size_t count = 0;
  if (axis.points.empty() || !axis.until.empty()) {
    const double until = axis.until.empty() ? axis.otherwise : positive_value_of("--until", axis.until).to_double();
    const double periods = until / h.to_double();
    constexpr double most = 1e6, rounding = 1e-9;
    if (periods > most) throw UsageError("the time has more than a million samples", "shorten --until");
    count = static_cast<std::size_t>(std::floor(periods + rounding)) + 1;
  } else {
    count = points_in(axis, 2);
  }
  std::vector<double> times(count);
  for (std::size_t k = 0; k < count; ++k) times[k] = (h * k).to_double();
  return times;
}

SignalFlowGraph sampled(const Arguments& arguments, SignalFlowGraph graph) {
  if (!arguments.has("sample-time")) return graph;
  if (!graph.op.discrete())
    throw UsageError("--sample-time is of a graph in z, and this one is in " + graph.op.symbol(),
                     "leave it out, or make the graph one in z: sfg discretize");
  graph.op = graph.op.sampled(positive_value_of("--sample-time", arguments.text("sample-time")));
  return graph;
}

namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

bool is_number(const std::string& word) {
  try {
    parse_number(word);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::vector<double> stated_frequencies(const std::string& text) {
  std::vector<double> values;
  if (const auto range = split(text, ':'); range.size() == 3) {
    const double low = value_of("--freq", range[0]), high = value_of("--freq", range[1]), count = value_of("--freq", range[2]);
    if (low <= 0 || high < low || count < 1 || count > 1e7)
      throw UsageError("option '--freq " + text + "': not a range", "write --freq 0.1:100:400");
    return logarithmic(low, high, static_cast<std::size_t>(count));
  }
  const bool range = text.find(':') != std::string::npos || text.find_first_of("-", 1) != std::string::npos;
  for (const std::string& word : split(text, ',')) {
    if (range && !is_number(word))
      throw UsageError("option '--freq " + text + "' is neither a range nor a list",
                       "write --freq LO:HI:N, 0.1:100:400 say, or W1,W2");
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
  const double unit = arguments.has("hz") ? 2 * std::numbers::pi : 1;
  return std::pair(unit * low, unit * high);
}

void refuse_idle_hertz(const Arguments& arguments) {
  if (arguments.has("hz") && !arguments.has("freq"))
    throw UsageError("--hz is of the numbers at --freq", "add --freq, or leave --hz out");
}

std::vector<double> frequencies_of(const Arguments& arguments) {
  std::vector<double> values = stated_frequencies(arguments.text("freq"));
  if (arguments.has("hz"))
    for (double& value : values) value *= 2 * std::numbers::pi;
  return values;
}

namespace {

void note_no_dead_time(Task& task) {
  task.notes.push_back({{}, "--pade makes no difference: there is no dead time", "leave it out", Severity::remark});
}

}  // namespace

std::vector<ExactTransfer> approximated(Task& task, std::vector<ExactTransfer> transfers) {
  if (!task.arguments.has("pade")) return transfers;
  if (std::ranges::all_of(transfers, &ExactTransfer::rational)) note_no_dead_time(task);
  for (ExactTransfer& transfer : transfers) transfer = pade(transfer, task.arguments.count("pade", 4));
  return transfers;
}

SignalFlowGraph approximated(Task& task, SignalFlowGraph graph) {
  if (!task.arguments.has("pade")) return graph;
  SignalFlowGraph made = pade(graph, task.arguments.count("pade", 4));
  const auto same = [](const Branch& a, const Branch& b) { return !a.linear() || !b.linear() || a.gain().is_equal(b.gain()); };
  if (std::ranges::equal(graph.branches(), made.branches(), same)) note_no_dead_time(task);
  return made;
}

std::vector<Option> plot_option_table() {
  using Kind = Option::Kind;
  return {
      {"--height", "MM", "height of the picture", Kind::number},
      {"--font-size", "PT", "of the numbers at the axes of a picture, in points (with --width or --height: 10)", Kind::number},
      {"--title", "TEXT|none", "title of a picture"},
      {"--panels", "NAMES", "which panels of a picture, in this order: magnitude,phase,delay of a Bode diagram"},
      {"--legend", "PLACE", "of a picture: none, inside or outside its axes", Kind::choice, {"none", "inside", "outside"}},
      {"--grid", "none", "a picture without the lines of its grid", Kind::choice, {"none"}},
      style_option(),
      outline_option()};
}

Option dark_option() { return {"--dark", "", "short for --theme dark"}; }
Option pade_option() { return {"--pade", "N", "replace dead time by its Padé approximant of order N", Option::Kind::count}; }

std::vector<Option> frequency_options() {
  return {
      {"--freq", "LO:HI:N|W1,W2",
       "frequencies, logarithmic or a list, rad/s (default: those of .ac in a netlist, else chosen from the poles and zeros)"},
      {"--hz", "", "frequencies in Hz, in --freq, text, CSV and pictures; JSON keeps rad/s"},
      sweep_option(),
      sample_time_option(),
      pade_option(),
      notation_option(),
      width_option(),
      theme_option(),
      dark_option()};
}

Option sample_time_option() {
  return {"--sample-time", "H", "sample time of a discrete system in z, s (default: what the file states, else 1)"};
}

std::vector<Option> time_options() {
  return {{"--until", "T", "last time, s (default: that of .tran in a netlist, else until the slowest mode has settled)"},
          {"--points", "N", "number of times, 0 and T included (default 201, in a picture 1001)", Option::Kind::count},
          {"--amplitude", "A", "size of the step or impulse (default 1)"},
          {"--symbolic", "", "the time function with symbols for the parameters"},
          sweep_option(),
          sample_time_option(),
          pade_option(),
          notation_option(),
          width_option(),
          theme_option(),
          dark_option()};
}

}  // namespace sfg::command
