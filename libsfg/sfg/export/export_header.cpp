#include "sfg/export/export_header.hpp"

#include "sfg/expr/print.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

void replace_all(std::string& text, std::string_view old, std::string_view by) {
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
    text.replace(at, old.size(), by);
}

std::string parameter_line(const ExportedParameter& parameter) {
  std::string line = parameter.name + " = " + (parameter.exact.empty() ? "no value" : parameter.exact);
  if (!parameter.unit.empty()) line += " " + parameter.unit;
  if (parameter.follows) line += ", follows " + print(parameter.stated);
  if (!parameter.text.empty()) line += "  (" + parameter.text + ")";
  return line;
}

}  // namespace

std::string comment_text(std::string_view bytes) {
  std::string text = valid_utf8(bytes);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  for (const std::string_view line : {"\u0085", "\u2028", "\u2029"}) replace_all(text, line, " ");
  replace_all(text,
              "?"
              "?/",
              "? ? /");  // a trigraph of C
  if (text.ends_with('\\')) text += " .";
  return text;
}

std::string block_comment_text(std::string_view bytes) {
  std::string text = comment_text(bytes);
  replace_all(text, "*/", "* /");
  replace_all(text, "/*", "/ *");
  return text;
}

std::vector<std::string> header_lines(const ExportSubject& subject, const std::vector<ExportedParameter>& parameters,
                                      const ExportHeader& header) {
  std::vector<std::string> lines;
  if (!subject.graph.title.empty()) lines.push_back(subject.graph.title);
  lines.push_back(header.what);
  if (!parameters.empty()) lines.emplace_back("parameters:");
  for (const ExportedParameter& parameter : parameters) lines.push_back("  " + parameter_line(parameter));
  if (!header.renamed.empty()) lines.emplace_back("names that are others here:");
  for (const auto& [old, now] : header.renamed) lines.push_back("  " + old + " -> " + now);
  for (const std::string& said : subject.fixed_points) lines.push_back("note: " + said);
  lines.push_back(header.verified);
  if (!subject.command.empty()) lines.push_back("made by: " + subject.command);
  for (std::string& line : lines) line = comment_text(line);
  return lines;
}

}  // namespace sfg
