#include "sfg/report/report.hpp"

#include <algorithm>
#include <array>

#include "sfg/read/signal_names.hpp"
#include "sfg/report/sections.hpp"

namespace sfg {

namespace {

struct Entry {
  std::string_view id;
  std::string_view heading;
  std::vector<ReportPart> (*parts)(ReportWork&);
};

constexpr std::array<Entry, 13> entries{{{"model", "Model", model_section},
                                         {"equations", "Equations", equations_section},
                                         {"graph", "Signal-flow graph", graph_section},
                                         {"mason", "Mason's rule", mason_section},
                                         {"transfer", "Transfer functions", transfer_section},
                                         {"loop", "The loop", loop_section},
                                         {"poles", "Poles and zeros", poles_section},
                                         {"frequency", "Frequency response", frequency_section},
                                         {"time", "Response over time", time_section},
                                         {"sensitivity", "Sensitivity", sensitivity_section},
                                         {"reduction", "Reduction", reduction_section},
                                         {"verification", "Verification", verification_section},
                                         {"reproduce", "Reproduce", reproduce_section}}};

constexpr std::array<std::string_view, entries.size()> ids = [] {
  std::array<std::string_view, entries.size()> all;
  std::ranges::transform(entries, all.begin(), &Entry::id);
  return all;
}();

/// What a section has to say; that it has no answer, and why, where it has none.
std::vector<ReportPart> parts_of(const Entry& entry, ReportWork& work) {
  try {
    return entry.parts(work);
  } catch (const Cancelled&) {
    throw;
  } catch (const Failure& failure) {
    work.budget().check("the report");
    Page page;
    page.add(Paragraph{{std::string("No answer: ") + failure.what() + "."}});
    return {{{}, std::move(page)}};
  }
}

/// What moves in a page; why nothing does where there is no such form: a gain from a table, too many operations.
void add_moving_model(Report& report, const ReportSubject& subject, ReportWork& work) {
  if (!work.answerable() || !work.known()) return;
  try {
    report.moving = moving_model(subject.graph(), subject.questions, work.budget());
    report.moving->fixed = subject.fixed_points;
  } catch (const Cancelled&) {
    throw;
  } catch (const Failure& failure) {
    work.budget().check("the report");
    if (report.sections.empty()) return;
    report.sections.front().parts.push_back(
        remark(std::string("Parameters cannot be moved in this report: ") + failure.what() + "."));
  }
}

}  // namespace

void check_sections(std::span<const std::string> sections) {
  const std::vector<std::string> known(ids.begin(), ids.end());
  for (const std::string& name : sections) {
    if (std::ranges::find(ids, name) != ids.end()) continue;
    std::string all;
    for (const std::string& id : known) all += (all.empty() ? "" : ", ") + id;
    const std::string near = nearest(name, known);
    throw Error({}, "a report has no section '" + name + "'",
                near.empty() ? "the sections are " + all : "did you mean '" + near + "'?");
  }
}

std::string transfer_label(const SignalFlowGraph& graph, const Question& question) {
  return graph[question.output].name + "/" + graph[question.input].name;
}

ReportSubject report_subject(const std::string& path, const Budget& budget) {
  const Subject subject(read_file(path), {}, budget);
  std::vector<Question> asked = questions(subject.graph());
  return {subject, path, text_of_file(path), std::move(asked), {}, subject.notes()};
}

Report report(const ReportSubject& subject, const ReportOptions& options) {
  check_sections(options.sections);
  const NamesInUse names(names_of(subject.subject.input()));
  Report made{.title = options.title.empty() ? subject.graph().title : options.title, .sections = {}, .style = options.style, .moving = {}};
  if (made.title.empty()) made.title = subject.file;
  ReportWork work(subject, options);
  for (const Entry& entry : entries) {
    if (!options.sections.empty() && !work.requested(entry.id)) continue;
    std::vector<ReportPart> parts = parts_of(entry, work);
    for (ReportPart& part : parts)
      if (Page* page = std::get_if<Page>(&part.content)) page->title.clear();  // the report has one
    if (!parts.empty()) made.sections.push_back({std::string(entry.id), std::string(entry.heading), std::move(parts)});
  }
  add_moving_model(made, subject, work);
  return made;
}

}  // namespace sfg
