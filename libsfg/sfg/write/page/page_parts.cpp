#include "sfg/write/page/page_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sfg/write/rational_text.hpp"

namespace sfg {

Math signal_name(const std::string& signal) {
  std::size_t depth = 0;
  for (const char c : signal) {
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (depth == 0 && std::string_view("+-*/").find(c) != std::string_view::npos) return Math::word("(" + signal + ")");
  }
  return Math::signal(signal);
}

void add_matrix(Page& page, const std::string& name, const std::vector<std::vector<GiNaC::ex>>& matrix) {
  std::vector<Math> entries;
  for (const auto& row : matrix)
    for (const GiNaC::ex& entry : row) entries.push_back(math(entry));
  Math value = entries.empty() ? Math::word("none") : Math::matrix(std::move(entries), matrix.front().size());
  page.add(Equations{{{Math::bold(name), {std::move(value)}}}, {}, 1});
}

void add_notes(Page& page, const std::vector<Diagnostic>& notes) {
  if (!notes.empty()) page.add(Gap{});
  for (const Diagnostic& note : notes) {
    std::string text = (note.severity == Severity::note ? "note: " : "warning: ") + note.message;
    if (!note.hint.empty()) text += "; " + note.hint.text();
    page.add(Paragraph{words(std::move(text))});
  }
}

Table summary(std::vector<std::vector<Prose>> rows) {
  Table table;
  table.columns.resize(rows.empty() ? 0 : rows.front().size());
  table.rows = std::move(rows);
  table.headed = false;
  return table;
}

Table turned(const Table& table) {
  Table made{.columns = {}, .rows = {}, .depth = table.depth, .headed = table.headed};
  std::size_t count = table.columns.size();
  for (const auto& row : table.rows) count = std::max(count, row.size());
  const bool numbers =
      count > 1 && std::all_of(table.columns.begin() + 1, table.columns.end(), [](const auto& c) { return c.right; });
  const auto cell = [](const std::vector<Prose>& row, std::size_t i) { return i < row.size() ? row[i] : Prose{}; };
  const auto head = [&](std::size_t i) { return i < table.columns.size() ? table.columns[i].head : Prose{}; };
  if (table.headed) made.columns.push_back({.head = head(0)});
  for (const auto& row : table.rows) made.columns.push_back({.head = table.headed ? cell(row, 0) : Prose{}, .right = numbers});
  for (std::size_t i = table.headed ? 1 : 0; i < count; ++i) {
    std::vector<Prose>& row = made.rows.emplace_back();
    if (table.headed) row.push_back(head(i));
    for (const auto& of : table.rows) row.push_back(cell(of, i));
  }
  return made;
}

Math number_math(double value, int digits) {
  if (!std::isfinite(value)) return Math::word(std::isnan(value) ? "–" : value < 0 ? "-inf" : "inf");
  Math size = Math::number(fmt::format("{:.{}g}", std::abs(value), digits));
  return std::signbit(value) && value != 0 ? Math::negative(std::move(size)) : size;
}

std::vector<std::size_t> shown_rows(std::size_t rows) {
  constexpr std::size_t most = 20, least = 8;
  std::size_t step = 1;
  if (rows > most) {
    step = (rows - 1 + most - 3) / (most - 2);  // and the last one
    for (std::size_t even = (rows - 1 + most - 2) / (most - 1); even <= (rows - 1) / (least - 1); ++even)
      if ((rows - 1) % even == 0) {
        step = even;
        break;
      }
  }
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < rows; i += step) shown.push_back(i);
  if (rows > 0 && shown.back() != rows - 1) shown.push_back(rows - 1);
  return shown;
}

Math gain_name(const std::string& input, const std::string& output) {
  return Math::quotient(signal_name(output), signal_name(input));
}

Math complex_math(std::complex<double> z, int digits) {
  Math imaginary = Math::number(fmt::format("{:.{}g}j", std::abs(z.imag()), digits));
  return Math::sum({number_math(z.real(), digits), z.imag() < 0 ? Math::negative(std::move(imaginary)) : std::move(imaginary)});
}

Math impulse(Math weight, std::size_t order) {
  Math delta = order == 0 ? Math::name("delta") : Math::word("delta" + std::string(order, '\''));
  return weight == Math::number("1") ? delta : Math::product({std::move(weight), std::move(delta)});
}

}  // namespace sfg
