#include "sfg/write/page_html.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/text/escape.hpp"
#include "sfg/write/mathml_lines.hpp"

namespace sfg {

namespace {

class HtmlPage {
 public:
  HtmlPage(std::ostream& out, const HtmlOptions& options) : out_(out), options_(options) {}

  void write(const Page& page) {
    if (!options_.part) out_ << "<article>\n";
    if (!page.title.empty()) titled(options_.heading - 1, xml_text(page.title));
    for (const Block& block : page.blocks) std::visit([this](const auto& b) { write(b); }, block);
    if (!options_.part) out_ << "</article>\n";
  }

 private:
  std::string text(const Prose& prose) const {
    std::string all;
    for (const auto& part : prose) {
      if (const auto* formula = std::get_if<Math>(&part))
        all += options_.room > 0 ? mathml_within(*formula, options_.room) : mathml(*formula);
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
    out_ << "<figure>" << (options_.part ? "<div class=\"picture\">" : "") << picture.svg << (options_.part ? "</div>" : "");
    if (!picture.caption.empty()) out_ << "<figcaption>" << xml_text(picture.caption) << "</figcaption>";
    out_ << "</figure>\n";
  }

  static std::optional<Math> whole(const Equation& row) {
    std::optional<Math> all = row.left;
    for (const Expression& value : row.right) all = all ? Math::equation(std::move(*all), tree(value)) : tree(value);
    return all;
  }

  void write(const Equations& block) {
    for (const Equation& row : block.rows) {
      const std::optional<Math> formula = whole(row);
      if (options_.room > 0) {
        const bool fits = !formula || mathml_width(*formula) <= options_.room;
        out_ << (fits ? "<div class=\"equation\">" : "<div class=\"equation broken\">");
        if (formula && fits) out_ << mathml(*formula, true);
        if (!fits) broken(row, block.main);
      } else {  // wide ones are scrolled: browsers do not break mathematics
        out_ << "<div style=\"overflow-x:auto\">";
        if (formula) out_ << mathml(*formula, true);
      }
      if (!row.aside.empty()) out_ << "<p>(" << text(row.aside) << ")</p>";
      out_ << "</div>\n";
    }
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

  void write(const Table& table) {
    const auto align = [&](std::size_t i) {
      if (i >= table.columns.size() || !table.columns[i].right) return "";
      return options_.part ? " class=\"number\"" : " style=\"text-align:right\"";
    };
    out_ << (options_.part ? "<div class=\"table\"><table>\n" : "<table>\n");
    if (table.headed) {
      out_ << "<tr>";
      for (std::size_t i = 0; i < table.columns.size(); ++i)
        out_ << "<th" << align(i) << ">" << text(table.columns[i].head) << "</th>";
      out_ << "</tr>\n";
    }
    for (const auto& row : table.rows) {
      out_ << "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) out_ << "<td" << align(i) << ">" << text(row[i]) << "</td>";
      out_ << "</tr>\n";
    }
    out_ << (options_.part ? "</table></div>\n" : "</table>\n");
  }

  std::ostream& out_;
  const HtmlOptions& options_;
};

}  // namespace

void write_html(std::ostream& out, const Page& page, const HtmlOptions& options) { HtmlPage(out, options).write(page); }

void write_html_document(std::ostream& out, const Page& page) {
  out << "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head><meta charset=\"utf-8\"/><title>"
      << xml_text(page.title.empty() ? "sfg" : page.title)
      << "</title>\n<style>:root{color-scheme:light dark}body{font-family:serif;max-width:60em;margin:2em auto;padding:0 1em}"
         "td,th{padding:0 .6em;text-align:left}div{margin:.3em 0 .3em 2em;padding:.2em 0;overflow-y:hidden;line-height:1.8}"
         "div>math{display:inline math}div>p{display:inline;padding-left:1.5em}"
         "figure{margin:1em 0;break-inside:avoid}figure>svg{max-width:100%;height:auto}"
         "</style></head>\n<body>\n";
  write_html(out, page);
  out << "</body>\n</html>\n";
}

}  // namespace sfg
