#include "tools/batch/line.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "sfg/text/printable.hpp"

namespace sfg::command {

namespace {

using Json = nlohmann::ordered_json;

/// The answer with what tells its question, behind its schema.
BatchAnswer line_of_answer(const BatchQuestion& question, int status, const std::vector<Diagnostic>& messages,
                           const Json& answer) {
  Json line{{"schema", answer.at("schema")}};
  if (!question.id.empty()) line["id"] = Json::parse(question.id);
  if (!question.file.empty()) line["file"] = question.file;
  line["status"] = status;
  if (!messages.empty()) line["messages"] = Json::parse(json_of(messages));
  for (const auto& [name, value] : answer.items()) line[name] = value;  // a file that the verb names itself is the same
  return {printable_json(line.dump(-1, ' ', false, Json::error_handler_t::replace)) + "\n", status};
}

}  // namespace

BatchAnswer answer_of(const BatchQuestion& question, const Arguments& arguments, const VerbReply& reply, Severity least) {
  const std::vector<Diagnostic> messages = worth_saying(reply.said.notes, least);
  if (reply.ending) return answer_of(question, *reply.ending, messages);
  const std::string& text = reply.said.text;
  if (!reply.said.delivered && text.starts_with("{")) {
    const Json answer = Json::parse(text, nullptr, false);
    if (answer.is_object() && answer.contains("schema")) return line_of_answer(question, reply.status, messages, answer);
  }
  Json answer{{"schema", "sfg/batch/1"}, {"verb", question.verb}};
  if (reply.said.delivered)
    answer["written"] = arguments.text("output");
  else
    answer["text"] = text;
  return line_of_answer(question, reply.status, messages, answer);
}

BatchAnswer answer_of(const BatchQuestion& question, const Ending& ending, const std::vector<Diagnostic>& messages) {
  std::ostringstream json;
  write_json(json, ending);
  return line_of_answer(question, ending.status, messages, Json::parse(json.str()));
}

}  // namespace sfg::command
