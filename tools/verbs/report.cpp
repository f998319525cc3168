#include "sfg/report/report.hpp"

#include "sfg/report/report_latex.hpp"
#include "sfg/report/report_markdown.hpp"
#include "sfg/report/report_page.hpp"
#include "sfg/report/report_pdf.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

enum class Format { html, latex, pdf, markdown };

Format format_of(const Arguments& arguments) {
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

std::vector<std::string> words_of(const Arguments& arguments) {
  std::vector<std::string> words;
  for (const char* option : {"from", "to", "ratio", "set", "variable"})
    for (const std::string& value : arguments.list(option)) {
      words.push_back(std::string("--") + option);
      words.push_back(value);
    }
  if (arguments.has("inject")) words.emplace_back("--inject");
  return words;
}

ReportSubject subject_of(Task& task) {
  ReportSubject subject;
  subject.file = task.arguments.input();
  subject.text = subject.file == "-" ? std::string() : text_of_file(subject.file);
  subject.words = words_of(task.arguments);
  subject.input = input_of(task);
  if (const auto* model = std::get_if<Model>(&subject.input.content)) {
    subject.equations = equations_of(task, *model);
    subject.graph = graph_of(task, *subject.equations);
  } else {
    subject.graph = graph_of(task, subject.input);
  }
  subject.questions = questions_of(task.arguments, subject.graph);
  subject.notes = task.notes;
  return subject;
}

int run(Task& task) {
  const Format format = format_of(task.arguments);
  const ReportOptions options{.title = task.arguments.text("title"),
                              .sections = sections_of(task.arguments),
                              .seed = task.arguments.count("seed", 1),
                              .budget = task.budget};
  for (const std::string& name : options.sections)
    if (std::ranges::find(report_sections(), name) == report_sections().end())
      throw UsageError("a report has no section '" + name + "'",
                       "the sections are model, equations, graph, mason, transfer, poles, frequency, time, sensitivity, "
                       "reduction, verification, reproduce");
  const ReportSubject subject = subject_of(task);
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
  return {
      .name = "report",
      .summary = "a whole study of the input in one document: HTML, LaTeX, PDF, Markdown",
      .details =
          "One file with the model, its equations and graph, the derivation by Mason's rule, closed forms, poles, responses and "
          "sensitivities, how they were verified, and the commands that give them. In HTML paths and loops light up in the "
          "graph when they are pressed, and parameters move.",
      .options = {{"--sections", "A,B,…",
                   "these sections alone: model, equations, graph, mason, transfer, poles, frequency, time, "
                   "sensitivity, reduction, verification, reproduce"},
                  {"--title", "TEXT", "instead of that of the input"},
                  {"--type",
                   "TYPE",
                   "what is written, where the name of -o does not say it",
                   Option::Kind::choice,
                   {"html", "tex", "pdf", "md"}}},
      .examples = {"sfg report examples/vehicle.toml -o report.html",
                   "sfg report graph.dot --sections graph,mason -o mason.html"},
      .run = run};
}

}  // namespace sfg::command
