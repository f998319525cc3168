#include "sfg/write/study/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

using Bound = FittedParameter::Bound;

std::vector<std::string> names_undetermined(const Fit& fit) {
  std::vector<std::string> names;
  for (const FittedParameter& p : fit.parameters)
    if (!p.determined) names.push_back(p.name);
  return names;
}

std::string commas(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Table found_table(const Fit& fit) {
  Table table{{{words("parameter"), false, 12},
               {words("start"), true, 12},
               {words("found"), true, 16},
               {words("std"), true, 12},
               {words("95 % interval"), true, 28},
               {words(""), false, 0}},
              {},
              1};
  for (const FittedParameter& p : fit.parameters) {
    std::string remark;
    if (p.at_bound != Bound::none) remark = p.at_bound == Bound::low ? "at its lower bound" : "at its upper bound";
    if (!p.determined) remark = "not determined";
    table.rows.push_back({{Math::signal(p.name)},
                          {number_math(p.start)},
                          {number_math(p.value, 7)},
                          p.std ? Prose{number_math(*p.std, 3)} : words(""),
                          p.std ? Prose{number_math(p.interval_low), " … ", number_math(p.interval_high)} : words(""),
                          words(remark)});
  }
  return table;
}

Json square_matrix(const std::vector<double>& entries, std::size_t count) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < count; ++i)
    rows.push_back(json::numbers({entries.begin() + static_cast<std::ptrdiff_t>(i * count),
                                  entries.begin() + static_cast<std::ptrdiff_t>((i + 1) * count)}));
  return rows;
}

}  // namespace

std::string undetermined(const Fit& fit) {
  const std::vector<std::string> names = names_undetermined(fit);
  if (names.empty()) return "";
  const std::string what = "the data do not determine " + commas(names);
  if (fit.combinations.empty()) return what + " at all";
  return what + ", but of " + (names.size() == 1 ? "it " : "them ") + commas(fit.combinations);
}

Page page(const Fit& fit, const std::vector<TiedParameter>& tied) {
  Page page;
  page.add(found_table(fit));
  for (const TiedParameter& each : tied)
    page.add(Paragraph{{Math::signal(each.name), " = " + each.expression + " = ", number_math(each.value, 7)}, 1});
  page.add(Paragraph{{"rms of " + std::to_string(fit.samples) + " residuals: ", number_math(fit.rms)}});
  if (const std::string words = undetermined(fit); !words.empty()) page.add(Paragraph{{words}});
  for (std::size_t i = 0; i < fit.parameters.size(); ++i)
    for (std::size_t j = i + 1; j < fit.parameters.size(); ++j) {
      constexpr double high = 0.95;
      const double c = fit.correlation[i * fit.parameters.size() + j];
      if (std::abs(c) > high)
        page.add(Paragraph{{Math::signal(fit.parameters[i].name), " and ", Math::signal(fit.parameters[j].name),
                            fmt::format(" go together: their correlation is {:.4f}", c)}});
    }
  if (!fit.converged) page.add(Paragraph{{"not converged: these are the best values that were found"}});
  if (fit.starts > 1) page.add(Paragraph{{fmt::format("the best of {} starts", fit.starts)}, 0, true});
  for (const std::string& note : fit.notes) page.add(Paragraph{{note}, 0, true});
  return page;
}

void write_json(std::ostream& out, const Fit& fit, const std::vector<TiedParameter>& tied) {
  Json j{{"schema", "sfg/fit/1"}, {"parameters", Json::array()}};
  for (const FittedParameter& p : fit.parameters) {
    Json entry{{"name", p.name}, {"value", number(p.value)}, {"start", number(p.start)}, {"std", number(p.std)}};
    entry["interval"] = p.std ? json::numbers({p.interval_low, p.interval_high}) : Json(nullptr);
    if (p.at_bound != Bound::none) entry["at_bound"] = p.at_bound == Bound::low ? "low" : "high";
    j["parameters"].push_back(std::move(entry));
  }
  if (!tied.empty()) {
    j["tied"] = Json::array();
    for (const TiedParameter& each : tied)
      j["tied"].push_back({{"name", each.name}, {"expression", each.expression}, {"value", number(each.value)}});
  }
  j["rms"] = number(fit.rms);
  j["samples"] = fit.samples;
  j["correlation"] = square_matrix(fit.correlation, fit.parameters.size());
  j["covariance"] = square_matrix(fit.covariance, fit.parameters.size());
  j["converged"] = fit.converged;
  j["determined"] = fit.determined();
  if (!fit.determined()) {
    j["undetermined"] = names_undetermined(fit);
    j["combinations"] = fit.combinations;
  }
  j["starts"] = fit.starts;
  if (!fit.notes.empty()) j["notes"] = fit.notes;
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, std::span<const FittedSeries> series) {
  const auto quoted = [](const std::string& name) {
    if (name.find_first_of(",\"") == std::string::npos) return name;
    std::string text = "\"";
    for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + "\"";
  };
  for (std::size_t first = 0; first < series.size();) {
    std::size_t last = first;
    while (last < series.size() && series[last].record == series[first].record) ++last;
    const auto own = series.subspan(first, last - first);
    if (first > 0) out << '\n';
    out << (own.front().part.empty() ? "time" : "w");
    for (const FittedSeries& each : own)
      for (const char* suffix : {"", "_model", "_residual"}) out << ',' << quoted(each.name + suffix);
    out << '\n';
    std::map<std::size_t, double> rows;
    for (const FittedSeries& each : own)
      for (std::size_t i = 0; i < each.row.size(); ++i) rows[each.row[i]] = each.at[i];
    for (const auto& [row, at] : rows) {
      out << fmt::format("{}", at);
      for (const FittedSeries& each : own) {
        const auto place = static_cast<std::size_t>(std::ranges::lower_bound(each.row, row) - each.row.begin());
        if (place < each.row.size() && each.row[place] == row)
          out << fmt::format(",{},{},{}", each.measured[place], each.model[place], each.residual[place]);
        else
          out << ",,,";
      }
      out << '\n';
    }
    first = last;
  }
}

}  // namespace sfg
