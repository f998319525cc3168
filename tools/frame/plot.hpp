#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sfg/plot/plot.hpp"
#include "sfg/transfer/exact_transfer.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/show.hpp"

namespace sfg::command {

/// How a verb with numbers and a picture answers: by --json, else by the extension of -o, else as a page in some notation.
enum class Answer { text, json, csv, picture };

/// What a verb that draws curves writes beside text and JSON.
inline constexpr std::array curves{Answer::csv, Answer::picture};

/// @param besides  what the verb writes beside text and JSON
/// @throws UsageError when the name of -o asks for anything else.
Answer answer_of(const Arguments&, std::span<const Answer> besides);

/// The figure as SVG, PNG or PDF, by the extension of -o; light or dark as asked, below its title what --set states.
void put(Task&, Figure);

/// The transfer functions asked for, with numbers for all parameters.
std::vector<ExactTransfer> transfers_of(Task&, const SignalFlowGraph&);

/// The last time and the number of points as stated ("": not), and a last time where none is.
struct TimeAxis {
  std::string until;
  std::string points;
  double otherwise = 1;
  std::size_t usual = 201;  ///< points where none are stated: more for a picture, whose curves should look smooth
};
TimeAxis time_axis(const Arguments&, double otherwise);
/// The same, with what the input states of its simulation where the words state nothing.
TimeAxis time_axis(const Arguments&, const Input&, double otherwise);
/// Times from 0 to the last one, each correctly rounded.
std::vector<double> even_times(const TimeAxis&);
/// k·h up to the last time, or as many samples as points.
std::vector<double> sample_times(const TimeAxis&, const exact::Rational& sample_time);

/// The graph with the sample time of --sample-time, where that is given.
SignalFlowGraph sampled(const Arguments&, SignalFlowGraph);
Option sample_time_option();

/// --freq LO:HI:N or a list W1,W2,… in rad/s (in Hz with --hz).
/// @throws UsageError for --hz where no frequencies are stated that it could be the unit of.
void refuse_idle_hertz(const Arguments&);
std::vector<double> frequencies_of(const Arguments&);

/// The ends of --freq LO:HI (or LO:HI:N), rad/s; nothing when it is not given.
std::optional<std::pair<double, double>> range_of(const Arguments&);

/// The number of a word of the command line: decimal or fraction.
/// @throws UsageError naming the option.
double value_of(const std::string& option, const std::string& word);

exact::Rational exact_value_of(const std::string& option, const std::string& word);  ///< the same, not rounded

exact::Rational positive_value_of(const std::string& option, const std::string& word);  ///< and above 0

/// Replaces dead time by a Padé approximant where --pade asks for it.
std::vector<ExactTransfer> approximated(Task&, std::vector<ExactTransfer>);
SignalFlowGraph approximated(Task&, SignalFlowGraph);

Option dark_option();
/// What every plot takes beside its theme and --width; verb_table() gives it to the verbs that draw one.
std::vector<Option> plot_option_table();
Option pade_option();
std::vector<Option> frequency_options();
std::vector<Option> time_options();

}  // namespace sfg::command
