#include "sfg/export/simulink/simulink_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace sfg {

namespace {

/// Names of blocks have no line feeds, and neither begin nor end with the stroke that separates the levels.
std::string possible_name(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  if (name.starts_with('/')) name.insert(name.begin(), ' ');
  if (name.ends_with('/')) name += ' ';
  return name;
}

/// In a path a stroke of a name is doubled.
std::string in_path(const std::string& name) {
  std::string text;
  for (const char c : name) text += c == '/' ? std::string("//") : std::string(1, c);
  return text;
}

}  // namespace

std::string matlab_string(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("''") : std::string(1, c);
  return quoted + "'";
}

SimulinkSystem::Index SimulinkSystem::add(SimulinkBlock block) {
  const std::string wanted = possible_name(block.name);
  block.name = wanted;
  for (int n = 2; !taken_.insert(block.name).second; ++n) block.name = wanted + " " + std::to_string(n);
  blocks_.push_back(std::move(block));
  return blocks_.size() - 1;
}

SimulinkSystem::Index SimulinkSystem::add_port(SimulinkBlock::Kind kind, const std::string& name) {
  const bool in = kind == SimulinkBlock::Kind::inport;
  const std::size_t number = in ? ++inports_ : ++outports_;
  return add({.name = name,
              .kind = kind,
              .library = in ? "built-in/Inport" : "built-in/Outport",
              .settings = {{"Port", std::to_string(number)}}});
}

SimulinkSystem::Index SimulinkSystem::sum(const std::string& name, const std::vector<std::pair<Index, std::size_t>>& terms) {
  if (terms.size() == 1 && terms[0].second == 1) return terms[0].first;
  const Index made = add({.name = name,
                          .kind = SimulinkBlock::Kind::sum,
                          .library = "built-in/Sum",
                          .settings = {{"Inputs", std::string(terms.size(), '+')}, {"IconShape", "rectangular"}},
                          .inputs = terms.size()});
  for (std::size_t k = 0; k < terms.size(); ++k) connect(terms[k].first, terms[k].second, made, k + 1);
  return made;
}

void SimulinkSystem::connect(Index from, std::size_t output, Index to, std::size_t input) {
  lines_.push_back({from, output, to, input});
}

void SimulinkSystem::write(std::ostream& out, const std::string& path) const {
  for (Index k = 0; k < blocks_.size(); ++k) {
    const SimulinkBlock& block = blocks_[k];
    const std::string own = path + "/" + in_path(block.name);
    out << fmt::format("add_block({}, {}, 'Position', [{} {} {} {}]", matlab_string(block.library), matlab_string(own),
                       block.position[0], block.position[1], block.position[2], block.position[3]);
    if (block.turned) out << ", 'Orientation', 'left'";
    for (const auto& [name, value] : block.settings) out << ", ...\n  '" << name << "', " << matlab_string(value);
    out << ");\n";
    if (const auto inner = inside_.find(k); inner != inside_.end()) inner->second.write(out, own);
  }
  for (const Line& line : lines_)
    out << fmt::format("add_line({}, {}, {}, 'autorouting', 'on');\n", matlab_string(path),
                       matlab_string(in_path(blocks_[line.from].name) + "/" + std::to_string(line.output)),
                       matlab_string(in_path(blocks_[line.to].name) + "/" + std::to_string(line.input)));
}

/// Nodes by system, block and port: those whose signal leaves a port, and those which a port leads to.
struct SimulinkSystem::Nodes {
  std::map<std::pair<const SimulinkSystem*, Index>, NodeId> own;

  NodeId leaving(const SimulinkSystem& system, Index block, std::size_t output) const {
    const auto inner = system.inside_.find(block);
    return inner == system.inside_.end() ? own.at({&system, block}) : port(inner->second, SimulinkBlock::Kind::outport, output);
  }
  NodeId entered(const SimulinkSystem& system, Index block, std::size_t input) const {
    const auto inner = system.inside_.find(block);
    return inner == system.inside_.end() ? own.at({&system, block}) : port(inner->second, SimulinkBlock::Kind::inport, input);
  }
  NodeId port(const SimulinkSystem& system, SimulinkBlock::Kind kind, std::size_t number) const {
    for (Index k = 0; k < system.blocks_.size(); ++k)
      if (system.blocks_[k].kind == kind && --number == 0) return own.at({&system, k});
    throw std::out_of_range("a port that the subsystem has not");
  }
};

void SimulinkSystem::add_nodes(SignalFlowGraph& graph, const std::string& prefix, Nodes& nodes) const {
  for (Index k = 0; k < blocks_.size(); ++k) {
    const SimulinkBlock& block = blocks_[k];
    if (const auto inner = inside_.find(k); inner != inside_.end())
      inner->second.add_nodes(graph, prefix + std::to_string(k) + "/", nodes);
    else if (prefix.empty() && (block.kind == SimulinkBlock::Kind::inport || block.kind == SimulinkBlock::Kind::outport))
      nodes.own[{this, k}] = graph.node((block.kind == SimulinkBlock::Kind::inport ? "in " : "out ") + block.name);
    else
      nodes.own[{this, k}] = graph.node("block " + prefix + std::to_string(k));
  }
}

void SimulinkSystem::add_branches(SignalFlowGraph& graph, const Nodes& nodes) const {
  for (const Line& line : lines_)
    graph.add_branch(nodes.leaving(*this, line.from, line.output), nodes.entered(*this, line.to, line.input),
                     inside_.contains(line.to) ? GiNaC::ex(1) : blocks_[line.to].gain);
  for (const auto& [block, inner] : inside_) inner.add_branches(graph, nodes);
}

SignalFlowGraph SimulinkSystem::read_back(const SignalFlowGraph& like) const {
  SignalFlowGraph graph;
  graph.op = like.op;
  graph.symbols = like.symbols;
  Nodes nodes;
  add_nodes(graph, "", nodes);
  add_branches(graph, nodes);
  return graph;
}

}  // namespace sfg
