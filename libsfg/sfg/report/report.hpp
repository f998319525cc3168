#pragma once
#include <iosfwd>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sfg/ask/subject.hpp"
#include "sfg/budget.hpp"
#include "sfg/draw/theme.hpp"
#include "sfg/exact/rational.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/model/measurement.hpp"
#include "sfg/plot/plot.hpp"
#include "sfg/transfer/mason.hpp"
#include "sfg/transfer/question.hpp"
#include "sfg/write/page/page.hpp"

namespace sfg {

/// A parameter that a reader may move.
struct MovingParameter {
  std::string name;
  exact::Rational start = {};  ///< irrational ones to 120 digits
  std::string unit = {}, text = {};
  std::string follows = {};  ///< the expression of others that states it: until it is moved itself it follows these
};

/// Transfer functions compiled for a page: values, poles, responses and margins as functions of the parameters.
struct MovingModel {
  std::vector<MovingParameter> parameters;
  std::vector<std::string> transfers;  ///< "OUT/IN" of each
  /// Plain JavaScript, `const moving = {…};`: straight-line programs of numbered values for the coefficients of the transfer
  /// functions in lowest terms, one polynomial for each dead time; where there are no such coefficients (sqrt(s), too many terms)
  /// for their values at a point. Names of the model occur in string literals alone.
  std::string script;
  /// Whether a page knows poles and step responses: there are coefficients, and no dead time in a loop, or it is moved to 0.
  bool coefficients = true;
  std::vector<std::string> fixed = {};  ///< what stays where it is when parameters move, in words
};

/// @throws sfg::Error naming parameters without values; NoAnswer, LimitReached where there is no such form.
MovingModel moving_model(const SignalFlowGraph&, std::span<const Question>, const Budget& = {});

/// What a report is about: an input with what follows from it, and what is asked of it.
struct ReportSubject {
  Subject subject;
  std::string file;                            ///< its name, as the commands of the report name it
  std::string text;                            ///< as it was written
  std::vector<Question> questions;             ///< every pair of input and output
  std::vector<std::string> words = {};         ///< of the command that made it, for the report's: "--from", "z1", …
  std::vector<Diagnostic> notes = {};          ///< what was said on the way
  std::vector<std::string> fixed_points = {};  ///< in words: what stays where it is when parameters move
  std::vector<Measurement> records = {};       ///< measured transfer functions and step responses, beside which they are shown
  const Input& input() const { return subject.input(); }
  const SignalFlowGraph& graph() const { return subject.graph(); }
};

/// The input of a file with its graph, derived where it is a model, and every pair of its inputs and outputs.
/// @throws sfg::Error, NoAnswer as read_file() and derive().
ReportSubject report_subject(const std::string& path, const Budget& = {});

struct ReportOptions {
  std::string title = {};                  ///< instead of that of the input
  std::vector<std::string> sections = {};  ///< their names; empty: all that apply, but for those that are made on request
  std::uint64_t seed = 1;
  Budget budget = {};
  std::shared_ptr<const HouseStyle> style = {};  ///< of its pictures; none: ours
};

/// The derivation by Mason's rule of every pair, whose paths, loops and sets can be pressed in a page: loops and sets, which all
/// share, are listed once.
struct ReportDerivation {
  std::vector<MasonListing> listings;
};

/// The graph itself, whose branches can be pressed in a page.
struct ReportGraph {
  SignalFlowGraph graph;
  std::vector<exact::Rational> decimals = {};  ///< that were typed in the gains: they stay
};

/// A formula as programs read it, to be copied.
struct ReportFormula {
  Equation equation;
  std::string text, latex, sympy;
};

/// A piece of a section.
struct ReportPart {
  std::string transfer = {};  ///< "OUT/IN", of what belongs to one pair; empty: of the whole
  std::variant<Page, ReportDerivation, ReportGraph, ReportFormula, Figure> content;
};

struct ReportSection {
  std::string id;       ///< "mason"
  std::string heading;  ///< "Mason's rule"
  std::vector<ReportPart> parts;
};

/// A whole study of one model, for the writers of formats: sections in their order.
struct Report {
  std::string title;
  std::vector<ReportSection> sections;
  std::shared_ptr<const HouseStyle> style = {};  ///< of its pictures
  std::optional<MovingModel> moving;  ///< what a page recalculates when parameters move; nothing: their values are not all known
};

/// @throws sfg::Error for a name that is no section, with the nearest one.
void check_sections(std::span<const std::string> names);

/// Everything that applies to the subject. What has no answer is said in its section.
/// @throws sfg::Error for a name that is no section, with the nearest one; as the passes where the input itself is wrong.
Report report(const ReportSubject&, const ReportOptions& = {});

/// "OUT/IN".
std::string transfer_label(const SignalFlowGraph&, const Question&);

/// The report as one page of HTML 5 that needs nothing else and lets nothing else in: its Content-Security-Policy forbids the
/// network, and scripts but its own, by their hashes. Paths, loops and sets can be pressed, parameters moved.
void write_html_document(std::ostream&, const Report&, const Budget& = {});

/// The report as a document that pdflatex compiles as it is: no picture beside it.
void write_latex_document(std::ostream&, const Report&, const Budget& = {});

/// The report as one file of Markdown, mathematics in LaTeX, pictures in it as data.
void write_markdown_document(std::ostream&, const Report&, const Budget& = {});

/// The report as the bytes of a PDF with a title, bookmarks and links: write_latex_document() set by `pdflatex`, a child process
/// with limits on time and memory, in a folder of its own, which may start no other program and write nowhere else. The same
/// report has the same bytes on every run of the same TeX.
/// @throws NoAnswer when the program is missing or refuses the document, with the first line of what it says; LimitReached when
/// it takes too long.
std::string pdf_document(const Report&, const Budget& = {});

}  // namespace sfg
