#include "sfg/read/spice/netlist_inputs.hpp"

#include <algorithm>

namespace sfg {

void note_waveform(const NetlistToken& source, const StatedSource& stated, std::vector<Diagnostic>& notes) {
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
                     "DC values of sources are left out: '" + small_signal +
                         "' stands at its operating point, from which signals are deviations",
                     laws ? "state the operating point of what is nonlinear" : "", laws ? Severity::warning : Severity::note});
  }
}

}  // namespace sfg
