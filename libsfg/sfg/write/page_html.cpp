#include "sfg/write/page_html.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/text/escape.hpp"

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
  static std::string text(const Prose& prose) {
    std::string all;
    for (const auto& part : prose)
      all += std::holds_alternative<Math>(part) ? mathml(std::get<Math>(part)) : xml_text(std::get<std::string>(part));
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
    out_ << "<figure>" << picture.svg;
    if (!picture.caption.empty()) out_ << "<figcaption>" << xml_text(picture.caption) << "</figcaption>";
    out_ << "</figure>\n";
  }

  /// Wide ones are scrolled: browsers do not break mathematics.
  void write(const Equations& block) {
    for (const Equation& row : block.rows) {
      out_ << (options_.part ? "<div class=\"equation\">" : "<div style=\"overflow-x:auto\">");
      std::optional<Math> whole = row.left;
      for (const Expression& value : row.right) whole = whole ? Math::equation(std::move(*whole), tree(value)) : tree(value);
      if (whole) out_ << mathml(*whole, true);
      if (!row.aside.empty()) out_ << "<p>(" << text(row.aside) << ")</p>";
      out_ << "</div>\n";
    }
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
