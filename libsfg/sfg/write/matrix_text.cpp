#include "sfg/write/matrix_text.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/text/utf8.hpp"
#include "sfg/write/equation_text.hpp"

namespace sfg {

namespace {

std::string padded(const std::string& text, std::size_t to) {
  return text + std::string(to - std::min<std::size_t>(to, character_count(text)), ' ');
}

}  // namespace

void write_table(std::ostream& out, const TextTable& rows, const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max<std::size_t>(widths[i], character_count(row[i]));
  }
  for (const auto& row : rows) {
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i]) + "  ";
    out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
  }
}

void write_matrix(std::ostream& out, const std::string& name, const std::vector<std::vector<GiNaC::ex>>& matrix,
                  Notation notation) {
  TextTable rows;
  for (const auto& row : matrix) {
    rows.emplace_back();
    for (const GiNaC::ex& entry : row) rows.back().push_back(print(entry, notation));
  }
  const bool empty = rows.empty() || rows.front().empty();
  if (notation == Notation::latex) {
    if (empty) return;
    out << "\\[\n\\mathbf{" << name << "} = \\begin{pmatrix}\n";
    for (const auto& row : rows) {
      for (std::size_t j = 0; j < row.size(); ++j) out << (j == 0 ? "" : " & ") << row[j];
      out << " \\\\\n";
    }
    out << "\\end{pmatrix}\n\\]\n";
    return;
  }
  if (empty) rows = {{"none"}};
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].insert(rows[i].begin(), i == 0 ? name + " =" : "");
  write_table(out, rows, "  ");
}

void write_heading(std::ostream& out, const std::string& text, Notation notation) {
  if (notation == Notation::latex)
    out << "\n\\subsection*{" << text << "}\n";
  else
    out << '\n' << text << '\n';
}

void write_notes(std::ostream& out, const std::vector<Diagnostic>& notes, Notation notation) {
  if (notes.empty()) return;
  if (notation != Notation::latex) out << '\n';
  for (const Diagnostic& note : notes) {
    const char* kind = note.severity == Severity::note ? "note" : "warning";
    out << (notation == Notation::latex ? "% " : "") << kind << ": " << note.message;
    if (!note.hint.empty()) out << "; " << note.hint.text();
    out << '\n';
  }
}

std::string joined(const std::vector<std::string>& names, Notation notation) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + print_name(name, notation);
  return text.empty() ? "none" : text;
}

}  // namespace sfg
