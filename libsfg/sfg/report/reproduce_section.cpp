#include <algorithm>

#include "sfg/report/sections.hpp"

namespace sfg {

std::vector<ReportPart> reproduce_section(ReportWork& work) {
  Page page;
  const ReportSubject& subject = work.subject();
  page.add(Paragraph{{"Each line gives figures of this report. Run in the folder where the report was made."}});
  if (subject.file == "-")
    page.add(Paragraph{
        {"The input was read from standard input: save the text of the section Model as " + saved_name(subject) + "."}});
  std::vector<std::string> lines;
  for (const ReportCommand& command : work.commands()) {
    std::string line = command_line(subject, command);
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
  }
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  if (lines.empty()) text = command_line(subject, {.verb = "graph"}) + "\n";
  page.add(Listing{std::move(text)});
  return {{{}, std::move(page)}};
}

}  // namespace sfg
