#include "tools/serve/workbench.hpp"

#include <nlohmann/json.hpp>

#include "tools/frame/arguments.hpp"
#include "tools/serve/answered.hpp"
#include "tools/serve/framed.hpp"
#include "tools/serve/resources.hpp"

namespace sfg::command {

const char* const own_page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; base-uri "
    "'none'; "
    "form-action 'none'; frame-ancestors 'none'";

namespace {

Reply page(std::string_view text, const std::string& type) {
  return {.type = type + "; charset=utf-8", .body = std::string(text), .policy = own_page_policy};
}

}  // namespace

/// What the page is filled with: examples, downloads, the text to begin with.
std::string Workbench::beginning() const {
  nlohmann::json examples = nlohmann::json::array(), downloads = nlohmann::json::array();
  for (const ServedExample& example : served_examples)
    examples.push_back({{"file", example.file}, {"kind", example.kind}, {"text", example.text}});
  for (const QuestionKind& kind : question_kinds())
    if (!kind.group.empty()) downloads.push_back({{"kind", kind.name}, {"label", kind.label}, {"group", kind.group}});
  nlohmann::json start;
  if (!start_.file.empty()) start = {{"file", start_.file}, {"text", start_.text}};
  return dumped({{"examples", examples}, {"downloads", downloads}, {"start", start}, {"seconds", limits_.seconds}});
}

Reply Workbench::ask(const std::string& body, Door& door) {
  WorkbenchQuestion question;
  try {
    question = read_question(body);
  } catch (const UsageError& error) {
    const std::vector<SaidProblem> problems{{"error", "", 0, 0, std::string(error.what()) + "; " + error.hint().text()}};
    return {.status = 400, .type = json_type, .body = dumped({{"status", 2}, {"problems", json_of(problems)}})};
  }
  const QuestionKind& kind = kind_of(question);
  const ChildTask task = child_task(question, limits_);
  const ChildResult result =
      questions_.ask(task, question.page.empty() ? "" : question.page + " " + (kind.group.empty() ? kind.name : "download"));
  const bool good = result.status == 0 && !result.stopped && !result.late;
  if (good && !kind.group.empty()) return {.type = kind.type, .body = result.output, .file = question.name + "_" + kind.file};
  nlohmann::json json{{"status", result.late ? 4 : result.status},
                      {"stopped", result.stopped},
                      {"format", question.format},
                      {"problems", json_of(problems_of(result, {task.model_name}, task.limits))}};
  if (good && kind.sections)
    json["page"] = door.keep(framed(result.output));
  else if (good)
    json["output"] = result.output;
  return {.status = kind.group.empty() ? 200 : 422, .type = json_type, .body = dumped(json)};
}

Reply Workbench::answer(const Visit& visit, Door& door) {
  if (visit.posted) return visit.path == "/ask" ? ask(visit.body, door) : Reply{.status = 404};
  if (visit.path == "/") return page(workbench_html, "text/html");
  if (visit.path == "/workbench.css") return page(workbench_css, "text/css");
  if (visit.path == "/picture.js") return page(picture_js, "text/javascript");
  if (visit.path == "/workbench.js") return page(workbench_js, "text/javascript");
  if (visit.path == "/beginning") return {.type = json_type, .body = beginning()};
  return {.status = 404};
}

}  // namespace sfg::command
