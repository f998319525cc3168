#include "sfg/read/measurement/measurement.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sfg/read/measurement/csv_rows.hpp"
#include "sfg/read/measurement/headings.hpp"

namespace sfg {

namespace {

class MeasurementReading {
 public:
  MeasurementReading(CsvRows& rows, Problems& problems, Measurement& record, const MeasurementOptions& options)
      : rows_(rows), problems_(problems), record_(record), options_(options) {}

  void read(const MeasurableNames& names) {
    std::vector<CsvCell> row;
    if (!rows_.next(row))
      return problems_.error(whole(), "the file has no table", "write a heading, and a line of numbers for each sample");
    headings_ = headings(row, rows_, names, record_, problems_);
    if (problems_.any_errors()) return;
    if (record_.columns.empty())
      return problems_.error(rows_.place(row.front()), "all columns are of what drives the model, and none of what it answers",
                             "add a column of a signal that was measured");
    heading_ = row;
    for (const HeadingMeaning& meaning : headings_.cells)
      if (meaning.kind == HeadingMeaning::Kind::deviation) record_.columns[meaning.index].deviations.emplace();
    while (!problems_.full() && rows_.next(row)) {
      const bool empty = std::ranges::all_of(row, [](const CsvCell& cell) { return cell.text.empty(); });
      if (row.size() != heading_.size())
        wrong_length(row);
      else if (!empty)
        sample(row);
    }
    for (const MeasuredColumn& input : record_.inputs)
      if (!record_.at.empty() && !problems_.any_errors() &&
          std::ranges::none_of(input.samples, [](const auto& sample) { return sample.has_value(); }))
        problems_.error(input.where, "the input has no sample", "fill a cell of it, or leave the column out");
    if (record_.at.empty() && !problems_.any_errors())
      problems_.error(rows_.place(heading_.front()), "there is no sample below the heading", "write a line of numbers for each");
  }

 private:
  SourceSpan whole() const {
    SourceSpan span;
    span.file = std::make_shared<const std::string>(record_.file);
    span.line = span.column = 1;
    return span;
  }

  void wrong_length(const std::vector<CsvCell>& row) {
    const bool split = rows_.separator() == ',' && row.size() > heading_.size();
    problems_.error(rows_.place(row.front()),
                    "the row has " + counted(row.size(), "cell") + ", and the heading has " + counted(heading_.size(), "column"),
                    split ? "write decimals with a point (with a comma they need semicolons or tabs between the cells)"
                          : "write one cell for each column, an empty one where there is no sample");
  }

  /// Nothing in an empty cell, and in a wrong one, which is reported.
  std::optional<double> number(const CsvCell& cell) {
    if (cell.text.empty()) return {};
    std::string digits = cell.text;
    if (digits.front() == '+' && digits.size() > 1 && digits[1] != '-') digits.erase(0, 1);
    const std::size_t comma = digits.find(',');
    if (options_.decimal_comma && digits.find('.') != std::string::npos)
      return refuse(cell, "a point in " + in_quotes(cell.text) + ", where decimals have a comma",
                    "write the decimals alike, without separators of thousands");
    if (comma != std::string::npos) digits[comma] = '.';
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool read = end == digits.data() + digits.size();
    if (read && comma != std::string::npos && !options_.decimal_comma)
      return refuse(cell, "a decimal comma: " + in_quotes(cell.text),
                    Remedy(expect_decimal_commas) | Remedy("write decimals with a point"));
    if (read && (error == std::errc::result_out_of_range || (error == std::errc{} && !std::isfinite(value))))
      return refuse(cell, "not a finite number: " + in_quotes(cell.text), "leave the cell empty where there is no sample");
    if (!read || error != std::errc{})
      return refuse(cell, "not a number: " + in_quotes(cell.text), "write a number such as 0.1 or 1e-3, or leave the cell empty");
    return value;
  }

  std::optional<double> refuse(const CsvCell& cell, std::string message, Remedy hint) {
    problems_.error(rows_.place(cell), std::move(message), std::move(hint));
    return {};
  }

  void axis(const CsvCell& cell) {
    if (cell.text.empty())
      return void(refuse(cell, "samples without a time or frequency", "fill the cell, or leave the row out"));
    std::optional<double> value = number(cell);
    if (!value) return;
    *value *= headings_.scale;
    const bool frequency = record_.axis == MeasuredAxis::frequency;
    if (frequency && *value <= 0)
      return void(refuse(cell, "the frequency " + in_quotes(cell.text) + " is not above 0", "leave the row out"));
    if (!std::isfinite(*value)) return void(refuse(cell, "not a finite number: " + in_quotes(cell.text), "leave the row out"));
    if (!frequency && !record_.at.empty() && *value < record_.at.back())
      refuse(cell, "the time goes back, to " + in_quotes(cell.text),
             "sort the rows by time; give records of their own a file each");
    record_.at.push_back(*value);
  }

  void sample(const std::vector<CsvCell>& row) {
    record_.lines.push_back(rows_.place(row.front()).line);
    for (std::size_t k = 0; k < row.size(); ++k) {
      const auto [kind, index] = headings_.cells[k];
      switch (kind) {
        case HeadingMeaning::Kind::axis: axis(row[k]); break;
        case HeadingMeaning::Kind::column: record_.columns[index].samples.push_back(number(row[k])); break;
        case HeadingMeaning::Kind::input: record_.inputs[index].samples.push_back(number(row[k])); break;
        case HeadingMeaning::Kind::deviation: spread(row[k], record_.columns[index]); break;
        case HeadingMeaning::Kind::nothing:
          if (!row[k].text.empty()) refuse(row[k], "a cell in a column without a name", "name the column, or leave it out");
      }
    }
    for (std::size_t k = 0; k < row.size(); ++k)
      if (headings_.cells[k].kind == HeadingMeaning::Kind::deviation) {
        MeasuredColumn& column = record_.columns[headings_.cells[k].index];
        if (row[k].text.empty() && column.samples.back())
          refuse(row[k], "a sample without its deviation", "fill the cell, or leave the column of deviations out");
      }
  }

  void spread(const CsvCell& cell, MeasuredColumn& column) {
    std::optional<double> value = number(cell);
    if (value && *value <= 0)
      value = refuse(cell, "the deviation " + in_quotes(cell.text) + " is not above 0", "write a standard deviation");
    column.deviations->push_back(value.value_or(0));
  }

  CsvRows& rows_;
  Problems& problems_;
  Measurement& record_;
  MeasurementOptions options_;
  std::vector<CsvCell> heading_;
  Headings headings_;
};

}  // namespace

Measurement read_measurement(std::string_view text, const std::string& file, const MeasurableNames& names,
                             const MeasurementOptions& options) {
  const SourceText source(text, file);
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  Measurement record{.file = file};
  CsvRows rows(source, problems);
  MeasurementReading(rows, problems, record, options).read(names);
  problems.finish(nullptr);
  return record;
}

}  // namespace sfg
