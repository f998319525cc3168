#include "sfg/write/balance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::numbers;

namespace {

double amplitude(const PeriodicMotion& motion, std::size_t signal, std::size_t subharmonic) {
  return std::abs(motion.harmonics[signal][subharmonic]);
}

double largest(const PeriodicMotion& motion) {
  double most = 0;
  for (const auto& m : motion.multipliers) most = std::max(most, std::abs(m));
  return most;
}

const char* word(const std::optional<bool>& stable) { return !stable ? "not known" : *stable ? "stable" : "unstable"; }

const char* word(MotionMark::Kind kind) { return kind == MotionMark::Kind::fold ? "fold" : "branch point"; }

Prose frequency_head(bool hertz) { return hertz ? Prose{words("f, Hz")} : Prose{Math::name("omega"), ", rad/s"}; }

Table motions(const PeriodicMotions& all, double unit, bool hertz) {
  Table table{{{frequency_head(hertz), true, 12}}, {}, 0};
  for (const std::string& signal : all.signals) table.columns.push_back({{"|", Math::signal(signal), "|"}, true, 14});
  const bool judged = std::ranges::any_of(all.points, [](const auto& p) { return p.stable.has_value(); });
  if (judged) table.columns.push_back({words("stability")});
  for (const PeriodicMotion& motion : all.points) {
    std::vector<Prose> row{{number_math(motion.frequency / unit)}};
    for (std::size_t i = 0; i < all.signals.size(); ++i) row.push_back({number_math(amplitude(motion, i, all.subharmonic))});
    if (judged) {
      std::string verdict = word(motion.stable);
      if (!motion.multipliers.empty()) verdict += fmt::format(", largest multiplier {:.4g}", largest(motion));
      row.push_back(words(verdict));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table marks(const PeriodicMotions& all, double unit, bool hertz) {
  Table table{{{{}}, {frequency_head(hertz), true, 12}}, {}, 0};
  for (const std::string& signal : all.signals) table.columns.push_back({{"|", Math::signal(signal), "|"}, true, 14});
  for (const MotionMark& mark : all.marks) {
    std::vector<Prose> row{words(word(mark.kind)), {number_math(mark.frequency / unit)}};
    for (const double a : mark.amplitude) row.push_back({number_math(a)});
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// About ten motions of each backbone curve.
void add_backbones(Page& page, const PeriodicMotions& all, double unit, bool hertz) {
  constexpr std::size_t rows = 10;
  for (const BackboneMotions& backbone : all.backbones) {
    page.add(Gap{});
    page.add(Paragraph{words("backbone curve: motions a quarter behind the inputs")});
    Table table{{{frequency_head(hertz), true, 12}}, {}, 0};
    for (const std::string& signal : all.signals) table.columns.push_back({{"|", Math::signal(signal), "|"}, true, 14});
    table.columns.push_back({words("times the inputs"), true, 16});
    const std::size_t count = backbone.frequency.size(), step = std::max<std::size_t>(1, (count - 1 + rows - 1) / rows);
    for (std::size_t i = 0; i < count; i += step) {
      std::vector<Prose> row{{number_math(backbone.frequency[i] / unit, 5)}};
      for (const auto& amplitude : backbone.amplitude) row.push_back({number_math(amplitude[i], 5)});
      row.push_back({number_math(backbone.level[i], 5)});
      table.rows.push_back(std::move(row));
    }
    page.add(std::move(table));
  }
}

/// Of each signal: a row a motion, a column a parameter.
void add_derivatives(Page& page, const PeriodicMotions& all, double unit, bool hertz) {
  if (all.parameters.empty()) return;
  for (std::size_t i = 0; i < all.signals.size(); ++i) {
    page.add(Gap{});
    page.add(Paragraph{{"derivatives of |", Math::signal(all.signals[i]), "|"}});
    Table table{{{frequency_head(hertz), true, 12}, {{"|", Math::signal(all.signals[i]), "|"}, true, 14}}, {}, 0};
    for (const std::string& parameter : all.parameters) table.columns.push_back({{"d/d", Math::name(parameter)}, true, 12});
    for (const PeriodicMotion& motion : all.points) {
      std::vector<Prose> row{{number_math(motion.frequency / unit)}, {number_math(amplitude(motion, i, all.subharmonic))}};
      for (const double d : motion.derivatives[i]) row.push_back({number_math(d)});
      if (motion.near_fold) row.push_back(words("near a fold"));
      table.rows.push_back(std::move(row));
    }
    if (std::ranges::any_of(all.points, &PeriodicMotion::near_fold)) table.columns.push_back({});
    page.add(std::move(table));
  }
}

Json json_of_motions(const PeriodicMotion& motion, const PeriodicMotions& all) {
  Json j{{"frequency", motion.frequency}, {"amplitude", Json::object()}, {"harmonics", Json::object()}};
  for (std::size_t i = 0; i < all.signals.size(); ++i) {
    j["amplitude"][all.signals[i]] = number(amplitude(motion, i, all.subharmonic));
    Json list = Json::array();
    for (const auto& X : motion.harmonics[i]) list.push_back(json::complex(X));
    j["harmonics"][all.signals[i]] = std::move(list);
  }
  j["stable"] = motion.stable ? Json(*motion.stable) : Json(nullptr);
  j["multipliers"] = Json::array();
  for (const auto& m : motion.multipliers) j["multipliers"].push_back(json::complex(m));
  j["curve"] = motion.curve;
  if (motion.error) j["error"] = *motion.error;
  const MotionConfirmation& c = motion.confirmation;
  j["confirmed"] = c.confirmed ? Json(*c.confirmed) : Json(nullptr);
  if (c.periods > 0) j["periods"] = c.periods, j["deviation"] = c.deviation;
  if (!c.confirmed) j["reason"] = c.reason;
  if (all.parameters.empty()) return j;
  for (std::size_t i = 0; i < all.signals.size(); ++i)
    for (std::size_t p = 0; p < all.parameters.size(); ++p)
      j["derivatives"][all.signals[i]][all.parameters[p]] = number(motion.derivatives[i][p]);
  j["near_fold"] = motion.near_fold;
  return j;
}

Json json_of_motions(const MotionCurve& curve, const PeriodicMotions& all) {
  Json j{{"frequency", numbers(curve.frequency)}, {"amplitude", Json::object()}, {"stable", Json::array()}};
  for (std::size_t i = 0; i < all.signals.size(); ++i) j["amplitude"][all.signals[i]] = numbers(curve.amplitude[i]);
  for (const auto& stable : curve.stable) j["stable"].push_back(stable ? Json(*stable) : Json(nullptr));
  return j;
}

}  // namespace

Page page(const PeriodicMotions& all, bool hertz) {
  const double unit = hertz ? per_hertz : 1;
  Page page;
  Prose head{all.harmonics == 1 ? std::string("periodic motion by describing functions")
                                : fmt::format("periodic motion by harmonic balance with {} harmonics", all.harmonics)};
  if (all.subharmonic > 1) head.push_back(fmt::format(" of {} periods", all.subharmonic));
  if (!all.inputs.empty()) head.push_back(": amplitudes at the frequency of ");
  for (std::size_t i = 0; i < all.inputs.size(); ++i) {
    if (i > 0) head.push_back(", ");
    head.push_back(Math::signal(all.inputs[i]));
  }
  page.add(Paragraph{std::move(head)});
  page.add(motions(all, unit, hertz));
  if (!all.marks.empty()) {
    page.add(Gap{});
    page.add(marks(all, unit, hertz));
  }
  add_backbones(page, all, unit, hertz);
  add_derivatives(page, all, unit, hertz);
  for (const std::string& note : all.notes) page.add(Paragraph{words("note: " + note)});
  return page;
}

void write_json(std::ostream& out, const PeriodicMotions& all) {
  Json j{{"schema", "sfg/balance/1"},      {"inputs", all.inputs},    {"signals", all.signals},  {"harmonics", all.harmonics},
         {"subharmonic", all.subharmonic}, {"points", Json::array()}, {"curves", Json::array()}, {"marks", Json::array()}};
  for (const PeriodicMotion& motion : all.points) j["points"].push_back(json_of_motions(motion, all));
  for (const MotionCurve& curve : all.curves) j["curves"].push_back(json_of_motions(curve, all));
  for (const MotionMark& mark : all.marks) {
    Json m{{"kind", mark.kind == MotionMark::Kind::fold ? "fold" : "branch_point"}, {"frequency", mark.frequency}};
    for (std::size_t i = 0; i < all.signals.size(); ++i) m["amplitude"][all.signals[i]] = number(mark.amplitude[i]);
    j["marks"].push_back(std::move(m));
  }
  for (const BackboneMotions& backbone : all.backbones) {
    Json b{{"frequency", numbers(backbone.frequency)}, {"level", numbers(backbone.level)}};
    for (std::size_t i = 0; i < all.signals.size(); ++i) b["amplitude"][all.signals[i]] = numbers(backbone.amplitude[i]);
    j["backbones"].push_back(std::move(b));
  }
  if (!all.notes.empty()) j["notes"] = all.notes;
  out << j.dump() << '\n';
}

void write_csv(std::ostream& out, const PeriodicMotions& all, bool hertz) {
  out << (hertz ? "f_hz" : "omega_rad_s");
  for (const std::string& signal : all.signals) out << ',' << signal;
  out << ",stable\n";
  for (const PeriodicMotion& motion : all.points) {
    out << print(motion.frequency / (hertz ? per_hertz : 1));
    for (std::size_t i = 0; i < all.signals.size(); ++i) out << ',' << print(amplitude(motion, i, all.subharmonic));
    out << ',' << (motion.stable ? (*motion.stable ? "1" : "0") : "") << '\n';
  }
}

}  // namespace sfg
