#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sfg/expr/parse.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/transfer/question.hpp"

namespace sfg::fuzz {

/// A graph of at most six nodes from bytes: three of them for every branch. The first node is the source.
class DrawnGraph {
 public:
  enum class Letters { free, with_values };

  DrawnGraph(std::string_view bytes, Letters letters) : bytes_(bytes) {
    const int nodes = 2 + draw(5);
    question_ = draw(256);
    if (letters == Letters::with_values)
      for (const char* name : {"a", "b", "k", "T"}) graph.symbols.add({.name = name, .value = GiNaC::ex(values_[draw(8)])});
    else
      place_ = std::min(place_ + 4, bytes_.size());
    const NodeId source = graph.node("r");
    graph.add_branch(source, node(draw(nodes)), 1);
    while (place_ + 3 <= bytes_.size() && graph.branches().size() < 14) {
      const NodeId from = node(draw(nodes)), to = node(draw(nodes));
      graph.add_branch(from, to, parse(gains_[static_cast<std::size_t>(draw(gains_.size()))], graph.symbols));
    }
    if (graph.nodes().size() < 2) return;
    const auto inner = [&](int byte) {
      return NodeId{1 + static_cast<std::uint32_t>(byte) % static_cast<std::uint32_t>(graph.nodes().size() - 1)};
    };
    question = Question{source, inner(question_ / 4)};
    if (question_ % 4 == 1) question = Question{inner(question_ / 16), inner(question_ / 4), Question::Mode::inject, {}};
    if (question_ % 4 == 2) question = Question{inner(question_ / 16), inner(question_ / 4), Question::Mode::ratio, source};
    graph.inputs = {source};
    graph.outputs = {inner(question_ / 4)};
  }

  SignalFlowGraph graph;
  std::optional<Question> question;

 private:
  /// The next byte, below a bound; 0 behind the end.
  int draw(std::size_t bound) {
    const int byte = place_ < bytes_.size() ? static_cast<unsigned char>(bytes_[place_]) : 0;
    ++place_;
    return byte % static_cast<int>(bound);
  }
  NodeId node(int number) { return graph.node(std::string(1, static_cast<char>('x' - number))); }

  static constexpr std::array<const char*, 24> gains_{
      "1",    "-1",  "a",     "b",     "k",       "1/s",       "-1/s",        "s",
      "1/2",  "-2",  "a*b",   "-a*k",  "k/s",     "1/(s + 1)", "1/(1 + T*s)", "(s - a)/(s + a)",
      "-k/a", "0.1", "1/s^2", "a + b", "sqrt(k)", "exp(-T*s)", "a/(s^2 + 1)", "-b/(s + k)"};
  static constexpr std::array<int, 8> values_{1, 2, 3, -1, 5, 0, 10, -7};

  std::string_view bytes_;
  std::size_t place_ = 0;
  int question_ = 0;
};

}  // namespace sfg::fuzz
