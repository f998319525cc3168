#include "sfg/write/page/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <ostream>
#include <sstream>

#include "sfg/draw/svg.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/text/utf8.hpp"
#include "sfg/write/page/math_font.hpp"
#include "sfg/write/page/mathml_lines.hpp"
#include "sfg/write/page/page_parts.hpp"

namespace sfg {

namespace {

constexpr std::size_t most_signs = 4000;  ///< of a formula that is set in type

/// The names, numbers and operations of a formula.
std::size_t signs(const Math& formula) {
  std::size_t count = 1;
  for (const Math& part : formula.parts) count += signs(part);
  return count;
}

class HtmlPage {
 public:
  HtmlPage(std::ostream& out, const HtmlOptions& options) : out_(out), options_(options) {}

  void write(const Page& page) {
    if (!options_.part) out_ << "<article>\n";
    if (!page.title.empty()) titled(options_.heading - (options_.part ? 0 : 1), xml_text(page.title));
    for (const Block& block : page.blocks) std::visit([this](const auto& b) { write(b); }, block);
    if (!options_.part) out_ << "</article>\n";
  }

 private:
  std::string text(const Prose& prose) const { return text(prose, options_.room); }
  static std::string text(const Prose& prose, double room) {
    std::string all;
    for (const auto& part : prose) {
      if (const auto* formula = std::get_if<Math>(&part))
        all += room > 0 ? mathml_within(*formula, room) : mathml(*formula);
      else
        all += xml_text(std::get<std::string>(part));
    }
    return all;
  }

  void titled(int level, const std::string& text) { out_ << "<h" << level << '>' << text << "</h" << level << ">\n"; }
  void write(const Heading& heading) { titled(options_.heading, text(heading.text)); }
  void write(const Paragraph& paragraph) {
    out_ << (paragraph.check ? "<p><small>" : "<p>") << text(paragraph.text) << (paragraph.check ? "</small></p>\n" : "</p>\n");
  }
  void write(const Gap&) { out_ << "<hr/>\n"; }
  void write(const Listing& listing) { out_ << "<pre>" << xml_text(listing.text) << "</pre>\n"; }
  void write(const Picture& picture) {
    out_ << "<figure>" << (options_.part ? "<div class=\"picture\">" : "");
    std::visit(
        [&](const auto& drawn) {
          write_svg(out_, drawn, {.theme = picture.theme, .style = options_.style, .within = '-' + std::to_string(++pictures_)});
        },
        picture.drawn);
    out_ << (options_.part ? "</div>" : "");
    if (!picture.caption.empty()) out_ << "<figcaption>" << xml_text(picture.caption) << "</figcaption>";
    out_ << "</figure>\n";
  }

  static std::optional<Math> whole(const Equation& row) {
    std::optional<Math> all = row.left;
    for (const Expression& value : row.right) all = all ? Math::equation(std::move(*all), tree(value)) : tree(value);
    return all;
  }

  /// Many that are short stand beside each other.
  bool beside_each_other(const Equations& block) const {
    constexpr std::size_t many = 6;
    return options_.room > 0 && block.rows.size() >= many && std::ranges::all_of(block.rows, [&](const Equation& row) {
             const std::optional<Math> formula = whole(row);
             return row.aside.empty() && formula && mathml_width(*formula) < 0.55 * options_.room;  // estimates are generous
           });
  }
  void write(const Equations& block) {
    const bool beside = beside_each_other(block);
    if (beside) out_ << "<div class=\"short\">\n";
    for (const Equation& row : block.rows) {
      const std::optional<Math> formula = whole(row);
      if (options_.room > 0 && formula && signs(*formula) > most_signs) {
        out_ << "<div class=\"equation\">";
        as_text(*formula);
      } else if (options_.room > 0) {
        const bool fits = !formula || mathml_width(*formula) <= options_.room;
        out_ << (fits ? "<div class=\"equation\">" : "<div class=\"equation broken\">");
        if (formula && fits) out_ << mathml(*formula, true);
        if (!fits) broken(row, block.main);
      } else {  // wide ones are scrolled: browsers do not break mathematics
        out_ << "<div style=\"overflow-x:auto;overflow-y:hidden;padding:0.4em 0\">";
        if (formula) out_ << mathml(*formula, true);
      }
      if (!row.aside.empty()) out_ << "<p>(" << text(row.aside) << ")</p>";
      out_ << "</div>\n";
    }
    if (beside) out_ << "</div>\n";
  }
  /// What no reader follows and no browser sets in time is there as text, folded.
  void as_text(const Math& formula) {
    const std::string program = sfg::write(formula, Notation::text);
    out_ << "<details class=\"long\"><summary>"
         << (formula.kind == Math::Kind::relation ? mathml(formula.parts[0]) + " = … " : "") << "a formula of " << program.size()
         << " characters, as text</summary><pre>" << xml_text(program) << "</pre></details>\n";
  }
  /// Each value on lines of its own.
  void broken(const Equation& row, const std::string& main) {
    const double room = options_.room;
    bool first = true;
    const auto lines = [&](const Math& formula) {
      for (const MathmlLine& line : mathml_lines(formula, room, main)) {
        out_ << mathml_line(line, room, first ? "" : "more") << '\n';
        first = false;
      }
    };
    if (row.left && row.right.empty()) lines(*row.left);
    for (const Expression& value : row.right)
      lines(first && !row.left ? tree(value) : Math::equation(first ? *row.left : Math::sum({}), tree(value)));
  }

  /// A formula in a table is broken early: other columns want room, too.
  double cell_room() const { return options_.room / 3; }
  /// How wide a cell is at least: its longest word or line of a formula, in ems.
  double least_width(const Prose& cell) const {
    constexpr double letter = 0.5;
    double widest = 0;
    for (const auto& part : cell) {
      if (const auto* formula = std::get_if<Math>(&part)) {
        for (const MathmlLine& line : mathml_lines(*formula, cell_room())) widest = std::max(widest, line.width);
      } else {
        std::istringstream words(std::get<std::string>(part));
        for (std::string word; words >> word;) widest = std::max(widest, letter * static_cast<double>(character_count(word)));
      }
    }
    return widest;
  }
  /// How wide a table is at least, in ems.
  double least_width(const Table& table) const {
    constexpr double between = 0.9;
    std::vector<double> widths;
    const auto add = [&](std::size_t column, const Prose& cell) {
      if (widths.size() <= column) widths.resize(column + 1);
      widths[column] = std::max(widths[column], least_width(cell) + between);
    };
    for (std::size_t i = 0; i < table.columns.size(); ++i) add(i, table.columns[i].head);
    for (const auto& row : table.rows)
      for (std::size_t i = 0; i < row.size(); ++i) add(i, row[i]);
    return std::accumulate(widths.begin(), widths.end(), 0.0);
  }
  /// How much smaller the table would fit a line, where it does not.
  std::string fit(const Table& table) const {
    const double whole = options_.room > 0 ? least_width(table) : 0;
    return whole > options_.room ? fmt::format(" style=\"--fit:{:.2f}\"", options_.room / whole) : std::string();
  }

  /// One of more columns than a line has room for is turned where its rows fit.
  void write(const Table& table) {
    if (options_.room > 0 && table.rows.size() < table.columns.size() && least_width(table) > options_.room)
      if (const Table other = turned(table); least_width(other) <= options_.room) return put(other);
    put(table);
  }
  void put(const Table& table) {
    const auto align = [&](std::size_t i) {
      if (i >= table.columns.size() || !table.columns[i].right) return "";
      return options_.part ? " class=\"number\"" : " style=\"text-align:right\"";
    };
    const double room = cell_room();
    if (options_.part)
      out_ << "<div class=\"table\"><table" << fit(table) << ">\n";
    else
      out_ << "<table>\n";
    if (table.headed) {
      out_ << "<tr>";
      for (std::size_t i = 0; i < table.columns.size(); ++i)
        out_ << "<th" << align(i) << ">" << text(table.columns[i].head, room) << "</th>";
      out_ << "</tr>\n";
    }
    for (const auto& row : table.rows) {
      out_ << "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) out_ << "<td" << align(i) << ">" << text(row[i], room) << "</td>";
      out_ << "</tr>\n";
    }
    out_ << (options_.part ? "</table></div>\n" : "</table>\n");
  }

  std::ostream& out_;
  const HtmlOptions& options_;
  std::size_t pictures_ = 0;
};

}  // namespace

void write_html(std::ostream& out, const Page& page, const HtmlOptions& options) { HtmlPage(out, options).write(page); }

void write_html_document(std::ostream& out, const Page& page) {
  out << "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head><meta charset=\"utf-8\"/><title>"
      << xml_text(page.title.empty() ? "sfg" : page.title) << "</title>\n<style>" << math_font_face()
      << ":root{color-scheme:light dark}body{font-family:serif;max-width:60em;margin:2em auto;padding:0 1em}"
         "td,th{padding:0 .6em;text-align:left}div{margin:.3em 0 .3em 2em;padding:.2em 0;overflow-y:hidden;line-height:1.8}"
         "math{font-family:'SFG Math','STIX Two Math',math}math[style]{font-size:calc(1em*max(.5,var("
         "--fit,1)))}"
         "div>math{display:inline math}div>p{display:inline;padding-left:1.5em}div.broken>math{display:block math}"
         "math.more{margin-left:1.6rem}mtable.lines mtd{text-align:left}"
         "figure{margin:1em 0;break-inside:avoid}figure>svg{max-width:100%;height:auto}"
         "</style></head>\n<body>\n";
  constexpr double room = 46;  // of the 60 em of a body, without margins
  write_html(out, page, {.room = room});
  out << "</body>\n</html>\n";
}

}  // namespace sfg
