// export --target c, cpp: the options of the code, and the two files of C++.
#include <filesystem>
#include <sstream>

#include "sfg/export/c/c_program.hpp"
#include "sfg/write/substitutions/substitutions.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/output.hpp"
#include "tools/verbs/export.hpp"

namespace sfg::command {

namespace {

CProgramOptions c_options(const Arguments& arguments, const ExportSubject& subject) {
  CProgramOptions options;
  options.single = arguments.text("precision", "double") == "single";
  if (arguments.has("fixed")) try {
      options.fixed = FixedPoint::of(arguments.text("fixed"));
    } catch (const std::invalid_argument& wrong) {
      throw UsageError("option '--fixed " + arguments.text("fixed") + "': " + wrong.what(), "write --fixed Q15.16, say");
    }
  if (options.fixed && !subject.graph.op.discrete() && !subject.sample_time)
    throw UsageError("a step in whole numbers is of a sampled system, and the model is not in z", "add --sample-time H");
  if (!options.fixed && !subject.graph.op.discrete() && subject.sample_time)
    throw UsageError("--sample-time is the step of --fixed: NAME_step takes any dt", "add --fixed Q15.16, or leave it out");
  return options;
}

int export_c_program(Task& task, const Subject& stated) {
  const ExportSubject subject = export_subject(task, {.laws = true, .samples = true}, stated);
  const CProgramOptions options = c_options(task.arguments, subject);
  task.working("writing the file");
  write_c_program(task.out, subject, options, task.budget);
  return 0;
}

/// The declarations beside the file of -o: both are written, or none. Without -o there is one file, which stands alone.
int export_cpp_program(Task& task, const Subject& stated) {
  const ExportSubject subject = export_subject(task, {.laws = true, .samples = true}, stated);
  CProgramOptions options = c_options(task.arguments, subject);
  options.cpp = true;
  const std::filesystem::path file = task.arguments.text("output", "-");
  const bool two = file != "-";
  const std::filesystem::path declarations = std::filesystem::path(file).replace_extension(".hpp");
  if (two && declarations == file) throw UsageError("the file of C++ is named as its declarations", "end its name in .cpp");
  if (two) options.include = declarations.filename().string();
  task.working("writing the file");
  const CProgram program = c_program(subject, options, task.budget);
  if (!two) {
    task.out << program.program;
    return 0;
  }
  deliver(program.header, declarations.string());
  try {
    deliver(program.program, file.string());
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove(declarations, ignored);
    throw;
  }
  task.delivered = true;
  return 0;
}

/// --precision, --fixed are of transfer functions and states; equations of motion are double.
void refuse_bodies(const Arguments& arguments) {
  for (const Option& option : program_options())
    if (arguments.has(option.name.substr(2)))
      throw UsageError(option.name + " is not about equations of motion of bodies",
                       "leave it out, or export the linear graph of the model");
}

int export_of(Task& task, int (*program)(Task&, const Subject&)) {
  bool bodies = true;
  const int status = export_code(task, write_c, [&](Task& of_program, const Subject& stated) {
    bodies = false;
    return program(of_program, stated);
  });
  if (bodies) refuse_bodies(task.arguments);
  return status;
}

}  // namespace

int export_c(Task& task) { return export_of(task, export_c_program); }
int export_cpp(Task& task) { return export_of(task, export_cpp_program); }

}  // namespace sfg::command
