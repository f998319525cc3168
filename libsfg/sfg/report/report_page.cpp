#include "sfg/report/report.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "sfg/draw/svg.hpp"
#include "sfg/plot/figure_scene.hpp"
#include "sfg/report/derivation_html.hpp"
#include "sfg/report/report_html.hpp"
#include "sfg/report/resources.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/text/digest.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/page/math_font.hpp"

namespace sfg {

namespace {

class ReportPage {
 public:
  ReportPage(std::ostream& out, const Report& report, const Budget& budget) : out_(out), report_(report), budget_(budget) {
    for (const ReportSection& section : report.sections)
      for (const ReportPart& part : section.parts)
        if (const auto* shown = std::get_if<ReportGraph>(&part.content)) drawn_ = &shown->graph;
  }

  void write() {
    const std::string script = report_.moving ? report_.moving->script + std::string(page_script) : std::string(page_script);
    head(script);
    out_ << "<body>\n<header><h1>" << xml_text(report_.title) << "</h1></header>\n";
    contents();
    out_ << "<main>\n";
    bool controls = report_.moving.has_value();
    for (const ReportSection& section : report_.sections) {
      const bool moves = section.id == "poles" || section.id == "frequency" || section.id == "time";
      if (controls && moves) write_parameter_panel(out_, *report_.moving);
      if (moves) controls = false;
      write(section);
    }
    if (controls) write_parameter_panel(out_, *report_.moving);
    out_ << "</main>\n<p role=\"status\" class=\"told\"></p>\n<script>" << script << "</script>\n</body>\n</html>\n";
  }

 private:
  void head(const std::string& script) {
    out_ << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; form-action 'none'; "
            "style-src 'unsafe-inline'; font-src data:; script-src 'sha256-"
         << base64(sha256(script)) << "'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
         << xml_text(report_.title) << "</title>\n<style>\n"
         << math_font_face() << page_style << "</style>\n</head>\n";
  }
  void contents() {
    out_ << "<nav aria-label=\"Contents\"><ol>\n";
    for (const ReportSection& section : report_.sections)
      out_ << "<li><a href=\"#" << section.id << "\">" << xml_text(section.heading) << "</a></li>\n";
    out_ << "</ol></nav>\n";
  }

  void write(const ReportSection& section) {
    budget_.check("the report");
    out_ << "<section id=\"" << section.id << "\">\n<h2>" << xml_text(section.heading) << "</h2>\n";
    for (const ReportPart& part : section.parts) {
      out_ << "<div class=\"part\"";
      if (!part.transfer.empty()) out_ << " data-transfer=\"" << xml_text(part.transfer) << '"';
      out_ << ">\n";
      std::visit([this](const auto& content) { write(content); }, part.content);
      out_ << "</div>\n";
    }
    out_ << "</section>\n";
  }
  void write(const Page& page) {
    HtmlOptions options = report_html;
    options.style = report_.style.get();
    write_html(out_, page, options);
  }
  void write(const ReportGraph& part) {
    const Drawing drawing = drawn(part, report_.style.get(), budget_);
    out_ << "<figure class=\"drawn\">";
    picture_box(drawing.width);
    write_svg(out_, drawing, {.pressable = true, .style = report_.style.get(), .within = std::to_string(++pictures_)});
    out_ << "</div>\n";
    write_pressed_line(out_);
    if (!drawing.left_out.empty()) out_ << "<figcaption>Left out: " << xml_text(drawing.left_out) << "</figcaption>\n";
    out_ << "</figure>\n";
  }
  void write(const ReportDerivation& part) {
    if (!drawn_) write_pressed_line(out_);
    const bool closed =
        std::ranges::any_of(report_.sections, [](const ReportSection& section) { return section.id == "transfer"; });
    write_derivation(out_, part, {.drawn = drawn_, .closed_forms = closed}, budget_);
  }
  void write(const ReportFormula& formula) {
    Page page;
    page.add(Equations{{formula.equation}});
    write_html(out_, page, report_html);
    out_ << "<p class=\"copies\">Copy ";
    copy("text", "as text", formula.text);
    copy("latex", "as LaTeX", formula.latex);
    copy("sympy", "for SymPy", formula.sympy);
    out_ << "</p>\n";
  }
  void copy(const std::string& kind, const std::string& words, const std::string& value) {
    if (value.empty()) return;
    out_ << "<button type=\"button\" data-copy=\"" << kind << "\" aria-label=\"Copy " << words << "\" value=\"" << xml_text(value)
         << "\">" << words << "</button> ";
  }
  /// A picture is as wide as it was made, narrower where there is less room, but not so small that nobody can read it.
  void picture_box(double width) { out_ << "<div class=\"picture\" style=\"--natural:" << std::ceil(width) << "px\">"; }
  /// Step responses are not recalculated where there are values alone.
  bool moves(const Figure& figure) const {
    if (!report_.moving) return false;
    return report_.moving->coefficients || std::ranges::none_of(figure.panels, [](const Panel& panel) {
             return std::ranges::any_of(panel.series, [](const Series& series) { return series.kind == "step"; });
           });
  }
  void write(const Figure& figure) {
    out_ << "<figure>";
    picture_box(figure.width);
    Figure moving = figure;
    moving.moving = moves(figure);
    write_svg(out_, figure_scene(moving),
              {.theme = moving.theme, .style = report_.style.get(), .within = std::to_string(++pictures_)});
    out_ << "</div></figure>\n";
  }

  std::ostream& out_;
  const Report& report_;
  const Budget& budget_;
  std::size_t pictures_ = 0;
  const SignalFlowGraph* drawn_ = nullptr;
};

}  // namespace

void write_html_document(std::ostream& out, const Report& report, const Budget& budget) {
  ReportPage(out, report, budget).write();
}

}  // namespace sfg
