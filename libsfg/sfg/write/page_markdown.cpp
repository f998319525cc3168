#include "sfg/write/page_markdown.hpp"

#include <ostream>

#include "sfg/text/escape.hpp"
#include "sfg/write/page_latex.hpp"

namespace sfg {

namespace {

constexpr double line_width = 480;  ///< of a displayed formula, points

std::string latex(const Math& formula) { return write(formula, Notation::latex); }

std::string escaped(std::string_view any) {
  std::string result;
  for (const char c : valid_utf8(any)) {
    if (std::string_view("\\`*_{}[]<>#|$~").find(c) != std::string_view::npos) result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result;
}

class MarkdownPage {
 public:
  explicit MarkdownPage(std::ostream& out) : out_(out) {}

  void write(const Page& page) {
    if (!page.title.empty()) out_ << "# " << escaped(page.title) << "\n\n";
    for (const Block& block : page.blocks) std::visit([this](const auto& b) { write(b); }, block);
  }

 private:
  static std::string text(const Prose& prose) {
    std::string all;
    for (const auto& part : prose)
      all += std::holds_alternative<Math>(part) ? "$" + latex(std::get<Math>(part)) + "$" : escaped(std::get<std::string>(part));
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

  void write(const Heading& heading) { out_ << "## " << text(heading.text) << "\n\n"; }
  void write(const Paragraph& paragraph) {
    out_ << (paragraph.check ? "*" : "") << text(paragraph.text) << (paragraph.check ? "*" : "") << "\n\n";
  }
  void write(const Gap&) { out_ << "---\n\n"; }
  void write(const Listing& listing) { out_ << "```\n" << listing.text << "```\n\n"; }
  void write(const Picture& picture) {
    out_ << picture.svg << "\n\n";
    if (!picture.caption.empty()) out_ << "*" << escaped(picture.caption) << "*\n\n";
  }

  void write(const Equations& block) {
    if (block.rows.empty()) return;
    out_ << "$$\n\\begin{aligned}\n";
    const char* between = "";
    for (const Equation& row : block.rows) {
      out_ << between << (row.left ? latex(*row.left) + " " : std::string());
      between = " \\\\\n";
      for (std::size_t i = 0; i < row.right.size(); ++i) {
        const double room = line_width - (row.left ? latex_width(*row.left) : 0);
        const std::vector<std::string> lines = latex_lines(tree(row.right[i]), room, block.main);
        for (std::size_t j = 0; j < lines.size(); ++j)
          out_ << (j > 0 ? " \\\\\n&\\quad {}" : i > 0 ? " \\\\\n&= " : row.left ? "&= " : "& ") << lines[j];
      }
      if (row.aside.empty()) continue;
      out_ << " \\quad (";
      for (const auto& part : row.aside)
        out_ << (std::holds_alternative<Math>(part) ? latex(std::get<Math>(part))
                                                    : "\\text{" + latex_text(std::get<std::string>(part)) + "}");
      out_ << ")";
    }
    out_ << "\n\\end{aligned}\n$$\n\n";
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
};

}  // namespace

void write_markdown(std::ostream& out, const Page& page) { MarkdownPage(out).write(page); }

}  // namespace sfg
