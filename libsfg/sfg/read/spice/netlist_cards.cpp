#include "sfg/read/spice/netlist_cards.hpp"

#include <cctype>
#include <cmath>
#include <map>
#include <numbers>

#include "sfg/expr/constant.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {

namespace {

constexpr const char* form_of_ac = "write .ac dec N LOW HIGH (or oct, lin) with frequencies above 0 in Hz";

double number(const NetlistToken& token, const NetlistNumber& value) {
  const std::optional<double> found = double_value(value(token));
  if (!found || !std::isfinite(*found)) refuse(token, "entry '" + token.text + "' of .ac has no value", form_of_ac);
  return *found;
}

double frequency(const NetlistToken& token, const NetlistNumber& value) {
  const double hertz = number(token, value);
  if (hertz <= 0) refuse(token, "frequency '" + token.text + "' is not above 0", form_of_ac);
  return hertz;
}

/// From low to high by equal ratios, as simulators count; the high end closes the range where it falls between two.
std::vector<double> by_ratio(double low, double high, double steps_per_ratio, double ratio) {
  std::vector<double> hertz;
  constexpr double rounding = 1e-9;
  for (std::size_t k = 0;; ++k) {
    const double at = low * std::pow(ratio, static_cast<double>(k) / steps_per_ratio);
    if (at >= high * (1 - rounding)) break;
    hertz.push_back(at);
  }
  hertz.push_back(high);
  return hertz;
}

std::vector<double> evenly(double low, double high, double count) {
  std::vector<double> hertz;
  for (double k = 0; k + 1 < count; ++k) hertz.push_back(low + (high - low) * k / (count - 1));
  hertz.push_back(high);
  return hertz;
}

std::vector<double> frequencies_of_ac(const NetlistStatement& statement, const NetlistNumber& value) {
  const NetlistTokens rest = NetlistTokens(statement).subspan(1);
  const std::string kind = rest.empty() ? "" : lower_case(rest[0].text);
  std::vector<double> result;
  if (kind == "list" && rest.size() > 1) {
    for (const NetlistToken& token : rest.subspan(1)) result.push_back(frequency(token, value));
  } else {
    if (rest.size() != 4 || (kind != "dec" && kind != "oct" && kind != "lin"))
      refuse(statement[0], "statement '" + statement[0].text + "' is not complete", form_of_ac);
    const double count = number(rest[1], value), low = frequency(rest[2], value), high = frequency(rest[3], value);
    constexpr double most = 1e6;
    if (count < 1 || count != std::floor(count) || count > most)
      refuse(rest[1], "'" + rest[1].text + "' is no number of points", "write a whole number from 1 to 1000000");
    if (high < low) refuse(rest[3], "the range ends below its beginning", "write the lower frequency first");
    const double ratio = kind == "dec" ? 10 : 2;
    if (kind != "lin" && count * std::log(high / low) / std::log(ratio) > most)
      refuse(rest[1], "the range has more than a million points", "ask for fewer");
    result = kind == "lin" ? evenly(low, high, count) : by_ratio(low, high, count, ratio);
  }
  for (double& one : result) one *= 2 * std::numbers::pi;
  return result;
}

/// The last time, as exact as it was written.
std::string end_of_tran(const NetlistStatement& statement, const NetlistNumber& value) {
  const NetlistTokens rest = NetlistTokens(statement).subspan(1);
  std::vector<NetlistToken> times;
  for (const NetlistToken& token : rest) {
    const bool word = token.kind == NetlistToken::Kind::word && std::isalpha(static_cast<unsigned char>(token.text[0])) != 0;
    if (word && (!times.empty() || lower_case(token.text) == "uic")) break;  // uic, startup, steady
    times.push_back(token);
  }
  if (times.empty()) refuse(statement[0], "statement '" + statement[0].text + "' has no time", "write .tran STEP STOP");
  const NetlistToken& end = times[times.size() > 1 ? 1 : 0];
  const GiNaC::ex until = value(end);
  if (const auto seconds = double_value(until); !seconds || *seconds <= 0)
    refuse(end, "the time '" + end.text + "' is not above 0", "write .tran STEP STOP");
  return print(until);
}

}  // namespace

std::optional<Severity> severity_of_leaving_out(const std::string& head) {
  static const std::map<std::string, Severity> known{
      {".ac", Severity::note},        {".op", Severity::note},    {".backanno", Severity::note},  {".width", Severity::note},
      {".tran", Severity::remark},    {".dc", Severity::remark},  {".options", Severity::remark}, {".option", Severity::remark},
      {".nodeset", Severity::remark}, {".ic", Severity::remark},  {".four", Severity::remark},    {".noise", Severity::remark},
      {".sens", Severity::remark},    {".pz", Severity::remark},  {".disto", Severity::remark},   {".meas", Severity::remark},
      {".measure", Severity::remark}, {".net", Severity::remark}, {".wave", Severity::remark},    {".sp", Severity::remark},
      {".step", Severity::warning}};
  const auto found = known.find(head);
  return found == known.end() ? std::nullopt : std::optional(found->second);
}

Diagnostic left_out(const NetlistToken& head, Severity severity) {
  const bool counts = severity == Severity::warning;
  return {head.where,
          "statement '" + head.text +
              (counts ? "' is left out: the values are those of the netlist"
                      : "' has no meaning for transfer functions and is ignored"),
          counts ? Remedy(Advice::substitute_others) : Remedy(), severity};
}

void take_analysis(const NetlistStatement& statement, const NetlistNumber& value, StatedAnalyses& analyses,
                   std::vector<Diagnostic>& notes) {
  const bool ac = lower_case(statement[0].text) == ".ac";
  const auto say = [&](const SourceSpan& where, const std::string& message, const Remedy& hint, Severity severity) {
    notes.push_back({where, "statement '" + statement[0].text + "' " + message, hint, severity});
  };
  if (ac ? !analyses.frequency.empty() : analyses.until.has_value())
    return say(statement[0].where, "is left out: the first one counts", "", Severity::remark);
  try {
    if (ac)
      analyses.frequency = frequencies_of_ac(statement, value);
    else
      analyses.until = end_of_tran(statement, value);
    say(statement[0].where, ac ? "gives the frequencies where none are asked for" : "gives the last time where none is asked for",
        "", Severity::note);
  } catch (const Error& error) {
    const Diagnostic& problem = error.diagnostics().front();
    say(problem.where, "is left out: " + problem.message, problem.hint, Severity::remark);
  }
}

}  // namespace sfg
