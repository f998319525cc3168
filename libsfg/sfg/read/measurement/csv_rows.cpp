#include "sfg/read/measurement/csv_rows.hpp"

#include <algorithm>
#include <string_view>

namespace sfg {

CsvRows::CsvRows(const SourceText& source, Problems& problems) : source_(source), problems_(problems) {}

void CsvRows::pass_blanks() {
  while (at_ < source_.text().size() && is_blank(source_.text()[at_])) ++at_;
}

/// Passes over lines without cells.
bool CsvRows::find_row() {
  const std::string_view text = source_.text();
  while (at_ < text.size()) {
    const std::size_t end = std::min(text.find('\n', at_), text.size());
    const std::string_view line = text.substr(at_, end - at_);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#') return true;
    at_ = end + 1;
  }
  return false;
}

void CsvRows::find_separator() {
  const std::string_view rest = source_.text().substr(at_);
  if (constexpr std::string_view stated = "sep="; rest.starts_with(stated) && rest.size() > stated.size()) {
    const std::string_view line = rest.substr(stated.size(), rest.find('\n') - stated.size());
    if (line.find_first_not_of("\r", 1) == std::string_view::npos &&
        std::string_view(",;\t").find(line.front()) != std::string_view::npos) {
      separator_ = line.front();
      at_ += stated.size() + line.size();
      return;
    }
  }
  bool quoted = false;
  separator_ = ',';
  for (const char c : rest) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '\n') break;
    if (c == ';') separator_ = ';';
    if (c == '\t' && separator_ == ',') separator_ = '\t';
  }
}

CsvCell CsvRows::plain_cell() {
  const std::string_view text = source_.text();
  const std::size_t begin = at_;
  while (at_ < text.size() && text[at_] != separator_ && text[at_] != '\n') ++at_;
  std::size_t end = at_;
  while (end > begin && is_blank(text[end - 1])) --end;
  return {std::string(text.substr(begin, end - begin)), begin, end - begin};
}

CsvCell CsvRows::quoted_cell() {
  const std::string_view text = source_.text();
  CsvCell cell{.begin = at_++};
  for (;; ++at_) {
    if (at_ >= text.size()) {
      problems_.error(source_.at(cell.begin, 1), "a quote that is never closed", "close it, or write two for one within a cell");
      return cell;
    }
    if (text[at_] == '"' && (at_ + 1 == text.size() || text[at_ + 1] != '"')) break;
    if (text[at_] == '"') ++at_;
    cell.text += text[at_];
  }
  cell.size = ++at_ - cell.begin;
  pass_blanks();
  if (at_ < text.size() && text[at_] != separator_ && text[at_] != '\n') {
    problems_.error(source_.at(at_, 1), "something stands behind the quote that ends the cell",
                    "put the whole cell in quotes, and write two for one within it");
    at_ = std::min(text.find('\n', at_), text.size());
  }
  return cell;
}

bool CsvRows::next(std::vector<CsvCell>& row) {
  row.clear();
  if (!find_row()) return false;
  if (separator_ == '\0') {
    find_separator();
    if (!find_row()) return false;
  }
  const std::string_view text = source_.text();
  for (;;) {
    pass_blanks();
    row.push_back(at_ < text.size() && text[at_] == '"' ? quoted_cell() : plain_cell());
    if (at_ >= text.size()) return true;
    if (text[at_++] == '\n') return true;
  }
}

}  // namespace sfg
