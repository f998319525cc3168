#include "sfg/export/targets.hpp"

#include <algorithm>

namespace sfg {

namespace {

std::vector<std::string> names_at(const ExportSubject& subject, NodeId Question::*end) {
  std::vector<std::string> names;
  for (const Question& question : subject.questions) {
    const std::string& name = subject.graph[question.*end].name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<std::string> export_inputs(const ExportSubject& subject) { return names_at(subject, &Question::input); }
std::vector<std::string> export_outputs(const ExportSubject& subject) { return names_at(subject, &Question::output); }

std::string export_label(const ExportSubject& subject, const Question& question) {
  return subject.graph[question.output].name + "/" + subject.graph[question.input].name;
}

}  // namespace sfg
