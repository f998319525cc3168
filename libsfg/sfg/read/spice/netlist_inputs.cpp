#include "sfg/read/spice/netlist_inputs.hpp"

#include <algorithm>

#include "sfg/read/spice/netlist_entries.hpp"

namespace sfg {

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

void NetlistInputs::state(Circuit& circuit, const std::string& small_signal, std::vector<Diagnostic>& notes) const {
  if (circuit.inputs.empty()) circuit.inputs = driven_;
  if (circuit.inputs.empty() && lively_.size() < count_) circuit.inputs = lively_;
  if (small_signal.empty()) {
    for (const AtRest& source : at_rest_) state_rest(circuit.symbols, source.source, source.value, source.where);
  } else if (!at_rest_.empty()) {
    const bool laws = std::ranges::any_of(circuit.elements, [](const auto& element) { return !element.arguments.empty(); });
    notes.push_back({at_rest_.front().where,
                     "DC values of sources are left out: '" + small_signal + "' " + signals_are_deviations,
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
