#include "sfg/report/report.hpp"

#include "tools/frame/linearize.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/measurement.hpp"
#include "tools/frame/operating_point.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/pictures.hpp"
#include "tools/frame/usage.hpp"
#include "tools/verbs/report_watch.hpp"

namespace sfg::command {

namespace {

enum class Format { html, latex, pdf, markdown };

Format report_format(const Arguments& arguments) {
  const std::string extension = arguments.text("type", extension_of(arguments.text("output")));
  if (extension == "html" || extension == "htm") return Format::html;
  if (extension == "tex") return Format::latex;
  if (extension == "pdf") return Format::pdf;
  if (extension == "md") return Format::markdown;
  if (arguments.text("output").empty())
    throw UsageError("a report is a file, and none is named", "add -o report.html (or .tex, .pdf, .md)");
  throw UsageError("a report is not written as '" + arguments.text("output") + "'", "end the name in .html, .tex, .pdf or .md");
}

std::vector<std::string> sections_of(const Arguments& arguments) {
  std::vector<std::string> sections;
  std::string word;
  for (const char c : arguments.text("sections") + ",") {
    if (c != ',') {
      word += c;
    } else if (!word.empty()) {
      sections.push_back(word);
      word.clear();
    }
  }
  return sections;
}

/// What the command says of how the input is read and what is asked of it.
std::vector<std::string> asked_words(const Arguments& arguments) {
  std::vector<std::string> words;
  for (const char* option : {"format", "operating-point", "temperature", "variable", "set", "at", "box", "want", "free",
                             "at-time", "from", "to", "ratio", "ratio-of", "break"})
    for (const std::string& value : arguments.list(option)) {
      words.push_back(std::string("--") + option);
      words.push_back(value);
    }
  if (arguments.has("break")) words.insert(words.end(), {"--of", arguments.text("of", "loop")});
  for (const char* option : {"inject", "nonlinear", "linearize"})
    if (arguments.has(option)) words.push_back(std::string("--") + option);
  return words;
}

/// A model without inputs or outputs has a report, too: nothing is asked of it then.
std::vector<Question> asked_of(const Arguments& arguments, const SignalFlowGraph& graph) {
  const bool asked = arguments.has("from") || arguments.has("to");
  if (!asked && (graph.stated_inputs().empty() || graph.stated_outputs().empty())) return {};
  return questions_of(arguments, graph);
}

/// Transfer functions and step responses.
std::vector<Measurement> records_of(Task& task, const SignalFlowGraph& graph, const std::vector<Question>& questions) {
  if (task.arguments.has("data") && questions.empty())
    throw UsageError("nothing is asked of the model, beside which --data could be shown",
                     "name an input and an output: --from, --to");
  MeasurableNames names = measurable_responses(graph, questions);
  names.axis.reset();
  for (const Question& question : questions)
    names.transfers.emplace_back(graph[question.input].name, graph[question.output].name);
  std::vector<Measurement> records = measurements(task, names);
  note_units(task, records);
  note_inputs(task, records, "step");
  return records;
}

ReportSubject reported(Task& task) {
  const std::string& file = task.arguments.input();
  std::vector<std::string> words = asked_words(task.arguments);
  const auto format = stated_format(task.arguments);
  task.working("reading");
  std::string text = task.given != nullptr ? task.given->text : text_of_input(file);
  const Subject subject = subject_of(task, read_text(task.arguments, text, file, format));
  if (text.starts_with("PK")) text = "(an archive of " + std::to_string(text.size()) + " bytes)";  // nothing that one reads
  std::vector<Question> questions = asked_of(task.arguments, subject.graph());
  std::vector<Measurement> records = records_of(task, subject.graph(), questions);
  return {subject, file, text, std::move(questions), std::move(words), task.notes, fixed_points(task), std::move(records)};
}

int run_report(Task& task) {
  const bool watched = task.arguments.has("watch");
  const Format format = watched && !task.arguments.has("output") ? Format::html : report_format(task.arguments);
  for (const char* option : {"tcp-port", "open"})
    if (task.arguments.has(option) && !watched)
      throw UsageError(std::string("--") + option + " is about --watch", "add that, or leave this out");
  if (task.arguments.has("numbers"))
    throw UsageError("a report keeps the names of the parameters, so that they can be moved", "leave --numbers out");
  const ReportOptions options{.title = task.arguments.text("title"),
                              .sections = sections_of(task.arguments),
                              .seed = task.arguments.count("seed", 1),
                              .budget = task.budget,
                              .style = style_of(task.arguments)};
  as_usage("", [&] { check_sections(options.sections); });
  if (watched) return watch_report(task);
  const ReportSubject subject = reported(task);
  task.working("making the report");
  const Report made = report(subject, options);
  switch (format) {
    case Format::html: write_html_document(task.out, made, task.budget); break;
    case Format::latex: write_latex_document(task.out, made, task.budget); break;
    case Format::markdown: write_markdown_document(task.out, made, task.budget); break;
    case Format::pdf: task.out << pdf_document(made, task.budget); break;
  }
  return 0;
}

}  // namespace

Verb report_study() {
  Verb verb{
      .name = "report",
      .summary = "a whole study of the input in one document: HTML, LaTeX, PDF, Markdown",
      .details =
          "One file with the model, its equations and graph, the derivation by Mason's rule, closed forms, poles, responses and "
          "sensitivities, how they were verified, and the commands that give them. In HTML paths and loops light up in the "
          "graph when they are pressed, and parameters move. With --break it is about that loop: a section has L, S and T, "
          "margins and how they change with the parameters; all others are about the one that --of says.",
      .options = {{"--sections", "A,B,…",
                   "these sections alone: model, equations, graph, mason, transfer, loop, poles, frequency, time, "
                   "sensitivity, reduction, verification, reproduce"},
                  {"--title", "TEXT", "instead of that of the input"},
                  {"--type",
                   "TYPE",
                   "what is written, where the name of -o does not say it",
                   Option::Kind::choice,
                   {"html", "tex", "pdf", "md"}}},
      .examples = {"sfg report examples/vehicle.toml -o report.html", "sfg report graph.dot --sections graph,mason -o mason.html",
                   "sfg report servo.dot --break y,e -o loop.html"},
      .run = run_report,
      .refuses = {{"--json", "a report is a document; each verb that its last section names answers in JSON"}},
      .lasts = [](const Arguments& arguments) { return arguments.has("watch"); },
      .parameters = Parameters::moved};
  verb.options.push_back(style_option());
  for (Option& option : loop_options()) verb.options.push_back(std::move(option));
  for (Option& option : data_options("frequency and step responses")) verb.options.push_back(std::move(option));
  verb.options.push_back(ratio_option());
  for (Option& option : watch_options()) verb.options.push_back(std::move(option));
  verb.examples.emplace_back("sfg report examples/vehicle.toml --watch --open");
  return verb;
}

}  // namespace sfg::command
