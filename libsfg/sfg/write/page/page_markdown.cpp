#include "sfg/write/page/page.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>

#include "sfg/draw/svg.hpp"
#include "sfg/expr/latex_text.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

constexpr double line_width = 480;  ///< of a displayed formula, points

std::string latex(const Math& formula) { return write(formula, Notation::latex); }

/// Where dollars, bars or marks of code inside would end it, GitHub takes it as code between dollars.
std::string inline_math(const Math& formula) {
  const std::string text = latex(formula);
  return text.find_first_of("$`") == std::string::npos ? "$" + text + "$" : "$`" + text + "`$";
}

/// A paragraph that begins as the item of a list does, kept a paragraph.
std::string no_item(std::string text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool marked =
      digits < text.size() && std::string_view(digits == 0 ? "-+=" : ".)").find(text[digits]) != std::string::npos;
  if (marked) text.insert(digits, 1, '\\');
  return text;
}

std::string markdown_row(const Equation& row, const std::string& main) {
  std::string all = row.left ? latex(*row.left) + " " : std::string();
  for (std::size_t i = 0; i < row.right.size(); ++i) {
    const double room = line_width - (row.left ? latex_width(*row.left) : 0);
    const std::vector<std::string> lines = latex_lines(tree(row.right[i]), room, main);
    for (std::size_t j = 0; j < lines.size(); ++j)
      all += (j > 0 ? " \\\\\n&\\quad {}" : i > 0 ? " \\\\\n&= " : row.left ? "&= " : "& ") + lines[j];
  }
  if (row.aside.empty()) return all;
  all += " \\quad (";
  for (const auto& part : row.aside)
    all += std::holds_alternative<Math>(part) ? latex(std::get<Math>(part))
                                              : "\\text{" + latex_text(std::get<std::string>(part)) + "}";
  return all + ")";
}

class MarkdownPage {
 public:
  MarkdownPage(std::ostream& out, const MarkdownLayout& layout) : out_(out), level_(layout.level) {}

  void write(const Page& page) {
    if (!page.title.empty()) out_ << marks(1) << markdown_text(page.title) << "\n\n";
    for (const Block& block : page.blocks) std::visit([this](const auto& b) { write(b); }, block);
  }

 private:
  std::string marks(std::size_t depth) const { return std::string(std::min<std::size_t>(level_ + depth, 6), '#') + " "; }
  static std::string text(const Prose& prose) {
    std::string all;
    for (const auto& part : prose)
      all += std::holds_alternative<Math>(part) ? inline_math(std::get<Math>(part)) : markdown_text(std::get<std::string>(part));
    return all;
  }
  /// In a table a bar would end the cell.
  static std::string cell(const Prose& prose) {
    std::string all = text(prose);
    for (std::size_t at = all.find("\\left|"); at != std::string::npos; at = all.find("\\left|"))
      all.replace(at, 6, "\\left\\vert ");
    for (std::size_t at = all.find("\\right|"); at != std::string::npos; at = all.find("\\right|"))
      all.replace(at, 7, "\\right\\vert ");
    return all;
  }

  void write(const Heading& heading) { out_ << marks(2) << text(heading.text) << "\n\n"; }
  void write(const Paragraph& paragraph) {
    out_ << (paragraph.check ? "*" : "") << no_item(text(paragraph.text)) << (paragraph.check ? "*" : "") << "\n\n";
  }
  void write(const Gap&) { out_ << "---\n\n"; }
  void write(const Listing& listing) { out_ << markdown_listing(listing.text) << '\n'; }
  void write(const Picture& picture) {
    std::visit([&](const auto& drawn) { write_svg(out_, drawn, {.theme = picture.theme}); }, picture.drawn);
    out_ << "\n\n";
    if (!picture.caption.empty()) out_ << "*" << markdown_text(picture.caption) << "*\n\n";
  }

  void write(const Equations& block) {
    if (block.rows.empty()) return;
    const std::string lines = aligned_equations(block);
    const bool dollars = lines.find_first_of("$`") != std::string::npos;
    out_ << (dollars ? "```math\n" : "$$\n") << lines << (dollars ? "```\n\n" : "$$\n\n");
  }

  void write(const Table& table) {
    std::size_t count = table.columns.size();
    for (const auto& row : table.rows) count = std::max(count, row.size());
    out_ << '|';
    for (std::size_t i = 0; i < count; ++i)
      out_ << ' ' << (table.headed && i < table.columns.size() ? cell(table.columns[i].head) : "") << " |";
    out_ << "\n|";
    for (std::size_t i = 0; i < count; ++i) out_ << (i < table.columns.size() && table.columns[i].right ? " ---: |" : " --- |");
    out_ << '\n';
    for (const auto& row : table.rows) {
      out_ << '|';
      for (const Prose& part : row) out_ << ' ' << cell(part) << " |";
      for (std::size_t i = row.size(); i < count; ++i) out_ << " |";
      out_ << '\n';
    }
    out_ << '\n';
  }

  std::ostream& out_;
  std::size_t level_;
};

}  // namespace

std::string markdown_text(std::string_view any) {
  const std::string text = valid_utf8(any);
  const auto starts_entity = [&](std::size_t i) {
    return text[i] == '&' && i + 1 < text.size() &&
           (text[i + 1] == '#' || std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0);
  };
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::string_view("\\`*_{}[]<>#|$~").find(c) != std::string_view::npos || starts_entity(i)) result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result;
}

std::string markdown_listing(std::string_view any) {
  std::string text = valid_utf8(any), fence = "```";
  while (text.find(fence) != std::string::npos) fence += '`';
  if (!text.ends_with('\n')) text += '\n';
  return fence + "\n" + text + fence + "\n";
}

std::string aligned_equations(const Equations& block) {
  std::string lines = "\\begin{aligned}\n";
  const char* between = "";
  for (const Equation& row : block.rows) {
    lines += between + markdown_row(row, block.main);
    between = " \\\\\n";
  }
  lines += "\n\\end{aligned}\n";
  return lines;
}

void write_markdown(std::ostream& out, const Page& page, const MarkdownLayout& layout) { MarkdownPage(out, layout).write(page); }

}  // namespace sfg
