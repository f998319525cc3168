#include "sfg/report/report_page.hpp"

#include <ostream>

#include "sfg/draw/layout.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/report/resources.hpp"
#include "sfg/report/script_hash.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/mason.hpp"
#include "sfg/write/page_html.hpp"

namespace sfg {

namespace {

class ReportPage {
 public:
  ReportPage(std::ostream& out, const Report& report, const Budget& budget) : out_(out), report_(report), budget_(budget) {}

  void write() {
    const std::string script = report_.moving ? report_.moving->script + std::string(page_script) : std::string(page_script);
    const std::string title = xml_text(report_.title);
    out_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; "
            "style-src 'unsafe-inline'; script-src 'sha256-"
         << script_hash(script) << "'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
         << title << "</title>\n<style>" << page_style << "</style>\n</head>\n<body>\n<h1>" << title << "</h1>\n<nav><ol>\n";
    for (const ReportSection& section : report_.sections)
      out_ << "<li><a href=\"#" << section.id << "\">" << xml_text(section.heading) << "</a></li>\n";
    out_ << "</ol></nav>\n<main>\n";
    for (const ReportSection& section : report_.sections) write(section);
    out_ << "</main>\n<script>" << script << "</script>\n</body>\n</html>\n";
  }

 private:
  void write(const ReportSection& section) {
    out_ << "<section id=\"" << section.id << "\">\n<h2>" << xml_text(section.heading) << "</h2>\n";
    for (const ReportPart& part : section.parts) {
      out_ << "<div";
      if (!part.transfer.empty()) out_ << " data-transfer=\"" << xml_text(part.transfer) << '"';
      out_ << ">\n";
      std::visit([this](const auto& content) { write(content); }, part.content);
      out_ << "</div>\n";
    }
    out_ << "</section>\n";
  }
  void write(const Page& page) { write_html(out_, page); }
  void write(const ReportGraph& part) { write_svg(out_, layout(part.graph, {.budget = budget_})); }
  void write(const ReportDerivation& part) {
    for (const MasonListing& listing : part.listings) write_html(out_, page(listing));
  }
  void write(const ReportFormula& formula) {
    Page page;
    page.add(Equations{{formula.equation}});
    write_html(out_, page);
  }
  void write(const Figure& figure) { write_svg(out_, figure); }

  std::ostream& out_;
  const Report& report_;
  const Budget& budget_;
};

}  // namespace

void write_html_document(std::ostream& out, const Report& report, const Budget& budget) {
  ReportPage(out, report, budget).write();
}

}  // namespace sfg
