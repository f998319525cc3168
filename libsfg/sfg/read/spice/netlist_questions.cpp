#include "sfg/read/spice/netlist_questions.hpp"

#include <algorithm>
#include <set>

#include "sfg/read/spice/netlist_entries.hpp"
#include "sfg/read/spice/netlist_laws.hpp"

namespace sfg {

void NetlistQuestions::operator()(const NetlistStatement& statement) const {
  NetlistTokens rest = NetlistTokens(statement).subspan(1);
  const bool tf = lower_case(statement[0].text) == ".tf";
  static const std::set<std::string> analyses{"ac", "dc", "tran", "op", "noise", "tf"};
  if (!tf && !rest.empty() && analyses.contains(lower_case(rest[0].text)) && (rest.size() < 2 || !rest[1].is('(')))
    rest = rest.subspan(1);
  while (!rest.empty()) {
    if (const std::size_t length = tf ? 0 : passed_over(rest))
      rest = rest.subspan(length);
    else if (rest.size() > 1 && rest[1].is('('))
      rest = probe(rest);
    else
      break;
  }
  if (tf && rest.size() == 1) {
    const auto source = elements_.find(lower_case(rest[0].text));
    if (source == elements_.end() || !is_source(circuit_.elements[source->second]))
      refuse(rest[0], "element '" + rest[0].text + "' is no independent source", "write .tf v(node) SOURCE");
    const std::string& input = circuit_.elements[source->second].name;
    if (std::ranges::find(circuit_.inputs, input) == circuit_.inputs.end()) circuit_.inputs.push_back(input);
  } else if (tf || !rest.empty()) {
    refuse(rest.empty() ? statement[0] : rest[0], "v(node), v(node1,node2) or i(element) is expected here",
           tf ? "write .tf v(node) SOURCE" : "write .print ac v(node)");
  }
}

/// What asks for nothing here: all, @m1[gm], p(R1); a node by its name alone is asked for. In tokens.
std::size_t NetlistQuestions::passed_over(NetlistTokens rest) const {
  static const std::set<std::string> everything{"all", "alli", "allv", "allp"};
  const std::string word = lower_case(rest[0].text);
  const bool called = rest.size() > 1 && rest[1].is('(');
  if (!called && everything.contains(word)) return 1;
  const bool power = called && word == "p" && rest.size() > 3;
  if (power || word.starts_with('@')) {
    notes_.push_back({rest[0].where,
                      "'" + (power ? "p(" + rest[2].text + ")" : rest[0].text) + "' is no signal, and not answered", "",
                      Severity::remark});
    return power ? 4 : 1;
  }
  if (called) return 0;
  for (const Circuit::Element& element : circuit_.elements)
    for (const std::string& node : element.nodes)
      if (lower_case(node) == word) {
        add(voltage_probe({node}, rest[0].where));
        return 1;
      }
  return 0;
}

void NetlistQuestions::add(Circuit::Probe asked) const {
  const auto same = [&](const Circuit::Probe& other) { return other.name == asked.name; };
  if (std::ranges::none_of(circuit_.outputs, same)) circuit_.outputs.push_back(std::move(asked));
}

NetlistTokens NetlistQuestions::probe(NetlistTokens rest) const {
  const StatedProbe stated = stated_probe(rest);
  Circuit::Probe result;
  result.where = rest[0].where;
  if (stated.voltage) {
    for (const NetlistToken& name : stated.names) result.nodes.push_back(node_name_(name));
    result = voltage_probe(std::move(result.nodes), result.where);
  } else {
    const auto known = elements_.find(lower_case(stated.names[0].text));
    result.element = known == elements_.end() ? stated.names[0].text : circuit_.elements[known->second].name;
    result.name = "i(" + result.element + ")";
  }
  add(std::move(result));
  return rest.subspan(stated.length);
}

void note_signals(const NetlistToken& source, const StatedSource& stated, std::vector<Diagnostic>& notes) {
  if (stated.scaled)
    notes.push_back(
        {stated.scaled->where,
         "size and phase of the AC value of '" + source.text + "' do not count: an answer is that to one unit of one source", "",
         Severity::remark});
  if (!stated.waveform) return;
  notes.push_back({stated.waveform->where,
                   "waveform '" + stated.waveform->text + "' of '" + source.text + "' is not followed: " +
                       (stated.rest ? "where it begins is the operating point" : "it has no part in the operating point"),
                   "give a simulation the signal", Severity::remark});
}

void NetlistInputs::add(const std::string& source, const StatedSource& stated, const GiNaC::ex& rest) {
  ++count_;
  if (stated.ac) driven_.push_back(source);
  if (!stated.zero) lively_.push_back(source);
  if (stated.rest) at_rest_.push_back({source, {rest, !stated.waveform}, stated.rest->where});
}

void NetlistInputs::state(Circuit& circuit, const NetlistToken& small_signal, std::vector<Diagnostic>& notes) const {
  if (circuit.inputs.empty()) circuit.inputs = driven_;
  if (circuit.inputs.empty() && lively_.size() < count_) circuit.inputs = lively_;
  if (small_signal.text.empty()) {
    for (const AtRest& source : at_rest_) state_rest(circuit.symbols, source.source, source.value, source.where);
  } else if (at_rest_.empty()) {
    notes.push_back({small_signal.where, "'" + small_signal.text + "' " + signals_are_deviations, "", Severity::note});
  } else {
    const bool laws = std::ranges::any_of(circuit.elements, [](const auto& element) { return !element.arguments.empty(); });
    notes.push_back({at_rest_.front().where,
                     "DC values of sources are left out: '" + small_signal.text + "' " + signals_are_deviations,
                     laws ? "state the operating point of what is nonlinear" : "", laws ? Severity::warning : Severity::note});
  }
}

void look_at_the_title(const NetlistText& text, const Circuit& circuit, const std::map<std::string, std::string>& nodes,
                       const std::map<std::string, std::size_t>& elements, std::vector<Diagnostic>& notes,
                       std::vector<Diagnostic>& problems) {
  const bool said = std::ranges::any_of(notes, [&](const Diagnostic& note) { return note.where == text.title_where; });
  if (!said && !reads_as_element(text.title_words, nodes, elements)) return;
  if (!said) notes.push_back(title_warning(text));
  if (text.title_words.empty()) return;
  const NetlistToken& name = text.title_words.front();
  name_the_title(name, text.title, std::ranges::any_of(circuit.elements, is_source), problems);
}

}  // namespace sfg
