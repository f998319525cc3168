#include "sfg/read/printed/printed_model.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <utility>

#include "sfg/expr/exact_value.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

namespace {

std::string_view without_quotes(std::string_view name) {
  if (name.size() > 1 && (name.front() == '"' || name.front() == '\'') && name.back() == name.front()) {
    name.remove_prefix(1);
    name.remove_suffix(1);
  }
  return name;
}

bool is_count(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }

/// "u1", "3" and "#3" are given by the program, every other name by the user.
PrintedSignal signal_named(std::string_view printed, char letter) {
  std::string_view name = without_quotes(printed);
  if (name.starts_with('#')) name.remove_prefix(1);
  if (name.empty() || is_count(name)) return {letter + std::string(name), false};
  const bool given = name[0] == letter && (name.size() == 1 || is_count(name.substr(1)));
  return {std::string(name), !given};
}

/// Seconds of a unit of time; 0 where it is none.
GiNaC::numeric seconds_of(std::string_view unit) {
  static const std::map<std::string_view, GiNaC::numeric> units{{"", 1},
                                                                {"s", 1},
                                                                {"sec", 1},
                                                                {"second", 1},
                                                                {"seconds", 1},
                                                                {"milliseconds", GiNaC::numeric(1, 1000)},
                                                                {"minutes", 60},
                                                                {"hours", 3600},
                                                                {"days", 86400},
                                                                {"microseconds", GiNaC::numeric(1, 1000000)},
                                                                {"nanoseconds", GiNaC::numeric(1, 1000000000)}};
  const auto known = units.find(unit);
  return known == units.end() ? GiNaC::numeric(0) : known->second;
}

}  // namespace

PrintedModels::PrintedModels(const SourceText& source, SymbolTable& symbols, Problems& problems)
    : source_(source), symbols_(symbols), problems_(problems), lines_(printed_lines(source.text())) {}

std::vector<PrintedModel> PrintedModels::models() {
  while (at_ < lines_.size() && !problems_.full()) {
    const PrintedLine& line = lines_[at_];
    if (line.text.empty()) {
      ++at_;
    } else if (!problems_.attempt([&] {
                 if (heading(at_) || footer(line)) return;
                 std::vector<PrintedLine> block;
                 while (at_ < lines_.size() && !lines_[at_].text.empty()) block.push_back(lines_[at_++]);
                 fraction(block);
               })) {
      while (at_ < lines_.size() && !lines_[at_].text.empty()) ++at_;
    }
  }
  return std::move(models_);
}

std::size_t PrintedModels::after_blank_lines(std::size_t line) const {
  while (line < lines_.size() && lines_[line].text.empty()) ++line;
  return line;
}

void PrintedModels::begin(std::string name, const SourceSpan& where) {
  PrintedModel model;
  model.name = std::move(name);
  model.where = where;
  models_.push_back(std::move(model));
  open_ = true;
  input_ = {"u", false};
  output_.reset();
}

PrintedModel& PrintedModels::current(const SourceSpan& where) {
  if (!open_) begin("", where);
  return models_.back();
}

// Headings: what comes is said before it.

bool PrintedModels::heading(std::size_t at) {
  const PrintedLine& line = lines_[at];
  if (transfer_heading(line) || matrix_heading(at)) return true;
  const auto name = between(line.text, "", " =");
  if (!name || !is_name(*name)) {
    if (name && name->find('(') != std::string_view::npos)
      throw Error(source_.at(line.begin, line.text.size()), "an array of systems", "print one system");
    return false;
  }
  begin(std::string(*name), source_.at(line.begin, name->size()));
  ++at_;
  return true;
}

bool PrintedModels::transfer_heading(const PrintedLine& line) {
  std::string_view text = line.text;
  const SourceSpan where = source_.at(line.begin, text.size());
  if (text == "Transfer function:") {
    begin("", where);
    ++at_;
    return true;
  }
  std::string name;
  bool named = false;
  if (text.starts_with("Transfer function '")) {
    const std::size_t end = text.find("' from input ");
    if (end == std::string_view::npos) return false;
    name = text.substr(19, end - 19);
    named = true;
    text.remove_prefix(end + 2);
  } else if (text.starts_with("Transfer function from input ")) {
    text.remove_prefix(18);
  } else if (text.starts_with("From input ") || text.starts_with("Input ")) {
    text.remove_prefix(text.starts_with("From") ? 5 : 0);
  } else {
    return false;
  }
  text.remove_prefix(std::min<std::size_t>(text.find(' ') + 1, text.size()));  // from, From, Input, input
  if (text.starts_with("input ")) text.remove_prefix(6);
  const std::size_t to = text.find(" to output");
  if (to == std::string_view::npos || to == 0) return false;
  std::string_view output = text.substr(to + 10);
  while (!output.empty() && (output.back() == '.' || output.back() == ':' || output.back() == ' ')) output.remove_suffix(1);
  while (!output.empty() && output.front() == ' ') output.remove_prefix(1);
  if (!open_ || (named && models_.back().name != name)) begin(name, where);
  input_ = signal_named(text.substr(0, to), 'u');
  output_.reset();
  if (!output.empty()) output_ = signal_named(output, 'y');
  ++at_;
  return true;
}

/// "S.a =" of Octave, "A =" of MATLAB.
bool PrintedModels::matrix_heading(std::size_t at) {
  const PrintedLine& line = lines_[at];
  auto name = between(line.text, "", " =");
  if (!name) name = between(line.text, "", " = []");
  if (!name || name->empty()) return false;
  const char letter = static_cast<char>(name->back() & ~0x20);
  if (letter < 'A' || letter > 'E') return false;
  const SourceSpan where = source_.at(line.begin, line.text.size());
  const std::size_t dot = name->rfind('.');
  if (dot != std::string_view::npos && dot + 2 == name->size()) {
    const std::string owner(name->substr(0, dot));
    if (!open_ || models_.back().name != owner) begin(owner, where);
  } else if (name->size() != 1 || (!line.text.ends_with("[]") && !is_matrix(at + 1))) {
    return false;
  }
  current(where);
  ++at_;
  if (!line.text.ends_with("[]")) matrix(letter, line);
  return true;
}

/// Names of columns, and below them a name and as many numbers.
bool PrintedModels::is_matrix(std::size_t at) const {
  const std::size_t header = after_blank_lines(at);
  if (header + 1 >= lines_.size()) return false;
  const std::vector<Passage> columns = cells_of(lines_[header]), first = cells_of(lines_[header + 1]);
  return first.size() == columns.size() + 1 &&
         std::all_of(first.begin() + 1, first.end(), [](const Passage& cell) { return is_printed_number(cell.text); });
}

/// What kind of model it was ends it.
bool PrintedModels::footer(const PrintedLine& line) {
  const std::string_view text = line.text;
  const SourceSpan where = source_.at(line.begin, text.size());
  for (const std::string_view prefix : {"Sampling time: ", "Sample time: ", "Sampling time (seconds): ", "dt = "})
    if (text.starts_with(prefix)) {
      if (!open_ && models_.empty()) throw Error(where, "a sample time without a system", "print the system with it");
      sample_time(line.part(prefix.size()));
      ++at_;
      return true;
    }
  for (const std::string_view delays :
       {"Input delay", "Output delay", "Internal delay", "I/O delay", "(values computed with all internal"})
    if (text.starts_with(delays))
      throw Error(where, "dead times are not read from this kind of print",
                  "print the transfer functions (tf), or put the dead times into a graph");
  const bool continuous = text.starts_with("Continuous-time "), discrete = text.starts_with("Discrete-time ");
  if ((!continuous && !discrete && text != "Static gain.") || !text.ends_with('.')) return false;
  if (!open_) throw Error(where, "the kind of a system, and no system before it", "print the system with it");
  if (continuous && models_.back().sample_time)
    throw Error(where, "a continuous system with a sample time", "print the system again");
  if (continuous || discrete) models_.back().time = continuous ? PrintedModel::Time::continuous : PrintedModel::Time::discrete;
  open_ = false;
  ++at_;
  return true;
}

void PrintedModels::sample_time(const Passage& stated) {
  models_.back().time = PrintedModel::Time::discrete;
  if (stated.text == "unspecified") return;
  const std::size_t blank = std::min(stated.text.find(' '), stated.text.size());
  const Passage number = stated.part(0, blank), unit = stated.part(blank, std::string::npos).trimmed();
  const GiNaC::numeric seconds = seconds_of(unit.text);
  if (!is_printed_number(number.text) || seconds.is_zero())
    throw Error(place(source_, stated), in_quotes(stated.text) + " is no sample time", "write it as  Sample time: 0.1 seconds");
  const exact::Rational time = exact_value(parse_number(number.text) * seconds);
  if (time <= exact::Rational(0))
    throw Error(place(source_, number), "a sample time that is not above 0", "print the system again");
  models_.back().sample_time = time;
}

// Transfer functions.

void PrintedModels::fraction(const std::vector<PrintedLine>& block) {
  const SourceSpan where = source_.at(block.front().begin, block.front().text.size());
  const PrintedFraction printed = printed_fraction(block, source_);
  GiNaC::ex gain = polynomial(printed.numerator);
  if (printed.denominator) {
    const GiNaC::ex below = polynomial(*printed.denominator);
    if (vanishes(below)) throw Error(place(source_, *printed.denominator), "the denominator is 0", "print the system again");
    gain = gain / below;
  }
  if (printed.prefix) gain = polynomial(*printed.prefix) * gain;
  PrintedModel& model = current(where);
  PrintedSignal output{"y", false};
  if (printed.label)
    output = signal_named(printed.label->text, 'y');
  else if (output_)
    output = *output_;
  model.transfers.push_back({input_, output, gain, where});
}

GiNaC::ex PrintedModels::polynomial(const Passage& printed) {
  for (std::size_t i = 0; i < printed.text.size(); ++i)
    if (printed.text[i] >= '0' && printed.text[i] <= '9') {
      const std::size_t end = std::min(printed.text.find_first_not_of("0123456789.", i), printed.text.size());
      look_at_digits(std::string_view(printed.text).substr(i, end - i));
      i = end;
    }
  return parse(plain_polynomial(printed, source_, variable_), source_, symbols_);
}

/// Octave and MATLAB print four or five digits of what has more.
void PrintedModels::look_at_digits(std::string_view number) {
  const std::size_t point = number.find('.');
  const auto digits = static_cast<std::size_t>(std::ranges::count_if(number, [](char c) { return c >= '0' && c <= '9'; }));
  const std::size_t zeros = std::min(number.find_first_not_of("0."), number.size());
  rounded_ |= point != std::string_view::npos && digits + (zeros > point ? 1 : 0) >= 4 + zeros;
}

// State-space models.

void PrintedModels::matrix(char letter, const PrintedLine& heading) {
  PrintedMatrix result;
  result.where = source_.at(heading.begin, heading.text.size());
  at_ = after_blank_lines(at_);
  GiNaC::ex scale = 1;
  if (at_ < lines_.size() && lines_[at_].text.ends_with('*')) {
    scale = number(lines_[at_].part(0, lines_[at_].text.size() - 1));
    at_ = after_blank_lines(at_ + 1);
  }
  while (is_matrix(at_)) {
    at_ = after_blank_lines(at_);
    std::vector<Passage> columns = cells_of(lines_[at_++]);
    rows(result, std::move(columns), scale);
  }
  if (result.columns.empty())
    throw Error(result.where, "the matrix has no rows of numbers", "leave the lines as they were printed");
  PrintedModel& model = models_.back();
  if (!model.matrices.emplace(letter, std::move(result)).second)
    throw Error(source_.at(heading.begin, heading.text.size()), std::string("the matrix ") + letter + " is there twice",
                "leave a name, such as G =, above each system");
}

/// The rows below a line of names; a wide matrix comes in several such blocks.
void PrintedModels::rows(PrintedMatrix& matrix, std::vector<Passage> columns, const GiNaC::ex& scale) {
  const std::size_t first_column = matrix.columns.size();
  for (const Passage& column : columns) matrix.columns.push_back(column.text);
  std::size_t index = 0;
  for (; at_ < lines_.size() && !lines_[at_].text.empty(); ++at_) {
    const std::vector<Passage> cells = cells_of(lines_[at_]);
    if (cells.size() < 2 || lines_[at_].text.ends_with(" =")) break;
    row(matrix, cells, first_column, columns.size(), index++, scale);
  }
  if (first_column > 0 && index != matrix.rows.size())
    throw Error(
        place(source_, columns.front()),
        "this part of the matrix has " + counted(index, "row") + ", and the one before " + std::to_string(matrix.rows.size()),
        "leave the lines as they were printed");
}

void PrintedModels::row(PrintedMatrix& matrix, const std::vector<Passage>& cells, std::size_t first_column, std::size_t columns,
                        std::size_t index, const GiNaC::ex& scale) {
  if (cells.size() != columns + 1)
    throw Error(place(source_, cells.front()),
                "the row has " + counted(cells.size() - 1, "number") + ", but there are " + counted(columns, "column"),
                "leave the lines as they were printed");
  if (first_column == 0) {
    matrix.rows.push_back(cells.front().text);
    matrix.entries.emplace_back();
  } else if (index >= matrix.rows.size() || matrix.rows[index] != cells.front().text) {
    throw Error(place(source_, cells.front()), "the row " + in_quotes(cells.front().text) + " is not that of the columns before",
                "leave the lines as they were printed");
  }
  for (std::size_t i = 1; i < cells.size(); ++i) matrix.entries[index].push_back(scale * number(cells[i]));
}

GiNaC::ex PrintedModels::number(const Passage& printed) {
  if (!is_printed_number(printed.text))
    throw Error(place(source_, printed), in_quotes(printed.text) + " is no real number",
                "entries are real numbers such as 0.5 or 1e-05");
  look_at_digits(printed.text);
  return parse_number(printed.text, place(source_, printed));
}

}  // namespace sfg
