#include "sfg/write/page/page.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "sfg/draw/svg.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

/// Marks of an inline role need a blank beside them, which a backslash takes away.
std::string inline_role(const Math& formula) {
  std::string text = write(formula, Notation::latex);
  for (std::size_t at = text.find('`'); at != std::string::npos; at = text.find('`', at + 1)) text.replace(at, 1, "'");
  return "\\ :math:`" + text + "`\\ ";
}

std::string rst_prose(const Prose& prose) {
  std::string all;
  for (const auto& part : prose)
    all += std::holds_alternative<Math>(part) ? inline_role(std::get<Math>(part)) : rst_text(std::get<std::string>(part));
  if (all.starts_with("\\ ")) all.erase(0, 2);
  if (all.ends_with("\\ ")) all.erase(all.size() - 2);
  return all;
}

/// A line that begins as a list or a directive does, kept one of text.
std::string as_paragraph(const Prose& prose) {
  std::string text = rst_prose(prose);
  const bool plain = text.empty() || text[0] == ':' || text[0] == '\\' || is_ascii_letter(text[0]) || (text[0] & '\x80') != 0;
  const bool item = text.size() > 1 && is_ascii_letter(text[0]) && (text[1] == '.' || text[1] == ')');
  return plain && !item ? text : "\\" + text;
}

std::string indented(const std::string& lines) {
  std::string all;
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line);) all += line.empty() ? "\n" : "   " + line + "\n";
  return all;
}

class RstPage {
 public:
  explicit RstPage(std::ostream& out) : out_(out) {}

  void write(const Page& page) {
    if (!page.title.empty()) out_ << ".. rubric:: " << rst_text(page.title) << "\n\n";
    for (const Block& block : page.blocks) std::visit([this](const auto& b) { write(b); }, block);
  }

 private:
  void write(const Heading& heading) { out_ << ".. rubric:: " << rst_prose(heading.text) << "\n\n"; }
  void write(const Paragraph& paragraph) { out_ << as_paragraph(paragraph.text) << "\n\n"; }
  void write(const Gap&) {}
  void write(const Listing& listing) { out_ << "::\n\n" << indented(valid_utf8(listing.text)) << '\n'; }
  void write(const Picture& picture) {
    std::ostringstream svg;
    std::visit([&](const auto& drawn) { write_svg(svg, drawn, {.theme = picture.theme}); }, picture.drawn);
    out_ << ".. raw:: html\n\n" << indented(svg.str()) << '\n';
    if (!picture.caption.empty()) out_ << as_paragraph({picture.caption}) << "\n\n";
  }
  void write(const Equations& block) {
    if (!block.rows.empty()) out_ << ".. math::\n\n" << indented(aligned_equations(block)) << '\n';
  }
  void write(const Table& table) {
    std::size_t count = table.columns.size();
    for (const auto& row : table.rows) count = std::max(count, row.size());
    if (count == 0) return;
    out_ << ".. list-table::\n" << (table.headed ? "   :header-rows: 1\n\n" : "\n");
    const auto write_row = [&](std::size_t cells, const auto& cell) {
      for (std::size_t i = 0; i < count; ++i) {
        const std::string text = i < cells ? as_paragraph(cell(i)) : std::string();
        out_ << (i == 0 ? "   * -" : "     -") << (text.empty() ? "" : " ") << text << '\n';
      }
    };
    if (table.headed) write_row(table.columns.size(), [&](std::size_t i) { return table.columns[i].head; });
    for (const auto& row : table.rows) write_row(row.size(), [&](std::size_t i) { return row[i]; });
    out_ << '\n';
  }

  std::ostream& out_;
};

}  // namespace

std::string rst_text(std::string_view any) {
  std::string result;
  for (const char c : valid_utf8(any)) {
    if (std::string_view("\\`*_|").find(c) != std::string_view::npos) result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result;
}

void write_rst(std::ostream& out, const Page& page) { RstPage(out).write(page); }

}  // namespace sfg
