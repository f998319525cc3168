#pragma once
#include <span>
#include <string>
#include <vector>

#include "tools/serve/child.hpp"

namespace sfg::command {

/// What the workbench may ask of the command: a row of a table, never words of a browser.
struct QuestionKind {
  std::string name;                ///< "bode.csv"
  std::string label;               ///< "Bode diagram, CSV"
  std::string group;               ///< "" for what is no download
  std::vector<std::string> words;  ///< verb and fixed options
  std::string file;                ///< what the answer is named: "bode.csv"; "": the answer is standard output
  std::string type;                ///< of its content: "text/csv"
  bool ends = true;                ///< --from, --to and what belongs to them matter
  bool sections = false;           ///< it is a report: --sections, --title
  bool scratch = false;            ///< LaTeX runs, which needs files
};

/// All kinds, those of `sfg export` as its own table lists them.
const std::vector<QuestionKind>& question_kinds();

/// A model as it stands in an editor, and what is asked about it.
struct WorkbenchQuestion {
  std::string kind;    ///< name of a row
  std::string text;    ///< of the model
  std::string format;  ///< dot, toml, m, json, spice; "": by its text
  std::string name;    ///< what the model is called, without extension
  std::vector<std::string> from, to, set;
  std::vector<std::string> edits;  ///< in the words of `sfg graph --edit`
  std::string ratio, sections, title;
  std::string data;  ///< what was measured, as a table; "": nothing
  std::string page;  ///< which page asks: a new question of the same kind ends its last one
  bool inject = false, linearize = false, decimal_comma = false;
};

/// The format that a text is likely meant to be.
std::string likely_format(std::string_view text);

/// Reads {"kind", "text", "format", "name", "from", "to", "set", "ratio", "inject", "linearize", "sections", "title", "edits",
/// "data", "decimal_comma", "page"}.
/// @throws UsageError for anything that is not in the table, is of another type or too long.
WorkbenchQuestion read_question(const std::string& json);

/// The run that answers it. What LaTeX sets may take three times as long.
ChildTask child_task(const WorkbenchQuestion&, QuestionLimits);
const QuestionKind& kind_of(const WorkbenchQuestion&);

}  // namespace sfg::command
