#include <algorithm>
#include <map>

#include "sfg/model/signal_sum.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/read/spice/netlist_statements.hpp"

namespace sfg {

std::optional<Circuit::Probe> read_probe(std::string_view text, const Circuit& circuit) {
  std::map<std::string, std::string> spelling{{"v gnd", "0"}};
  for (const Circuit::Element& element : circuit.elements) {
    spelling.emplace("i " + lower_case(element.name), element.name);
    for (const std::string& node : element.nodes) spelling.emplace("v " + lower_case(node), node);
  }
  try {
    const NetlistText netlist = netlist_text("\n.print " + std::string(text) + "\n", "");
    if (netlist.statements.size() != 1 || netlist.statements[0].size() < 4) return {};
    const NetlistTokens tokens = NetlistTokens(netlist.statements[0]).subspan(1);
    const StatedProbe stated = stated_probe(tokens);
    if (stated.length != tokens.size() || lower_case(tokens[0].text).size() != 1) return {};
    Circuit::Probe probe;
    for (const NetlistToken& token : stated.names) {
      const auto known = spelling.find((stated.voltage ? "v " : "i ") + lower_case(token.text));
      const std::string name = known == spelling.end() ? token.text : known->second;
      (stated.voltage ? probe.nodes.emplace_back() : probe.element) = name;
      probe.name += (probe.name.empty() ? "" : ",") + name;
    }
    if (probe.nodes.size() == 2 && probe.nodes[1] == "0") {
      probe.nodes.pop_back();
      probe.name = probe.nodes[0];
    }
    probe.name = (stated.voltage ? "v(" : "i(") + probe.name + ")";
    return probe;
  } catch (const Error&) {
    return {};
  }
}

void measure(Circuit& circuit, std::string_view expression) {
  for (const std::string& written : names_in(expression)) {
    const std::string name = written.substr(std::min(written.find_first_not_of('D'), written.size()));
    const auto same = [&](const Circuit::Probe& other) { return other.name == name; };
    if (std::ranges::any_of(circuit.outputs, same)) continue;
    auto probe = read_probe(name, circuit);
    if (!probe) continue;
    probe->name = name;
    circuit.outputs.push_back(std::move(*probe));
  }
}

}  // namespace sfg
