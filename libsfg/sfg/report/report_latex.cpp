#include "sfg/report/report.hpp"

#include <algorithm>
#include <ostream>
#include <sstream>

#include "sfg/draw/tikz.hpp"
#include "sfg/error.hpp"
#include "sfg/expr/latex_text.hpp"
#include "sfg/plot/figure_scene.hpp"
#include "sfg/report/sections.hpp"
#include "sfg/text/utf8.hpp"
#include "sfg/write/mason.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

namespace {

constexpr double line_width = 166;  ///< mm: A4 between margins of 22 mm

/// Type of outlines in any size: Latin Modern where it is installed, else the old encoding of Computer Modern, with single
/// letters of the new one where it has none. Its colours are those of the page; nothing of the day or the machine is written.
constexpr const char* preamble = R"(\documentclass[10pt,a4paper]{article}
\IfFileExists{lmodern.sty}{\usepackage[T1]{fontenc}\usepackage{lmodern}}{\usepackage[T1,OT1]{fontenc}\usepackage{fix-cm}%
  \DeclareTextAccentDefault{\k}{T1}\DeclareTextSymbolDefault{\DH}{T1}\DeclareTextSymbolDefault{\dh}{T1}%
  \DeclareTextSymbolDefault{\DJ}{T1}\DeclareTextSymbolDefault{\dj}{T1}\DeclareTextSymbolDefault{\TH}{T1}%
  \DeclareTextSymbolDefault{\th}{T1}\DeclareTextSymbolDefault{\NG}{T1}\DeclareTextSymbolDefault{\ng}{T1}%
  \DeclareTextSymbolDefault{\guillemotleft}{T1}\DeclareTextSymbolDefault{\guillemotright}{T1}%
  \DeclareTextSymbolDefault{\guillemetleft}{T1}\DeclareTextSymbolDefault{\guillemetright}{T1}}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,margin=22mm]{geometry}
\usepackage{amsmath,amssymb,mathtools,array,longtable,graphicx}
\usepackage{tikz}
\usetikzlibrary{arrows.meta,calc}
\usepackage[unicode,hidelinks,bookmarksnumbered]{hyperref}
\ifdefined\pdfinfoomitdate\pdfinfoomitdate=1\fi
\ifdefined\pdftrailerid\pdftrailerid{}\fi
\ifdefined\pdfsuppressptexinfo\pdfsuppressptexinfo=-1\fi
\setlength{\parindent}{0pt}
\setlength{\parskip}{4pt plus 2pt}
\setlength{\emergencystretch}{3em}
\allowdisplaybreaks
\setcounter{tocdepth}{2}
% A picture: no wider than a line and no higher than a page, a very wide one turned.
\newsavebox{\sfgpicture}
\newcommand{\sfgplace}{\par\begin{center}%
  \ifdim\wd\sfgpicture>1.7\linewidth\ifdim\wd\sfgpicture>1.7\dimexpr\ht\sfgpicture+\dp\sfgpicture\relax
    \sbox{\sfgpicture}{\rotatebox{90}{\usebox{\sfgpicture}}}\fi\fi
  \ifdim\wd\sfgpicture>\linewidth\sbox{\sfgpicture}{\resizebox{\linewidth}{!}{\usebox{\sfgpicture}}}\fi
  \ifdim\dimexpr\ht\sfgpicture+\dp\sfgpicture\relax>0.9\textheight
    \sbox{\sfgpicture}{\resizebox*{!}{0.9\textheight}{\usebox{\sfgpicture}}}\fi
  \usebox{\sfgpicture}\end{center}}
)";

/// For the title and the bookmarks of a PDF: no mathematics, characters beyond ASCII by their numbers.
std::string pdf_text(std::string_view any) {
  std::string result;
  const std::string_view special = "#$%&_{}";
  for (std::size_t i = 0; i < any.size();) {
    const std::string_view character = any.substr(i, character_bytes(any, i));
    i += character.size();
    const char c = character.front();
    if (character == "\\")
      result += "\\textbackslash{}";
    else if (character == "^")
      result += "\\textasciicircum{}";
    else if (character == "~")
      result += "\\textasciitilde{}";
    else if (special.find(c) != std::string_view::npos)
      result += std::string("\\") + c;
    else if (std::string_view("<>|").find(c) != std::string_view::npos)
      result += c;
    else
      result += latex_text(character).starts_with("$") ? "?" : latex_text(character);
  }
  return result;
}

class LatexReport {
 public:
  LatexReport(std::ostream& out, const Report& report, const Budget& budget) : out_(out), report_(report), budget_(budget) {
    for (const ReportSection& section : report.sections)
      for (const ReportPart& part : section.parts)
        if (!part.transfer.empty() && std::ranges::find(transfers_, part.transfer) == transfers_.end())
          transfers_.push_back(part.transfer);
  }

  void write() {
    out_ << preamble << "\\hypersetup{pdftitle={" << pdf_text(report_.title) << "}}\n\\begin{document}\n"
         << "\\begin{center}{\\LARGE " << latex_text(report_.title) << "\\par}\\end{center}\n\\tableofcontents\n";
    for (const ReportSection& section : report_.sections) write(section);
    out_ << "\\end{document}\n";
  }

 private:
  /// What belongs to one pair stands below its name where there are several.
  void write(const ReportSection& section) {
    out_ << "\n\\section{" << latex_text(section.heading) << "}\n";
    std::string transfer;
    for (const ReportPart& part : section.parts) {
      if (part.transfer != transfer && !part.transfer.empty() && transfers_.size() > 1)
        out_ << "\n\\subsection{\\texorpdfstring{" << latex_text(part.transfer) << "}{" << pdf_text(part.transfer) << "}}\n";
      transfer = part.transfer;
      budget_.check("the report");
      std::visit([this](const auto& content) { write(content); }, part.content);
    }
  }
  void write(const Page& page) {
    Page words{.title = page.title, .blocks = {}};
    for (const Block& block : page.blocks) {
      const auto* picture = std::get_if<Picture>(&block);
      if (picture == nullptr) {
        words.add(block);
        continue;
      }
      flush(words);
      place("The picture", [&](std::ostream& out) {
        std::visit(
            [&](const auto& drawn) {
              write_tikz(out, drawn, {.theme = Theme::light, .fragment = true, .style = report_.style.get()});
            },
            picture->drawn);
      });
      words.add(Paragraph{{picture->caption}});
    }
    flush(words);
  }
  void flush(Page& words) {
    write_latex(out_, words, {.width = line_width, .part = true});
    words = {};
  }
  void write(const ReportDerivation& part) {
    for (const Page& page : pages(part.listings)) write(page);
  }
  void write(const ReportFormula& formula) {
    Page page;
    page.add(Equations{{formula.equation}});
    write(page);
  }
  void write(const ReportGraph& part) {
    place("The graph", [&](std::ostream& out) {
      write_tikz(out, drawn(part, report_.style.get(), budget_),
                 {.theme = Theme::light, .fragment = true, .style = report_.style.get()});
    });
  }
  void write(const Figure& figure) {
    place("The figure", [&](std::ostream& out) {
      write_tikz(out, figure_scene(figure),
                 {.theme = Theme::light, .fragment = true, .font_size = 8, .style = report_.style.get()});
    });
  }

  /// A picture that is refused is told of, and the report goes on.
  template <class Draw>
  void place(const std::string& what, Draw draw) {
    try {
      std::ostringstream picture;
      draw(picture);
      out_ << "\n\\sbox{\\sfgpicture}{%\n" << picture.str() << "}\n\\sfgplace\n";
    } catch (const Cancelled&) {
      throw;
    } catch (const Failure& failure) {
      budget_.check("the report");
      out_ << "\n" << what << " is not drawn: " << latex_text(failure.what()) << ".\n";
    }
  }

  std::ostream& out_;
  const Report& report_;
  const Budget& budget_;
  std::vector<std::string> transfers_;
};

}  // namespace

void write_latex_document(std::ostream& out, const Report& report, const Budget& budget) {
  LatexReport(out, report, budget).write();
}

}  // namespace sfg
