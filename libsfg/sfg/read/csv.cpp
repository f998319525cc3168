#include "sfg/read/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

namespace {

struct CsvField {
  std::size_t begin = 0;
  std::string_view text;
};

bool is_blank_of_csv(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// The fields of a line: separated by , or ; — or by blanks where there is neither.
std::vector<CsvField> fields_of(std::string_view line, std::size_t begin) {
  const bool marked = line.find_first_of(",;") != std::string_view::npos;
  std::vector<CsvField> fields;
  std::size_t i = 0;
  const auto skip_blanks = [&] {
    while (i < line.size() && is_blank_of_csv(line[i])) ++i;
  };
  for (skip_blanks(); i < line.size() || (marked && !fields.empty() && i == line.size());) {
    const std::size_t start = i;
    while (i < line.size() && (marked ? line[i] != ',' && line[i] != ';' : !is_blank_of_csv(line[i]))) ++i;
    std::size_t end = i;
    while (end > start && is_blank_of_csv(line[end - 1])) --end;
    fields.push_back({begin + start, line.substr(start, end - start)});
    if (marked && i == line.size()) break;
    if (marked) ++i;
    skip_blanks();
  }
  return fields;
}

std::optional<double> number(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

class CsvReading {
 public:
  CsvReading(const SourceText& source, Problems& problems, bool points = false)
      : source_(source), problems_(problems), points_(points) {}

  SampledSignal signal() {
    const std::string_view text = source_.text();
    for (std::size_t begin = 0; begin < text.size() && !problems_.full();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin), begin);
      begin = end + 1;
    }
    if (signal_.time.empty() && !problems_.any_errors())
      problems_.error(source_.at(0), "the file has no points",
                      points_ ? "write lines of x and y: -0.5, 1.5" : "write lines of a time and a value: 0, 1.5");
    return std::move(signal_);
  }

 private:
  void line(std::string_view text, std::size_t begin) {
    const std::vector<CsvField> fields = fields_of(text, begin);
    if (fields.empty() || fields.front().text.starts_with('#')) return;
    const bool first = first_;
    first_ = false;
    const auto time = number(fields[0].text);
    if (first && !time) return;  // a heading
    if (fields.size() != 2)
      return problems_.error(
          source_.at(begin),
          "the line has " + std::to_string(fields.size()) + (fields.size() == 1 ? " column" : " columns") + ", not two",
          points_ ? "write x and y: 0.1, 1.5 (decimals with a point)"
                  : "write a time and a value: 0.1, 1.5 (decimals with a point)");
    const auto value = number(fields[1].text);
    for (std::size_t k = 0; k < 2; ++k)
      if (!(k == 0 ? time : value))
        problems_.error(source_.at(fields[k].begin, fields[k].text.size()), "not a finite number: " + in_quotes(fields[k].text),
                        "write a decimal: 0.1 or 1e-3");
    if (!time || !value) return;
    if (points_ && !signal_.time.empty() && *time <= signal_.time.back())
      return problems_.error(source_.at(fields[0].begin, fields[0].text.size()), "x is not above that of the point before",
                             "sort the lines by x, and state every x once");
    const double earliest = points_ ? *time : signal_.time.empty() ? 0.0 : signal_.time.back();
    if (*time < earliest)
      return problems_.error(source_.at(fields[0].begin, fields[0].text.size()),
                             signal_.time.empty() ? "a time below 0" : "the time goes back", "sort the lines by time, from 0 on");
    signal_.time.push_back(*time);
    signal_.value.push_back(*value);
  }

  const SourceText& source_;
  Problems& problems_;
  SampledSignal signal_;
  bool points_;
  bool first_ = true;
};

/// A square matrix under the names of its columns.
class CovarianceReading {
 public:
  CovarianceReading(const SourceText& source, Problems& problems) : source_(source), problems_(problems) {}

  Covariance matrix() {
    const std::string_view text = source_.text();
    for (std::size_t begin = 0; begin < text.size() && !problems_.full();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      line(text.substr(begin, end - begin), begin);
      begin = end + 1;
    }
    if (problems_.any_errors()) return {};
    const std::size_t n = found_.names.size();
    if (n == 0)
      problems_.error(source_.at(0), "the file has no matrix", "write a line of names, then a line of numbers for each");
    else if (rows_ != n)
      problems_.error(source_.at(0), "the matrix has " + counted(n, "column") + " and " + counted(rows_, "row"),
                      "write a line for each name");
    else
      check_symmetry();
    return std::move(found_);
  }

 private:
  void line(std::string_view text, std::size_t begin) {
    std::vector<CsvField> fields = fields_of(text, begin);
    if (fields.empty() || fields.front().text.starts_with('#')) return;
    if (found_.names.empty()) return heading(fields);
    const std::size_t n = found_.names.size();
    if (rows_ == n) return problems_.error(source_.at(begin), "more lines than names", "write one for each name");
    if (fields.size() == n + 1) {
      if (fields.front().text != found_.names[rows_])
        return problems_.error(
            span(fields.front()),
            "a line of " + in_quotes(fields.front().text) + " where that of " + in_quotes(found_.names[rows_]) + " belongs",
            "keep the order of the first line");
      fields.erase(fields.begin());
    }
    if (fields.size() != n)
      return problems_.error(source_.at(begin),
                             "the line has " + counted(fields.size(), "number") + ", and there are " + counted(n, "name"),
                             "write one number for each name");
    ++rows_;
    for (const CsvField& field : fields) entry(field);
  }

  void heading(std::vector<CsvField> fields) {
    if (fields.front().text.empty() && fields.size() > 1) fields.erase(fields.begin());
    for (const CsvField& field : fields) {
      if (field.text.empty() || number(field.text))
        problems_.error(span(field), "the first line has " + in_quotes(field.text) + " where a name belongs",
                        "write the names of the parameters there");
      else if (std::ranges::find(found_.names, field.text) != found_.names.end())
        problems_.error(span(field), "the name " + in_quotes(field.text) + " comes twice", "write every name once");
      found_.names.emplace_back(field.text);
    }
  }

  void entry(const CsvField& field) {
    found_.where.push_back(span(field));
    try {
      found_.matrix.push_back(exact_value(parse_number(field.text)));
    } catch (const Error&) {
      problems_.error(span(field), "no number: " + in_quotes(field.text), "write a decimal: 0.1 or 1e-3");
      found_.matrix.emplace_back();
    }
  }

  void check_symmetry() {
    const std::size_t n = found_.names.size();
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (found_.matrix[i * n + j] != found_.matrix[j * n + i])
          problems_.error(found_.where[i * n + j],
                          "the covariance of " + in_quotes(found_.names[i]) + " and " + in_quotes(found_.names[j]) +
                              " is not that on the other side of the diagonal",
                          "a covariance matrix is symmetric: write one number at both places");
  }

  SourceSpan span(const CsvField& field) const { return source_.at(field.begin, field.text.size()); }

  const SourceText& source_;
  Problems& problems_;
  Covariance found_;
  std::size_t rows_ = 0;
};

template <class Reading>
auto read_lines(std::string_view text, std::string file, const Reading& reading) {
  const SourceText source(text, std::move(file));
  Problems problems;
  problems.attempt([&] { source.check_characters(); });
  if (problems.any_errors()) problems.finish(nullptr);
  auto found = reading(source, problems);
  problems.finish(nullptr);
  return found;
}

SampledSignal columns(std::string_view text, std::string file, bool points) {
  return read_lines(text, std::move(file), [points](const SourceText& source, Problems& problems) {
    return CsvReading(source, problems, points).signal();
  });
}

}  // namespace

SampledSignal read_csv(std::string_view text, std::string file) { return columns(text, std::move(file), false); }

std::pair<std::vector<double>, std::vector<double>> read_points(std::string_view text, std::string file) {
  SampledSignal points = columns(text, std::move(file), true);
  return {std::move(points.time), std::move(points.value)};
}

Covariance read_covariance(std::string_view text, std::string file) {
  return read_lines(text, std::move(file),
                    [](const SourceText& source, Problems& problems) { return CovarianceReading(source, problems).matrix(); });
}

}  // namespace sfg
