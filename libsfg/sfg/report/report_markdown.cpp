#include "sfg/report/report_markdown.hpp"

#include <ostream>
#include <sstream>

#include "sfg/draw/graph/layout.hpp"
#include "sfg/draw/svg.hpp"
#include "sfg/error.hpp"
#include "sfg/text/digest.hpp"
#include "sfg/write/mason.hpp"
#include "sfg/write/page/page_markdown.hpp"

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

/// What stands between two tags of our SVG, its five entities read.
std::string content_of(const std::string& svg, const std::string& element) {
  const std::size_t open = svg.find("<" + element);
  if (open == std::string::npos) return "";
  const std::size_t begin = svg.find('>', open) + 1, end = svg.find("</" + element, begin);
  if (begin == 0 || end == std::string::npos) return "";
  std::string text = svg.substr(begin, end - begin);
  for (const auto& [entity, character] :
       {std::pair("&lt;", "<"), std::pair("&gt;", ">"), std::pair("&quot;", "\""), std::pair("&#10;", " "),
        std::pair("&#13;", " "), std::pair("&#9;", " "), std::pair("&amp;", "&")})
    for (std::size_t at = text.find(entity); at != std::string::npos; at = text.find(entity, at + 1))
      text.replace(at, std::string_view(entity).size(), character);
  return text;
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
      if (picture == nullptr || !picture->svg.starts_with('<')) {
        words.add(block);
        continue;
      }
      flush();
      put(picture->svg, picture->caption);
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
    place("The graph", [&](std::ostream& out) {
      write_svg(out, layout(part.graph, {.decimals = part.decimals, .budget = budget_}), {.theme = Theme::light});
    });
  }
  void write(const Figure& figure) {
    place("The figure", [&](std::ostream& out) {
      Figure light = figure;
      light.theme = Theme::light;
      write_svg(out, light);
    });
  }

  /// A picture that is refused is told of, and the report goes on.
  template <class Draw>
  void place(const std::string& what, Draw draw) {
    try {
      std::ostringstream picture;
      draw(picture);
      put(picture.str(), content_of(picture.str(), "title"));
    } catch (const Cancelled&) {
      throw;
    } catch (const Failure& failure) {
      budget_.check("the report");
      out_ << what << " is not drawn: " << markdown_text(failure.what()) << ".\n\n";
    }
  }

  /// As data, its description below for those who read the text.
  void put(const std::string& svg, const std::string& caption) {
    out_ << "![" << markdown_text(caption) << "](data:image/svg+xml;base64," << base64(svg) << ")\n\n";
    if (const std::string description = content_of(svg, "desc"); !description.empty())
      out_ << "*" << markdown_text(description) << "*\n\n";
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
