// export --target substitution, substitution-indexed, c, octave, python: M(x) v' = F of a multibody model, or of a list of
// substitutions.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "sfg/derive/multibody/multibody_equations.hpp"
#include "sfg/derive/multibody/substitution.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/read/substitutions.hpp"
#include "sfg/write/substitutions/substitutions.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/export.hpp"

namespace sfg::command {

namespace {

bool is_list(const Arguments& arguments) { return names_substitutions(arguments.input()); }

/// A list and what its header says of it.
struct Exported {
  SubstitutionList list;
  std::vector<std::string> header = {};
};

Exported list_of_file(Task& task) {
  refuse_any(task.arguments, {"no-prune", "no-cse", "set", "numbers", "variable", "reactions"},
             " does not matter to a list that is made already");
  Exported result{read_substitutions(text_of_file(task.arguments.input()), task.arguments.input())};
  task.notes.insert(task.notes.end(), result.list.notes.begin(), result.list.notes.end());
  if (result.list.results.empty()) throw NoAnswer("the list has no results", "add lines as M(1,1)=sub29; and F(1)=sub36;", {});
  return result;
}

Subject subject_of_bodies(Task& task) {
  Subject subject = subject_of(task);
  if (subject.bodies()) return subject;
  if (!task.arguments.has("target"))
    throw UsageError("a list of substitutions is of a multibody model", "state the model as [multibody]");
  throw UsageError("--target " + task.arguments.text("target") + " is of a multibody model, or of its list of substitutions",
                   "state the model as [multibody], or give a file .sub or .idx");
}

std::string count_text(double count) { return print(std::round(count)); }

Exported exported(Task& task, Subject subject, bool listing) {
  if (task.arguments.has("variable"))
    task.notes.push_back(
        {{}, "--variable makes no difference: equations of motion have no operator", "leave it out", Severity::remark});
  if (listing) subject = subject.with(with_elastic_names(*subject.bodies()));
  task.working("deriving the equations");
  const MultibodyEquations equations =
      subject.body_equations({.reuse = !task.arguments.has("no-cse"), .prune = !task.arguments.has("no-prune")});
  task.notes.insert(task.notes.end(), equations.notes.begin(), equations.notes.end());
  const bool reactions = task.arguments.has("reactions");
  SubstitutionList list =
      substitution_list(equations, *subject.bodies(), reactions ? ListedResults::with_reactions : ListedResults::motion);
  const std::string of_all = std::to_string(operations(list)), direct = count_text(equations.operations.direct);
  const bool more = list.results.size() > 2;  // constraints, rates, wrenches of joints
  return {
      std::move(list),
      {more ? "operations of the list: " + of_all + " with substitutions; of M and F alone " + direct + " with everything put in"
            : "operations of M and F: " + of_all + " with substitutions, " + direct + " with everything put in"}};
}

Exported exported(Task& task, bool listing) {
  if (is_list(task.arguments)) return list_of_file(task);
  return exported(task, subject_of_bodies(task), listing);
}

/// A name that functions may have.
std::string function_name(const Arguments& arguments) {
  std::string name = arguments.text("name");
  if (name.empty() && arguments.has("output")) name = std::filesystem::path(arguments.text("output")).stem().string();
  if (name.empty() || name == "-") name = std::filesystem::path(arguments.input()).stem().string();
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  if (name.empty() || std::isalpha(static_cast<unsigned char>(name.front())) == 0) name = "model" + name;
  return name;
}

int write_listing(Task& task, SubstitutionForm form) {
  refuse_any(task.arguments, {"break", "of", "ratio-of"}, " is about a transfer function, and the equations of motion have none");
  const Exported result = exported(task, true);
  write_substitutions(task.out, result.list, form, result.header);
  return 0;
}

/// With what the code's own check needs, where the results have values at the sample.
SubstitutionCode code_of(Task& task, const Exported& exported) {
  const std::string target = task.arguments.text("target");
  SubstitutionCode code{.name = function_name(task.arguments), .header = exported.header};
  code.header.push_back("made by: sfg export " + std::filesystem::path(task.arguments.input()).filename().string() +
                        " --target " + target);
  code.point = sample_point(exported.list);
  code.expected = values_at(exported.list, code.point);
  if (std::ranges::all_of(code.expected, [](double value) { return std::isfinite(value); })) {
    code.header.push_back("verified: the check in this file compares with the compiled form of sfg at one point");
  } else {
    code.expected.clear();
    task.notes.push_back({{},
                          "the results have no values at the point of the check: the file has none",
                          "state values of the parameters at which they have",
                          Severity::warning});
  }
  return code;
}

}  // namespace

bool names_substitutions(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == "sub" || extension == "idx";
}

int derive_substitutions(Task& task) {
  const std::string output = task.arguments.text("output");
  if (task.arguments.has("output") && output != "-" && !names_substitutions(output))
    throw UsageError("no list of substitutions is written as '" + output + "'", "end the name in .sub (names) or .idx (indexed)");
  refuse_any(task.arguments, {"state", "minimal", "table", "json", "from", "to", "ratio", "inject", "notation", "width"},
             " does not matter to a list of substitutions");
  return write_listing(task, extension_of(output) == "idx" ? SubstitutionForm::indexed : SubstitutionForm::names);
}

int export_substitution(Task& task) { return write_listing(task, SubstitutionForm::names); }
int export_indexed_substitution(Task& task) { return write_listing(task, SubstitutionForm::indexed); }

int export_code(Task& task, SubstitutionWriter write_substitutions, ProgramWriter write_program) {
  return export_code(task, write_substitutions, [write_program](Task& of_program, const Subject& subject) {
    return export_program(of_program, {.laws = true, .samples = true}, write_program, subject);
  });
}

namespace {

int write_code(Task& task, SubstitutionWriter write, Exported result) {
  note_without_tables(task);
  result.list = of_independent_constants(std::move(result.list));
  write(task.out, result.list, code_of(task, result));
  return 0;
}

}  // namespace

int export_code(Task& task, SubstitutionWriter write_substitutions, const std::function<int(Task&, const Subject&)>& program) {
  if (is_list(task.arguments)) return write_code(task, write_substitutions, list_of_file(task));
  const Subject subject = subject_of(task);
  return subject.bodies() && !subject.of_transfer() ? write_code(task, write_substitutions, exported(task, subject, false))
                                                    : program(task, subject);
}

std::vector<Option> substitution_options() {
  return {{"--no-prune", "", "substitutions: those that nothing needs are listed, too"},
          {"--no-cse", "", "substitutions: equal expressions have names of their own"},
          {"--reactions", "",
           "substitutions, c, octave, python: the wrench of every joint, R1, R2 …, from accelerations and multipliers, too"}};
}

}  // namespace sfg::command
