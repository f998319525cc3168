#include "sfg/write/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "sfg/draw/tikz.hpp"
#include "sfg/expr/latex_text.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/utf8.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

constexpr double points_of_mm = 2.845;
constexpr double relation_width = 14;  ///< " = " at ten points
constexpr double continued = 22;       ///< \quad and the blank of a sign

std::string latex_of(const Math& formula) { return write(formula, Notation::latex); }

class LatexPage {
 public:
  LatexPage(std::ostream& out, const LatexLayout& layout) : out_(out), width_(layout.width * points_of_mm), part_(layout.part) {}

  void write(const Page& page) {
    if (!page.title.empty()) out_ << (part_ ? "\\subsection*{" : "\\section*{") << latex_text(page.title) << "}\n";
    for (const Block& block : page.blocks) std::visit([this](const auto& b) { write(b); }, block);
  }

 private:
  std::string text(const Prose& prose) const {
    std::string all;
    for (const auto& part : prose) {
      if (const auto* word = std::get_if<std::string>(&part)) {
        all += breakable(latex_text(*word));
        continue;
      }
      const Math& formula = std::get<Math>(part);
      if (latex_width(formula) <= width_ / 2) {
        all += "$" + latex_of(formula) + "$";
        continue;
      }
      all += "\n\\begin{align*}\n";
      const std::vector<std::string> lines = latex_lines(formula, width_ - continued);
      for (std::size_t i = 0; i < lines.size(); ++i) all += (i == 0 ? "& " : " \\\\\n&\\quad {}") + lines[i];
      all += "\n\\end{align*}\n";
    }
    return all;
  }
  /// A long product among words may go on in the next line.
  static std::string breakable(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '*' ? "*\\allowbreak{}" : std::string(1, c);
    return result;
  }
  static std::string plain(const Prose& prose) {
    std::string all;
    for (const auto& part : prose)
      all += std::holds_alternative<Math>(part) ? sfg::write(std::get<Math>(part), Notation::text) : std::get<std::string>(part);
    std::ranges::replace(all, '\n', ' ');
    return all;
  }

  void write(const Heading& heading) {
    out_ << (part_ ? "\n\\subsubsection*{" : "\n\\subsection*{") << text(heading.text) << "}\n";
  }
  void write(const Paragraph& paragraph) {
    if (paragraph.check && !part_)
      out_ << "% " << valid_utf8(plain(paragraph.text)) << '\n';
    else
      out_ << "\n\\noindent " << text(paragraph.text) << "\n\n";
  }
  void write(const Gap&) { out_ << "\n\\medskip\n"; }
  void write(const Listing& listing) { out_ << '\n' << latex_listing(listing.text, width_); }
  /// No wider than a line.
  void write(const Picture& picture) {
    out_ << "\n\\begin{center}\n\\sbox0{%\n";
    std::visit([&](const auto& drawn) { write_tikz(out_, drawn, {.theme = picture.theme, .fragment = true}); }, picture.drawn);
    out_ << "}%\n\\ifdim\\wd0>\\linewidth\\resizebox{\\linewidth}{!}{\\usebox0}\\else\\usebox0\\fi\n\\end{center}\n";
    if (!picture.caption.empty()) out_ << "\n\\noindent " << latex_text(picture.caption) << "\n\n";
  }

  // Equations.

  void write(const Equations& block) {
    if (block.rows.empty()) return;
    double widest = 0;
    for (const Equation& row : block.rows)
      if (row.left) widest = std::max(widest, latex_width(*row.left));
    out_ << "\\begin{align*}\n";
    const char* between = "";
    for (const Equation& row : block.rows) {
      out_ << between;
      put(row, widest, block.main);
      between = " \\\\\n";
    }
    out_ << "\n\\end{align*}\n";
  }

  void put(const Equation& row, double widest, const std::string& main) {
    const bool apart = widest > width_ / 2;  // the left side has a line of its own
    const double room = width_ - continued - (apart ? 0 : widest) - (row.left ? relation_width : 0);
    if (row.left) out_ << (apart ? "& " : "") << latex_of(*row.left) << (apart ? " \\\\\n" : " ");
    double used = 0;
    for (std::size_t i = 0; i < row.right.size(); ++i) {
      const Math value = tree(row.right[i]);
      if (i > 0) out_ << " \\\\\n";
      if (value.kind == Math::Kind::matrix && latex_width(value) > room) {
        put_entries(value, row.left ? latex_of(*row.left) : "m", main);
        used = room;
        continue;
      }
      out_ << (row.left || i > 0 ? "&= " : "& ");
      if (put_tall(value, main)) {
        used = room;
        continue;
      }
      const std::vector<std::string> lines = latex_lines(value, room, main);
      put(lines);
      used = lines.size() > 1 ? room : latex_width(value);
    }
    if (row.aside.empty()) return;
    put_aside(row.aside, room - used, room);
  }

  /// Lines that go on indented. A report on paper says how many there would be where nobody reads them.
  void put(const std::vector<std::string>& lines) {
    constexpr std::size_t most_lines = 300;
    if (part_ && lines.size() > most_lines) {
      out_ << "\\text{(" << lines.size() << " lines: too long for paper)}";
      return;
    }
    for (std::size_t j = 0; j < lines.size(); ++j) out_ << (j > 0 ? " \\\\\n&\\quad {}" : "") << lines[j];
  }

  /// A fraction higher than a page: its numerator and its denominator one after the other. False for any other.
  bool put_tall(const Math& value, const std::string& main) {
    constexpr std::size_t of_a_page = 40;
    const Math& positive = value.is_negative() ? value.parts[0] : value;
    if (positive.kind != Math::Kind::quotient) return false;
    const std::vector<std::string> above = latex_lines(positive.parts[0], width_ * 0.85, main),
                                   below = latex_lines(positive.parts[1], width_ * 0.85, main);
    if (std::max(above.size(), below.size()) <= of_a_page) return false;
    out_ << (value.is_negative() ? "-" : "") << "\\frac{\\mathcal{N}}{\\mathcal{D}} \\\\\n\\mathcal{N} &= ";
    put(above);
    out_ << " \\\\\n\\mathcal{D} &= ";
    put(below);
    return true;
  }

  /// Beside the last line, or on lines below it.
  void put_aside(const Prose& aside, double left_over, double room) {
    double width = 2 * continued;
    std::vector<std::string> pieces;
    for (const auto& part : aside)
      if (const auto* formula = std::get_if<Math>(&part)) {
        width += latex_width(*formula);
        const std::vector<std::string> lines = latex_lines(*formula, room - continued);
        pieces.insert(pieces.end(), lines.begin(), lines.end());
      } else {
        pieces.push_back("\\text{" + latex_text(std::get<std::string>(part)) + "}");
        width += 5.0 * character_count(std::get<std::string>(part));
      }
    out_ << (width <= left_over ? " \\quad " : " \\\\\n&\\quad ") << "(";
    for (std::size_t i = 0; i < pieces.size(); ++i)
      out_ << (i > 0 && width > room ? " \\\\\n&\\quad {}" : i > 0 ? " " : "") << pieces[i];
    out_ << ")";
  }

  /// The entries of a matrix that is wider than the page.
  void put_entries(const Math& matrix, const std::string& left, const std::string& main) {
    const std::size_t columns = std::max<std::size_t>(matrix.columns, 1);
    out_ << "&= (m_{ij})";
    for (std::size_t i = 0; i < matrix.parts.size(); ++i) {
      if (matrix.parts[i] == Math::number("0")) continue;
      const std::vector<std::string> lines = latex_lines(matrix.parts[i], width_ * 0.7, main);
      out_ << fmt::format(" \\\\\n{}_{{{},{}}} ", left, i / columns + 1, i % columns + 1);
      for (std::size_t j = 0; j < lines.size(); ++j) out_ << (j > 0 ? " \\\\\n&\\quad {}" : "&= ") << lines[j];
    }
    out_ << " \\\\\n&\\text{and 0 elsewhere}";
  }

  // Tables.

  double width_of(const Prose& cell) const {
    double width = 0;
    for (const auto& part : cell)
      width += std::holds_alternative<Math>(part) ? latex_width(std::get<Math>(part))
                                                  : 5.0 * character_count(std::get<std::string>(part));
    return width;
  }

  /// Formulas that a cell has no room for: every cell of a row is a line of its own, and broken.
  bool too_wide_for_cells(const Table& table) const {
    if (natural_width(table) <= width_) return false;
    const double share = width_ / static_cast<double>(std::max<std::size_t>(1, table.columns.size()));
    for (const auto& row : table.rows)
      for (const Prose& cell : row)
        for (const auto& part : cell)
          if (const auto* formula = std::get_if<Math>(&part); formula && latex_width(*formula) > share) return true;
    return false;
  }

  void put_one_by_one(const Table& table) {
    for (const auto& row : table.rows) {
      out_ << "\n\\noindent ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        if (table.headed && i < table.columns.size() && !table.columns[i].head.empty())
          out_ << text(table.columns[i].head) << ": ";
        out_ << text(row[i]) << (i + 1 < row.size() ? "\\quad\\allowbreak " : "\n\n");
      }
    }
  }

  void write(const Table& table) {
    if (too_wide_for_cells(table)) {
      const Table other = turned(table);
      const bool fits = table.rows.size() < table.columns.size() && natural_width(other) <= width_;
      return fits ? write(other) : put_one_by_one(table);
    }
    constexpr std::size_t rows_of_a_page = 40;
    if (table.rows.empty()) return;
    if (part_) return put_long(table);
    const std::string columns = columns_of(table);
    for (std::size_t begin = 0; begin < table.rows.size(); begin += rows_of_a_page) {
      out_ << "\n\\noindent\\begin{tabular}{" << columns << "}\n";
      if (table.headed) {
        std::vector<Prose> heads;
        for (const Table::Column& column : table.columns) heads.push_back(column.head);
        put(heads);
        out_ << "\\hline\n";
      }
      for (std::size_t i = begin; i < std::min(begin + rows_of_a_page, table.rows.size()); ++i) put(table.rows[i]);
      out_ << "\\end{tabular}\n";
    }
    out_ << '\n';
  }
  /// Over as many pages as it needs, its head on each.
  void put_long(const Table& table) {
    out_ << "\n\\begin{longtable}[l]{" << columns_of(table) << "}\n";
    if (table.headed) {
      std::vector<Prose> heads;
      for (const Table::Column& column : table.columns) heads.push_back(column.head);
      put(heads);
      out_ << "\\hline\\endhead\n";
    }
    for (const auto& row : table.rows) put(row);
    out_ << "\\end{longtable}\n\n";
  }
  void put(const std::vector<Prose>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::string cell;
      for (const auto& part : row[i])
        cell += std::holds_alternative<Math>(part) ? "$" + latex_of(std::get<Math>(part)) + "$"
                                                   : latex_text(std::get<std::string>(part));
      out_ << (i == 0 ? "" : " & ") << (cell.starts_with('[') || cell.starts_with('*') ? "{}" : "") << cell;
    }
    out_ << " \\\\\n";
  }

  static constexpr double between = 12;  ///< columns

  std::vector<double> widths_of(const Table& table) const {
    std::size_t count = table.columns.size();
    for (const auto& row : table.rows) count = std::max(count, row.size());
    std::vector<double> widths(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
      if (table.headed && i < table.columns.size()) widths[i] = width_of(table.columns[i].head);
      for (const auto& row : table.rows)
        if (i < row.size()) widths[i] = std::max(widths[i], width_of(row[i]));
    }
    return widths;
  }
  double natural_width(const Table& table) const {
    double all = 0;
    for (const double width : widths_of(table)) all += width + between;
    return all;
  }

  /// As wide as their cells where the page has the room, else in proportion, with lines broken in the cells.
  std::string columns_of(const Table& table) const {
    const std::vector<double> widths = widths_of(table);
    const std::size_t count = widths.size();
    std::string columns;
    if (natural_width(table) <= width_) {
      for (std::size_t i = 0; i < count; ++i) columns += i < table.columns.size() && table.columns[i].right ? "r" : "l";
      return columns;
    }
    const double room = width_ - between * static_cast<double>(count);
    const double fair = room / static_cast<double>(count);
    double narrow = 0, wide = 0;
    for (const double width : widths) (width <= fair ? narrow : wide) += width;
    for (const double width : widths)
      columns += fmt::format(">{{\\raggedright\\arraybackslash}}p{{{:.1f}pt}}",
                             width <= fair ? width + 1 : width * (room - narrow) / wide);
    return columns;
  }

  std::ostream& out_;
  double width_;
  bool part_;
};

/// At most one empty line at a time, none in front. TeX reads lines of 200,000 characters at most: a long one goes on in the
/// next, where a blank stands between words or formulas.
std::string without_gaps(const std::string& text) {
  constexpr std::size_t long_line = 2000;
  std::string result;
  std::size_t length = 0;
  bool comment = false;
  for (char c : text) {
    const bool escaped = result.ends_with('\\');
    if (c == ' ' && length > long_line && !comment && !escaped) c = '\n';
    if (c == '%' && !escaped) comment = true;
    if (c == '\n') {
      length = 0;
      comment = false;
      if (result.empty() || result.ends_with("\n\n")) continue;
    } else {
      ++length;
    }
    result += c;
  }
  return result;
}

}  // namespace

void write_latex(std::ostream& out, const Page& page, const LatexLayout& layout) {
  const bool drawn = std::ranges::any_of(page.blocks, [](const Block& block) { return std::holds_alternative<Picture>(block); });
  if (layout.document)
    out << fmt::format(
        "\\documentclass{{article}}\n\\usepackage[T1]{{fontenc}}\n\\usepackage[utf8]{{inputenc}}\n"
        "\\usepackage{{amsmath,amssymb,mathtools,array}}\n{}\\setlength{{\\textwidth}}{{{}mm}}\n"
        "\\setlength{{\\parindent}}{{0pt}}\n\\allowdisplaybreaks\n\\begin{{document}}\n",
        drawn ? "\\usepackage{tikz}\n\\usetikzlibrary{arrows.meta,calc}\n" : "", layout.width);
  std::ostringstream body;
  LatexPage(body, layout).write(page);
  out << without_gaps(body.str());
  if (layout.document) out << "\\end{document}\n";
}

}  // namespace sfg
