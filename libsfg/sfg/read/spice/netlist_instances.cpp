#include "sfg/read/spice/netlist_instances.hpp"

#include <algorithm>

namespace sfg {

NetlistInstances::NetlistInstances(std::vector<std::string> asked, bool all) : asked_(std::move(asked)), all_(all) {
  for (std::string& word : asked_) word = lower_case(word);
}

void NetlistInstances::ask(NetlistTokens tokens) {
  for (const NetlistToken& token : tokens)
    if (token.kind != NetlistToken::Kind::sign) asked_.push_back(lower_case(token.text));
}

/// A word "m_X1", "v(m_X1)" or "R1_X2_X1" asks for what is in X1.
bool NetlistInstances::is_asked(const std::string& instance) const {
  const std::string end = "_" + lower_case(instance);
  return std::ranges::any_of(asked_, [&](const std::string& word) {
    for (std::size_t at = word.find(end); at != std::string::npos; at = word.find(end, at + 1)) {
      const std::size_t after = at + end.size();
      if (after == word.size() || std::string_view("(),{} +-*/").find(word[after]) != std::string_view::npos) return true;
    }
    return false;
  });
}

void NetlistInstances::own(std::size_t elements) {
  made_.owner.resize(elements, open_.empty() ? std::optional<std::size_t>() : open_.back());
}

bool NetlistInstances::enter(const NetlistToken& name, const NetlistSubcircuit& subcircuit, NetlistTokens given,
                             const NetlistScope& outer, NetlistScope& inner, std::size_t elements) {
  own(elements);
  const std::size_t index = made_.instances.size();
  NetlistBlocks::Instance& made = made_.instances.emplace_back();
  made.name = inner.suffix;
  made.of = subcircuit.name.text;
  if (!open_.empty()) made.parent = open_.back();
  made.where = name.where;
  for (const NetlistToken& port : subcircuit.ports) {
    made.ports.push_back(port.text);
    std::string& node = inner.nodes.at(lower_case(port.text));
    made.nodes.push_back(node);
    node = made.inner(made.ports.size() - 1);
  }
  Kind kind{&subcircuit, {}};
  const std::map<std::string, NetlistToken> stated = given_parameters(subcircuit, given);
  for (const auto& [name_of, fallback] : subcircuit.defaults) {
    const std::string parameter = lower_case(name_of.text);
    const auto here = stated.find(parameter);
    const NetlistToken& value = here == stated.end() ? fallback : here->second;
    const bool number = value.kind == NetlistToken::Kind::word && starts_number(value.text) && !is_zero(value);
    kind.second[parameter] = number ? "#" : value.text + (here == stated.end() ? "" : " in " + outer.suffix);
  }
  if (!all_ && !is_asked(made.name)) {
    const auto [known, fresh] = kinds_.emplace(std::move(kind), index);
    if (!fresh) {
      made.like = known->second;
      return false;
    }
  }
  open_.push_back(index);
  return true;
}

void NetlistInstances::leave(std::size_t elements) {
  own(elements);
  open_.pop_back();
}

NetlistBlocks NetlistInstances::blocks(Circuit circuit) && {
  std::map<std::string, std::optional<std::size_t>> owner;
  for (std::size_t i = 0; i < circuit.elements.size(); ++i) {
    if (i == made_.owner.size()) made_.owner.emplace_back();
    const Circuit::Element& element = circuit.elements[i];
    // Couplings are made at the end, and stand where their inductors do.
    if (element.kind == Circuit::Kind::coupling) made_.owner[i] = owner[element.controls.front()];
    owner[element.name] = made_.owner[i];
  }
  made_.circuit = std::move(circuit);
  return std::move(made_);
}

}  // namespace sfg
