#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sfg/analysis/exact_transfer.hpp"
#include "sfg/draw/plot.hpp"
#include "tools/load.hpp"

namespace sfg::command {

/// How a verb with numbers and a picture answers: by --json, else by the extension of -o, else as text.
enum class Answer { text, json, csv, picture };

/// @throws UsageError for an extension that is none of .txt .json .csv .svg .png .pdf.
Answer answer_of(const Arguments&);

/// The figure as SVG, PNG or PDF, by the extension of -o.
void put(Task&, const Figure&);

/// The transfer functions asked for, with numbers for all parameters.
std::vector<ExactTransfer> transfers_of(Task&);

/// Times from 0 to --until (or to where the slowest mode has settled), --points of them.
std::vector<double> times_of(const Arguments&, const std::vector<ExactTransfer>&);

/// --freq LO:HI:N or a list W1,W2,… in rad/s (in Hz with --hz).
std::vector<double> frequencies_of(const Arguments&);

/// The ends of --freq LO:HI (or LO:HI:N), rad/s; nothing when it is not given.
std::optional<std::pair<double, double>> range_of(const Arguments&);

/// The number of a word of the command line: decimal or fraction.
/// @throws UsageError naming the option.
double value_of(const std::string& option, const std::string& word);

/// Replaces dead time by a Padé approximant where --pade asks for it.
std::vector<ExactTransfer> approximated(const Arguments&, std::vector<ExactTransfer>);

Option dark_option();
Option pade_option();
std::vector<Option> frequency_options();
std::vector<Option> time_options();

}  // namespace sfg::command
