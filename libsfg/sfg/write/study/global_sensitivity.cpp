#include "sfg/write/study/monte_carlo.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ostream>

#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;

namespace {

void begin(Page& page, const std::string& input, const std::string& output) {
  page.add(Paragraph{{Math::relation(Math::signal(input), "→", Math::signal(output))}});
}

Prose index_cell(double value) { return {number_math(value)}; }

/// "12 of 4096 base samples are left out: the measure does not exist there".
void add_failed(Page& page, std::size_t failed, const std::string& of_all) {
  if (failed == 0) return;
  page.add(Paragraph{
      {std::to_string(failed) + " of " + of_all + (failed == 1 ? " is" : " are") + " left out: the measure does not exist there"},
      1});
}

/// Positions of a list from the greatest value to the least, those that are no number last.
std::vector<std::size_t> descending(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto size = [&](std::size_t i) { return std::isnan(values[i]) ? -1.0 : values[i]; };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  return order;
}

Json indices_by_name(const std::vector<std::string>& names, const std::vector<double>& values) {
  Json result = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i) result[names[i]] = number(values[i]);
  return result;
}

Json head(const std::string& input, const std::string& output) {
  return {{"schema", "sfg/sens/1"}, {"input", input}, {"output", output}};
}

}  // namespace

namespace {

/// A share of the variance as columns of a table: its name, a list and the errors of it.
struct ShareColumns {
  const char* name;
  std::vector<double> SobolIndices::*value;
  std::vector<double> SobolIndices::*error;
};

std::vector<ShareColumns> share_columns(const SobolStudy& study) {
  std::vector<ShareColumns> columns{{"alone", &SobolIndices::first, &SobolIndices::first_error},
                                    {"in all", &SobolIndices::total, &SobolIndices::total_error}};
  if (study.correlated) columns.back().name = "by itself";
  if (study.correlated) columns.insert(columns.begin(), {"Shapley", &SobolIndices::shapley, &SobolIndices::shapley_error});
  return columns;
}

Table share_table(const SobolStudy& study, const SobolIndices& indices) {
  Table table{{{words("parameter"), false, 12}}, {}, 1};
  const std::vector<ShareColumns> columns = share_columns(study);
  for (const ShareColumns& column : columns) {
    table.columns.push_back({words(column.name), true, 12});
    table.columns.push_back({words("±"), true, 10});
  }
  for (const std::size_t i : descending(study.correlated ? indices.shapley : indices.total)) {
    table.rows.push_back({{Math::signal(study.parameters[i])}});
    for (const ShareColumns& column : columns) {
      table.rows.back().push_back({number_math((indices.*column.value)[i], 4)});
      table.rows.back().push_back({number_math((indices.*column.error)[i], 2)});
    }
  }
  return table;
}

}  // namespace

Page page(const SobolStudy& study, const std::string& input, const std::string& output) {
  Page page;
  begin(page, input, output);
  const std::string samples = std::to_string(study.samples) + " base samples";
  page.add(Paragraph{{"shares of the variance, from " + samples + " (" + std::to_string(study.evaluations) +
                      " values of each measure); ± half of a 95 % interval"}});
  if (study.correlated)
    page.add(
        Paragraph{{"the parameters are correlated: Shapley effects share the variance out and add up to 1; what goes when one "
                   "is known alone, and what one leaves by itself when all others are known, do not"}});
  for (const SobolIndices& indices : study.measures) {
    page.add(Gap{});
    page.add(Paragraph{{indices.measure + ": variance ", number_math(indices.variance)}});
    page.add(share_table(study, indices));
    add_failed(page, indices.failed, samples);
  }
  return page;
}

Page page(const MorrisStudy& study, const std::string& input, const std::string& output) {
  Page page;
  begin(page, input, output);
  page.add(Paragraph{
      {"elementary effects along " + std::to_string(study.trajectories) + " trajectories, per full width of each parameter"}});
  for (const MorrisEffects& effects : study.measures) {
    page.add(Gap{});
    page.add(Paragraph{{effects.measure + ":"}});
    Table table{
        {{words("parameter"), false, 12}, {words("mu*"), true, 14}, {words("mu"), true, 14}, {words("sigma"), true, 14}}, {}, 1};
    for (const std::size_t i : descending(effects.mu_star))
      table.rows.push_back({{Math::signal(study.parameters[i])},
                            index_cell(effects.mu_star[i]),
                            index_cell(effects.mu[i]),
                            index_cell(effects.sigma[i])});
    page.add(std::move(table));
    add_failed(page, effects.failed, std::to_string(study.trajectories * study.parameters.size()) + " effects");
  }
  return page;
}

Page page(const TornadoStudy& study, const std::string& input, const std::string& output) {
  Page page;
  begin(page, input, output);
  page.add(Paragraph{{"each parameter alone at both ends of its tolerance"}});
  for (const Tornado& tornado : study.measures) {
    page.add(Gap{});
    page.add(Paragraph{{tornado.measure + " = ", number_math(tornado.nominal), " at the stated values"}});
    Table table{
        {{words("parameter"), false, 12}, {words("at its low end"), true, 16}, {words("at its high end"), true, 16}}, {}, 1};
    bool fails = false;
    for (const TornadoBar& bar : tornado.bars) {
      table.rows.push_back({{Math::signal(bar.parameter)}, index_cell(bar.low), index_cell(bar.high)});
      fails = fails || std::isnan(bar.low) || std::isnan(bar.high);
    }
    page.add(std::move(table));
    if (fails) page.add(Paragraph{{"–: the measure does not exist there"}, 1});
  }
  return page;
}

void write_json(std::ostream& out, const SobolStudy& study, const std::string& input, const std::string& output) {
  Json j = head(input, output);
  j["study"] = {{"kind", "sobol"}, {"samples", study.samples}, {"seed", study.seed}, {"evaluations", study.evaluations}};
  if (study.correlated) j["study"]["correlated"] = true;
  j["sobol"] = Json::array();
  for (const SobolIndices& indices : study.measures) {
    Json entry{{"measure", indices.measure},
               {"variance", number(indices.variance)},
               {"first", indices_by_name(study.parameters, indices.first)},
               {"total", indices_by_name(study.parameters, indices.total)},
               {"first_error", indices_by_name(study.parameters, indices.first_error)},
               {"total_error", indices_by_name(study.parameters, indices.total_error)},
               {"failed", indices.failed}};
    if (study.correlated) {
      entry["shapley"] = indices_by_name(study.parameters, indices.shapley);
      entry["shapley_error"] = indices_by_name(study.parameters, indices.shapley_error);
    }
    j["sobol"].push_back(std::move(entry));
  }
  out << j.dump() << '\n';
}

void write_json(std::ostream& out, const MorrisStudy& study, const std::string& input, const std::string& output) {
  Json j = head(input, output);
  j["study"] = {
      {"kind", "morris"}, {"trajectories", study.trajectories}, {"seed", study.seed}, {"evaluations", study.evaluations}};
  j["morris"] = Json::array();
  for (const MorrisEffects& effects : study.measures)
    j["morris"].push_back({{"measure", effects.measure},
                           {"mu", indices_by_name(study.parameters, effects.mu)},
                           {"mu_star", indices_by_name(study.parameters, effects.mu_star)},
                           {"sigma", indices_by_name(study.parameters, effects.sigma)},
                           {"failed", effects.failed}});
  out << j.dump() << '\n';
}

void write_json(std::ostream& out, const TornadoStudy& study, const std::string& input, const std::string& output) {
  Json j = head(input, output);
  j["study"] = {{"kind", "tornado"}};
  j["tornado"] = Json::array();
  for (const Tornado& tornado : study.measures) {
    Json bars = Json::array();
    for (const TornadoBar& bar : tornado.bars)
      bars.push_back({{"parameter", bar.parameter}, {"low", number(bar.low)}, {"high", number(bar.high)}});
    j["tornado"].push_back({{"measure", tornado.measure}, {"nominal", number(tornado.nominal)}, {"bars", std::move(bars)}});
  }
  out << j.dump() << '\n';
}

}  // namespace sfg
