#include "sfg/write/frequency_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "sfg/expr/print.hpp"
#include "sfg/numeric/numbers.hpp"
#include "sfg/text/words.hpp"
#include "sfg/write/json_numbers.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

using json::Json;
using json::number;
using json::numbers;

namespace {

Json misfit_json(Json about, const Misfit& misfit) {
  about["samples"] = misfit.samples;
  about["rms"] = number(misfit.rms);
  about["fit_percent"] = number(misfit.fit);
  return about;
}

Json misfit_json(Json about, const TransferMisfit& misfit) {
  about = misfit_json(std::move(about), misfit.value);
  about["rms_db"] = number(misfit.decibels.rms);
  about["rms_deg"] = number(misfit.degrees.rms);
  return about;
}

/// One record is an object, several are a list of them.
Json of_records(const std::vector<Json>& records) { return records.size() == 1 ? records.front() : Json(records); }

std::string with(std::string answer, const Json& data, const Json& misfits) {
  const std::size_t end = answer.rfind('}');
  answer.insert(end, ",\"data\":" + data.dump() + ",\"misfit\":" + misfits.dump());
  return answer;
}

/// Files in their order, with those of the items that are of each.
template <class Item, class Work>
std::vector<Json> each_record(std::span<const Item> items, Work work) {
  std::vector<Json> all;
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin;
    while (end < items.size() && items[end].file == items[begin].file) ++end;
    all.push_back(work(items.subspan(begin, end - begin)));
    begin = end;
  }
  return all;
}

Prose measure(const std::optional<double>& value) {
  if (!value) return words("-");
  return {number_math(*value, 4)};
}

constexpr const char* definition_of_misfit =
    "rms: root of the mean of |measured - model|^2; fit: 100 % (1 - |measured - model| / |measured - mean|), norms over all "
    "samples";

std::string name_of(const MeasuredTransfer& t) { return t.output + "/" + t.input; }
std::string name_of(const MeasuredSignal& s) { return s.name; }

Page table_of(Table table, std::size_t decibels_alone) {
  Page page;
  page.add(Gap{});
  page.add(std::move(table));
  page.add(Paragraph{words(definition_of_misfit), 1});
  if (decibels_alone > 0)
    page.add(Paragraph{words("where magnitude or phase alone was measured, the fit is that of its decibels or degrees"), 1});
  return page;
}

Table transfer_table(bool files) {
  Table table{{{words("measured")},
               {words("samples"), true, 8},
               {words("rms"), true, 11},
               {words("rms, dB"), true, 11},
               {words("rms, deg"), true, 11},
               {words("fit, %"), true, 8}},
              {},
              1};
  if (files) table.columns.push_back({words("file")});
  return table;
}

std::vector<Prose> transfer_row(std::string name, const TransferMisfit& m) {
  return {words(std::move(name)), {number_math(static_cast<double>(m.value.samples))},
          measure(m.value.rms),   measure(m.decibels.rms),
          measure(m.degrees.rms), measure(m.value.fit)};
}

template <class Item>
bool several_files(std::span<const Item> items) {
  return std::ranges::any_of(items, [&](const Item& item) { return item.file != items.front().file; });
}

/// Of several files each says which.
template <class Item>
Json of_file(Json about, const Item& item, std::span<const Item> all) {
  if (several_files(all)) about["file"] = item.file;
  return about;
}

std::size_t samples_of(const MeasuredTransfer& t) { return t.frequency.size(); }
std::size_t samples_of(const MeasuredSignal& s) { return s.time.size(); }

template <class Item>
std::vector<std::string> measured_names(std::span<const Item> items) {
  std::vector<std::string> names;
  for (const Item& item : items)
    if (std::ranges::find(names, name_of(item)) == names.end()) names.push_back(name_of(item));
  return names;
}

/// A line a sample of each record, with what every item of the record has there.
template <class Item, class Fill>
void write_rows(std::ostream& out, std::span<const Item> items, const std::vector<std::string>& heads,
                const std::vector<std::string>& names, Fill fill) {
  const bool files = several_files(items);
  out << (files ? "file," : "") << heads.front();
  for (std::size_t k = 1; k < heads.size(); ++k) out << ',' << quoted_field(heads[k]);
  out << '\n';
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin;
    while (end < items.size() && items[end].file == items[begin].file) ++end;
    for (std::size_t k = 0; k < samples_of(items[begin]); ++k) {
      std::vector<std::string> row(heads.size());
      for (std::size_t i = begin; i < end; ++i)
        fill(items[i], k, static_cast<std::size_t>(std::ranges::find(names, name_of(items[i])) - names.begin()), row);
      out << (files ? quoted_field(items[begin].file) + "," : "");
      for (std::size_t c = 0; c < row.size(); ++c) out << (c ? "," : "") << row[c];
      out << '\n';
    }
    begin = end;
  }
}

std::string csv_number(double value) { return std::isfinite(value) ? print(value) : ""; }

}  // namespace

std::string with_measured(std::string answer, std::span<const MeasuredTransfer> measured) {
  const auto data = each_record(measured, [](std::span<const MeasuredTransfer> record) {
    Json j{{"frequency", numbers(record.front().frequency)}, {"transfers", Json::array()}};
    for (const MeasuredTransfer& t : record) {
      Json transfer{{"input", t.input}, {"output", t.output}};
      if (t.in_full) {
        Json values = Json::array();
        for (const auto& z : t.value) values.push_back(json::complex(z));
        transfer["value"] = std::move(values);
      } else {
        transfer[t.phase_deg.empty() ? "magnitude_db" : "phase_deg"] =
            numbers(t.phase_deg.empty() ? t.magnitude_db : t.phase_deg);
      }
      j["transfers"].push_back(std::move(transfer));
    }
    return j;
  });
  Json misfits = Json::array();
  for (const MeasuredTransfer& t : measured)
    misfits.push_back(misfit_json(of_file(Json{{"input", t.input}, {"output", t.output}}, t, measured), t.misfit));
  return with(std::move(answer), of_records(data), misfits);
}

std::string with_measured(std::string answer, std::span<const MeasuredSignal> measured) {
  const auto data = each_record(measured, [](std::span<const MeasuredSignal> record) {
    Json j{{"time", numbers(record.front().time)}, {"signals", Json::object()}};
    for (const MeasuredSignal& s : record) j["signals"][s.name] = numbers(s.value);
    return j;
  });
  Json misfits = Json::array();
  for (const MeasuredSignal& s : measured)
    misfits.push_back(misfit_json(of_file(Json{{"signal", s.name}}, s, measured), s.misfit));
  return with(std::move(answer), of_records(data), misfits);
}

std::string with_measured(std::string answer, const MeasuredPorts& ports, std::span<const MeasuredTransfer> entries) {
  Json matrix = Json::array();
  for (const auto& row : ports.matrix) {
    matrix.push_back(Json::array());
    for (const auto& samples : row) {
      Json values = Json::array();
      for (const auto& z : samples) values.push_back(json::complex(z));
      matrix.back().push_back(std::move(values));
    }
  }
  Json misfits = Json::array();
  for (std::size_t k = 0; k < entries.size(); ++k)
    misfits.push_back(misfit_json(Json{{"entry", {k / ports.ports + 1, k % ports.ports + 1}}}, entries[k].misfit));
  return with(std::move(answer), {{"frequency", numbers(ports.frequency)}, {"z0", ports.z0}, {"matrix", std::move(matrix)}},
              misfits);
}

Page page(std::span<const MeasuredTransfer> measured) {
  const bool files = several_files(measured);
  Table table = transfer_table(files);
  std::size_t alone = 0;
  for (const MeasuredTransfer& t : measured) {
    if (!t.in_full) ++alone;
    table.rows.push_back(transfer_row(name_of(t), t.misfit));
    if (files) table.rows.back().push_back(words(t.file));
  }
  return table_of(std::move(table), alone);
}

Page page(std::span<const MeasuredSignal> measured) {
  const bool files = several_files(measured);
  Table table{{{words("measured")}, {words("samples"), true, 8}, {words("rms"), true, 11}, {words("fit, %"), true, 8}}, {}, 1};
  if (files) table.columns.push_back({words("file")});
  for (const MeasuredSignal& s : measured) {
    const Misfit& m = s.misfit;
    table.rows.push_back({words(s.name), {number_math(static_cast<double>(m.samples))}, measure(m.rms), measure(m.fit)});
    if (files) table.rows.back().push_back(words(s.file));
  }
  return table_of(std::move(table), 0);
}

Page page(const MeasuredPorts&, std::span<const MeasuredTransfer> entries) {
  Table table = transfer_table(false);
  for (const MeasuredTransfer& t : entries) table.rows.push_back(transfer_row("s" + t.output + t.input, t.misfit));
  return table_of(std::move(table), 0);
}

void write_csv(std::ostream& out, std::span<const MeasuredTransfer> measured, const FrequencyColumns& columns) {
  std::vector<std::string> heads{columns.hertz ? "frequency_Hz" : "omega_rad_s"};
  const auto names = measured_names(measured);
  for (const std::string& name : names)
    for (const char* of : {"", " model", " residual"})
      for (const char* part : {"re", "im", "dB", "deg"}) heads.push_back(fmt::format("{} {}{}", name, part, of));
  write_rows(
      out, measured, heads, names,
      [&](const MeasuredTransfer& t, std::size_t k, std::size_t place, std::vector<std::string>& row) {
        const std::complex<double> nowhere(undefined, undefined), z = t.in_full ? t.value[k] : nowhere, apart = z - t.model[k];
        const double size = t.magnitude_db.empty() ? undefined : t.magnitude_db[k],
                     angle = t.near_deg.empty() ? undefined : t.near_deg[k];
        row[0] = print(shown_frequency(t.frequency[k], columns));
        std::size_t next = 1 + 12 * place;
        for (const double value : {z.real(), z.imag(), size, angle, t.model[k].real(), t.model[k].imag(), t.model_db[k],
                                   t.model_deg[k], apart.real(), apart.imag(), size - t.model_db[k], angle - t.model_deg[k]})
          row[next++] = csv_number(value);
      });
}

void write_csv(std::ostream& out, std::span<const MeasuredSignal> measured) {
  std::vector<std::string> heads{"t"};
  const auto names = measured_names(measured);
  for (const std::string& name : names)
    for (const char* of : {"", " model", " residual"}) heads.push_back(name + of);
  write_rows(out, measured, heads, names,
             [&](const MeasuredSignal& s, std::size_t k, std::size_t place, std::vector<std::string>& row) {
               row[0] = print(s.time[k]);
               std::size_t next = 1 + 3 * place;
               for (const double value : {s.value[k], s.model[k], s.value[k] - s.model[k]}) row[next++] = csv_number(value);
             });
}

}  // namespace sfg
