#include "sfg/transfer/exercise.hpp"

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

using Arc = TextbookShape::Arc;

/// Gains as texts: of the main line from left to right, of the bypasses, of the feedback.
struct GainTexts {
  std::vector<std::string> line, bypasses, feedback;
};

class GainChoice {
 public:
  GainChoice(const TextbookShape& shape, std::uint64_t seed) : shape_(shape), random_(seed * 0xBF58476D1CE4E5B9U + 2) {}

  GainTexts of(ExerciseGains kind) {
    texts_ = {std::vector<std::string>(shape_.nodes - 1), std::vector<std::string>(shape_.bypasses.size()),
              std::vector<std::string>(shape_.feedback.size())};
    state_units();
    if (kind == ExerciseGains::symbols) symbols();
    if (kind == ExerciseGains::numbers) numbers();
    if (kind == ExerciseGains::blocks) blocks();
    return texts_;
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  template <std::size_t N>
  std::string one_of(const std::array<const char*, N>& choices) {
    return choices[below(N)];
  }

  /// The branches at the ends often only name a signal. Always the same, so that choosing other gains leaves them.
  void state_units() {
    if (shape_.nodes >= 5 && below(3) > 0) texts_.line.front() = "1";
    if (shape_.nodes >= 4 && below(2) > 0) texts_.line.back() = "1";
  }

  void symbols() {
    std::size_t forward = 0, back = 0;
    for (auto* gains : {&texts_.line, &texts_.bypasses})
      for (std::string& gain : *gains)
        if (gain.empty()) gain = "G" + std::to_string(++forward);
    for (std::string& gain : texts_.feedback) gain = "-H" + std::to_string(++back);
  }

  void numbers() {
    static constexpr std::array forward{"1", "2", "2", "3", "3", "4", "5", "1/2"};
    static constexpr std::array back{"-1", "-1", "-1", "-2", "-2", "-3", "-1/2"};
    for (auto* gains : {&texts_.line, &texts_.bypasses})
      for (std::string& gain : *gains)
        if (gain.empty()) gain = one_of(forward);
    for (std::string& gain : texts_.feedback) gain = one_of(back);
  }

  /// Few poles, so that the result can be written down: at most three blocks with one.
  void blocks() {
    std::vector<std::string> poles{"1/s", "1/(s + 1)", "1/(s + 2)", "1/(s + 3)", "1/(s + 5)"};
    std::vector<std::string*> open;
    for (std::string& gain : texts_.line)
      if (gain.empty()) open.push_back(&gain);
    std::size_t gain_number = 0;
    for (std::size_t left = std::min<std::size_t>(3, open.size()); left > 0; --left) {
      const auto place = open.begin() + static_cast<std::ptrdiff_t>(below(open.size()));
      const auto pole = poles.begin() + static_cast<std::ptrdiff_t>(below(poles.size()));
      **place = *pole;
      poles.erase(pole);
      open.erase(place);
    }
    static constexpr std::array forward{"2", "3", "4", "5", "10"};
    static constexpr std::array back{"-1", "-1", "-2", "-3", "-s"};
    for (std::string* gain : open)
      *gain = below(2) == 0 && gain_number < 2 ? "K" + std::to_string(++gain_number) : one_of(forward);
    for (std::string& gain : texts_.bypasses) gain = one_of(forward);
    for (std::size_t i = 0; i < texts_.feedback.size(); ++i)
      texts_.feedback[i] =
          shape_.feedback[i].tail == shape_.feedback[i].head ? one_of(std::array{"-1", "-2", "-3"}) : one_of(back);
  }

  const TextbookShape& shape_;
  std::mt19937_64 random_;
  GainTexts texts_;
};

/// In the order of the eye: along the line, then what passes above and what leads back, from left to right.
TextbookShape in_reading_order(TextbookShape shape) {
  const auto by_left_end = [](const Arc& a, const Arc& b) {
    return std::pair(std::min(a.tail, a.head), std::max(a.tail, a.head)) <
           std::pair(std::min(b.tail, b.head), std::max(b.tail, b.head));
  };
  std::ranges::sort(shape.bypasses, by_left_end);
  std::ranges::sort(shape.feedback, by_left_end);
  return shape;
}

SignalFlowGraph graph_of(const TextbookShape& shape, const GainTexts& gains, std::uint64_t seed) {
  SignalFlowGraph graph;
  graph.title = "Exercise " + std::to_string(seed);
  std::vector<NodeId> line;
  for (std::size_t i = 0; i < shape.nodes; ++i)
    line.push_back(graph.node(i == 0 ? "R" : i + 1 == shape.nodes ? "C" : "x" + std::to_string(i)));
  graph.inputs = {line.front()};
  graph.outputs = {line.back()};
  const auto add = [&](std::size_t tail, std::size_t head, const std::string& gain) {
    graph.add_branch(line[tail], line[head], parse(gain, graph.symbols));
  };
  for (std::size_t i = 0; i + 1 < shape.nodes; ++i) add(i, i + 1, gains.line[i]);
  for (std::size_t i = 0; i < shape.bypasses.size(); ++i) add(shape.bypasses[i].tail, shape.bypasses[i].head, gains.bypasses[i]);
  for (std::size_t i = 0; i < shape.feedback.size(); ++i) add(shape.feedback[i].tail, shape.feedback[i].head, gains.feedback[i]);
  return graph;
}

/// The solution of a graph; nothing when its determinant vanishes or the gain does.
std::optional<MasonListing> solved(const SignalFlowGraph& graph, const Budget& budget) {
  try {
    MasonListing listing = mason(graph, {graph.inputs.front(), graph.outputs.front()}, {.budget = budget});
    if (listing.transmittance.is_zero()) return {};
    return listing;
  } catch (const NoAnswer&) {
    return {};
  }
}

ShapeCounts counts(const MasonListing& listing) {
  ShapeCounts found{.paths = listing.paths.size(), .loops = listing.loops.size()};
  for (const auto& loop : listing.loops) found.self_loops += loop.path.nodes.size() == 1 ? 1 : 0;
  for (const auto& set : listing.non_touching) {
    found.pairs += set.size() == 2 ? 1 : 0;
    found.triples += set.size() == 3 ? 1 : 0;
  }
  return found;
}

}  // namespace

Exercise exercise(const ShapeDemand& demand, std::uint64_t seed, const ExerciseOptions& options) {
  const TextbookShape shape = in_reading_order(textbook_shape(demand, seed, options.budget));
  GainChoice choice(shape, seed);
  const std::size_t tries = options.gains == ExerciseGains::symbols ? 1 : 12;
  std::optional<Exercise> best;
  std::size_t least = 0;
  for (std::size_t i = 0; i < tries || (!best && i < 20 * tries); ++i) {
    SignalFlowGraph graph = graph_of(shape, choice.of(options.gains), seed);
    auto solution = solved(graph, options.budget);
    if (!solution) continue;
    const std::size_t length = print(solution->transmittance, Notation::text, graph.op.symbol()).size();
    if (best && length >= least) continue;
    least = length;
    const ShapeCounts found = counts(*solution);
    best = Exercise{seed, std::move(graph), found, std::move(*solution)};
  }
  if (!best)
    throw NoAnswer("no gains were found with which the graph has a determinant",
                   "ask for gains in symbols, or take another seed");
  if (!demand.met_by(best->counts)) throw std::logic_error("exercise: Mason's rule counts otherwise than the search");
  return std::move(*best);
}

}  // namespace sfg
