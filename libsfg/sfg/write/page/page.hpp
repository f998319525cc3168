#pragma once
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sfg/draw/scene.hpp"
#include "sfg/draw/theme.hpp"
#include "sfg/expr/math_tree.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {

/// How much is said of how an answer of several parts was made and verified.
enum class Detail {
  brief,  ///< once for all
  full,   ///< of each
};

/// Words with mathematics between them.
using Prose = std::vector<std::variant<std::string, Math>>;

/// Mathematics on a line of its own. A fraction of polynomials stays one until it is written: as a tree a million terms would
/// need a gigabyte.
using Expression = std::variant<Math, RationalFunction>;

/// The beginning of a section.
struct Heading {
  Prose text;
};

struct Paragraph {
  Prose text;
  std::size_t depth = 0;  ///< how far inside of what precedes it
  bool check = false;     ///< about how the result was made and verified, not about what it is
};

/// left = right[0] = right[1] …; a sum too long for a line is broken, one power of `main` a line.
struct Equation {
  std::optional<Math> left;  ///< nothing: an expression alone
  std::vector<Expression> right;
  Prose aside = {};  ///< beside it, in brackets
};

struct Equations {
  std::vector<Equation> rows;
  std::string main = {};
  std::size_t depth = 0;
  bool aligned = false;  ///< the signs of equality one below the other, also in plain text
};

struct Table {
  struct Column {
    Prose head = {};
    bool right = false;     ///< numbers stand on the right
    std::size_t width = 0;  ///< in plain text, at least
  };
  std::vector<Column> columns;
  std::vector<std::vector<Prose>> rows;
  std::size_t depth = 0;
  bool headed = true;
};

/// Text of a program, as it is.
struct Listing {
  std::string text;
};

/// A picture, which every notation writes in its own format; in plain text its caption alone. A graph is there as its drawing,
/// whose TikZ is stated by the nodes.
struct Picture {
  std::variant<Scene, Drawing> drawn;
  std::string caption = {};
  Theme theme = Theme::automatic;

  bool empty() const {
    return std::visit([](const auto& content) { return content.width == 0; }, drawn);
  }
};

/// White space between two answers.
struct Gap {};

using Block = std::variant<Heading, Paragraph, Equations, Table, Listing, Picture, Gap>;

/// What a result says, in order: every renderer (write_text, write_latex, write_markdown, write_rst, write_html) shows all of it.
struct Page {
  std::string title;
  std::vector<Block> blocks;

  void add(Block);
  void add(Page other);
};

/// "none" or the names one after the other.
Prose listed(const std::vector<std::string>& names);
/// One line of a table or paragraph: the parts of several.
Prose joined(const std::vector<Prose>& parts, const std::string& between);
/// A name or a number in a cell.
Prose words(std::string);

/// above/below with a sign in front of the whole, one fraction line, nothing over 1.
Math simple_quotient(Math above, Math below);
/// The tree of an expression, whatever it is kept as.
Math tree(const Expression&);

struct TextLayout {
  Notation notation = Notation::text;  ///< or unicode
  std::size_t width = 100;             ///< characters of a line
};

/// The page as plain text. Formulas too long for a line are broken, a power of the operator a line; what continues is indented
/// more.
void write_text(std::ostream&, const Page&, const TextLayout& = {});

struct LatexLayout {
  double width = 120;     ///< of a line, mm
  bool document = false;  ///< with a preamble, so that it compiles as it is
  bool part = false;      ///< of a larger document with longtable: titles are subsections, tables go on over pages, and what is
                          ///< said of how a result was made is printed
};

/// The page as LaTeX with amsmath and mathtools, and with tikz (arrows.meta, calc) where it has pictures; equations are broken
/// where they are wider than a line. A picture is drawn where it holds TikZ in the place of SVG, else its caption stands for it.
void write_latex(std::ostream&, const Page&, const LatexLayout& = {});

/// A formula as lines no wider than so many points, broken at signs, then inside of brackets and fractions; a power of `main`
/// a line where there are several. What nothing breaks is left as wide as it is.
std::vector<std::string> latex_lines(const Math&, double width, std::string_view main = {});
/// The text of a program in typewriter type, a paragraph a line: any characters, lines no longer than so many points, longer ones
/// go on below after an arrow.
std::string latex_listing(std::string_view text, double width);
/// About how wide LaTeX sets a formula at ten points, in points.
double latex_width(const Math&);

struct HouseStyle;

struct HtmlOptions {
  int heading = 2;                    ///< level of its headings; the title of a page that is no part is one above
  bool part = false;                  ///< of a document with a style sheet of its own, which finds things by their classes
  double room = 0;                    ///< for formulas, in ems: wider ones are broken into lines; 0: browsers scroll them
  const HouseStyle* style = nullptr;  ///< of its pictures
};

/// The page as an element `<article>` of HTML that needs nothing else: mathematics is MathML. It is well-formed XML, too.
void write_html(std::ostream&, const Page&, const HtmlOptions& = {});
/// The same as a document.
void write_html_document(std::ostream&, const Page&);

struct MarkdownLayout {
  std::size_t level = 0;  ///< of the headings that the page stands below: 0 for a document of its own
};

/// The page as Markdown with tables (GitHub, Pandoc); mathematics stands between dollars, as LaTeX.
void write_markdown(std::ostream&, const Page&, const MarkdownLayout& = {});
/// Any text as one of Markdown: nothing in it is markup.
std::string markdown_text(std::string_view);
/// The text of a program between fences longer than any in it.
std::string markdown_listing(std::string_view text);

/// The rows as an environment aligned of LaTeX, for displayed mathematics; those too long for a line are broken.
std::string aligned_equations(const Equations&);

/// The page as reStructuredText: headings as rubrics, so that it stands in any section; mathematics as LaTeX in the directive and
/// the role math, tables as list-table.
void write_rst(std::ostream&, const Page&);
/// Any text as one of reStructuredText: nothing in it is markup.
std::string rst_text(std::string_view);

}  // namespace sfg
