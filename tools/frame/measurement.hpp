#pragma once
#include <functional>
#include <iosfwd>
#include <optional>
#include <span>
#include <sstream>
#include <vector>

#include "sfg/model/simulation.hpp"
#include "sfg/read/measurement/measurement.hpp"
#include "sfg/write/frequency_response.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/verb.hpp"

namespace sfg::command {

/// --data and --decimal-comma. @param what  is measured: "frequency responses"
std::vector<Option> data_options(const std::string& what);

/// The files of --data; none without it. @throws sfg::Error for what is wrong in them
std::vector<Measurement> measurements(const Task&, const MeasurableNames&);
/// Names of responses to what each question's input is, as step and impulse give them.
MeasurableNames measurable_responses(const SignalFlowGraph&, const std::vector<Question>&);
/// The signals and inputs of a simulation.
MeasurableNames measurable_signals(const SignalFlowGraph&, const std::vector<NodeId>& outputs);

/// The last time of the records; nothing where there are none, and where it is not above 0.
std::optional<double> last_measured(std::span<const Measurement>);
/// What drove the model, by the name of the input, from t = 0 on. @throws UsageError where several records state it
std::vector<std::pair<std::string, SampledSignal>> measured_inputs(std::span<const Measurement>);
/// Says that they are not used by a response to something else.
void note_inputs(Task&, std::span<const Measurement>, const std::string& verb);
/// Says what of the records lies before the start of a simulation, and has nothing beside it.
void note_before_start(Task&, std::span<const Measurement>);
/// Units of headings that are not the model's.
void note_units(Task&, std::span<const Measurement>);

/// An answer in JSON, longer by what was measured.
template <class Item>
void write_beside(std::ostream& out, const std::vector<Item>& measured, const std::function<void(std::ostream&)>& write) {
  if (measured.empty()) return write(out);
  std::ostringstream text;
  write(text);
  out << with_measured(text.str(), std::span<const Item>(measured));
}

}  // namespace sfg::command
