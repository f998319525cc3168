#include "sfg/report/report.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "sfg/draw/svg.hpp"
#include "sfg/error.hpp"
#include "sfg/plot/figure_scene.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/text/digest.hpp"
#include "sfg/text/escape.hpp"
#include "sfg/write/mason.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

namespace {

/// Of our own headings: how GitHub and Pandoc name the place of one.
std::string anchor(const std::string& heading) {
  std::string name;
  for (const char c : heading) {
    if (c >= 'A' && c <= 'Z')
      name += static_cast<char>(c - 'A' + 'a');
    else if (c == ' ')
      name += '-';
    else if (c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
      name += c;
  }
  return name;
}

/// On one line, as XML has it.
std::string one_line(const std::string& text) {
  std::string made = valid_utf8(text);
  std::ranges::replace_if(
      made, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return made;
}

class MarkdownReport {
 public:
  MarkdownReport(std::ostream& out, const Report& report, const Budget& budget) : out_(out), report_(report), budget_(budget) {}

  void write() {
    out_ << "# " << markdown_text(report_.title) << "\n\n";
    for (const ReportSection& section : report_.sections)
      out_ << "- [" << markdown_text(section.heading) << "](#" << anchor(section.heading) << ")\n";
    for (const ReportSection& section : report_.sections) write(section);
  }

 private:
  void write(const ReportSection& section) {
    out_ << "\n## " << markdown_text(section.heading) << "\n\n";
    std::string transfer;
    for (const ReportPart& part : section.parts) {
      if (part.transfer != transfer && !part.transfer.empty()) out_ << "### " << markdown_text(part.transfer) << "\n\n";
      transfer = part.transfer;
      budget_.check("the report");
      std::visit([this](const auto& content) { write(content); }, part.content);
    }
  }
  void write(const Page& page) {
    Page words{.title = page.title, .blocks = {}};
    const auto flush = [&] {
      write_markdown(out_, words, {.level = 2});
      words = {};
    };
    for (const Block& block : page.blocks) {
      const auto* picture = std::get_if<Picture>(&block);
      if (picture == nullptr) {
        words.add(block);
        continue;
      }
      flush();
      std::visit([&](const auto& drawn) { put(drawn, picture->caption, Theme::automatic); }, picture->drawn);
    }
    flush();
  }
  void write(const ReportDerivation& part) {
    for (const Page& page : pages(part.listings)) write(page);
  }
  void write(const ReportFormula& formula) {
    Page page;
    page.add(Equations{{formula.equation}});
    write(page);
    out_ << markdown_listing(formula.text) << '\n';
  }
  void write(const ReportGraph& part) {
    place("The graph", [&] { return drawn(part, report_.style.get(), budget_); });
  }
  void write(const Figure& figure) {
    place("The figure", [&] { return figure_scene(figure); });
  }

  /// A picture that is refused is told of, and the report goes on.
  template <class Draw>
  void place(const std::string& what, Draw draw) {
    try {
      const auto picture = draw();
      put(picture, picture.title, Theme::light);
    } catch (const Cancelled&) {
      throw;
    } catch (const Failure& failure) {
      budget_.check("the report");
      out_ << what << " is not drawn: " << markdown_text(failure.what()) << ".\n\n";
    }
  }

  /// As data, its description below for those who read the text.
  template <class Drawn>
  void put(const Drawn& drawn, const std::string& caption, Theme theme) {
    std::ostringstream svg;
    write_svg(svg, drawn, {.theme = theme, .style = report_.style.get()});
    out_ << "![" << markdown_text(one_line(caption)) << "](data:image/svg+xml;base64," << base64(svg.str()) << ")\n\n";
    if (!drawn.description.empty()) out_ << "*" << markdown_text(one_line(drawn.description)) << "*\n\n";
  }

  std::ostream& out_;
  const Report& report_;
  const Budget& budget_;
};

}  // namespace

void write_markdown_document(std::ostream& out, const Report& report, const Budget& budget) {
  MarkdownReport(out, report, budget).write();
}

}  // namespace sfg
