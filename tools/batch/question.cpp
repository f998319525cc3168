#include "tools/batch/question.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "sfg/expr/parse.hpp"
#include "tools/frame/verb_table.hpp"

namespace sfg::command {

namespace {

using Json = nlohmann::ordered_json;

/// Of standard input.
SourceSpan line_of(const AskedQuestion& asked) {
  return {std::make_shared<const std::string>("-"), static_cast<std::uint32_t>(asked.line), 1};
}

class LineOfQuestion {
 public:
  explicit LineOfQuestion(const AskedQuestion& asked) : where_(line_of(asked)) {
    try {
      fields_ = Json::parse(asked.text);
    } catch (const Json::parse_error& error) {
      where_.column = static_cast<std::uint32_t>(std::max<std::size_t>(1, error.byte));
      refuse("this is no JSON object", "write {\"file\": \"loop.dot\"}, or the name of a file alone");
    } catch (const Json::exception&) {  // 1e999
      refuse("a number of this line is beyond any double", "write it shorter, or in quotes");
    }
    where_.column = 1;
  }

  [[noreturn]] void refuse(const std::string& message, const std::string& hint) const { throw Error(where_, message, hint); }

  /// @returns JSON; "" where the field is not there
  std::string scalar(const char* name) const {
    const auto field = fields_.find(name);
    if (field == fields_.end() || field->is_null()) return {};
    if (field->is_structured()) refuse(in_quotes(name) + " is no text and no number", "state a name or a number");
    return field->dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  /// What its text is called in messages.
  std::string name() const {
    const auto id = fields_.find("id");
    if (id == fields_.end() || id->is_null()) return "question " + std::to_string(where_.line);
    return id->is_string() ? id->get<std::string>() : id->dump();
  }
  std::optional<std::string> text(const char* name) const {
    const auto field = fields_.find(name);
    if (field == fields_.end()) return {};
    if (!field->is_string()) refuse(in_quotes(name) + " is no text", "write it in quotes");
    return field->get<std::string>();
  }
  std::vector<std::string> texts(const char* name) const {
    const auto field = fields_.find(name);
    if (field == fields_.end()) return {};
    const bool right = field->is_array() && std::ranges::all_of(*field, [](const Json& word) { return word.is_string(); });
    if (!right) refuse(in_quotes(name) + " is no list of texts", R"(write "args": ["--to", "y"], say)");
    return field->get<std::vector<std::string>>();
  }
  void refuse_others() const {
    const std::vector<std::string> known{"id", "verb", "file", "text", "format", "args"};
    for (const auto& [name, value] : fields_.items()) {
      if (std::ranges::find(known, name) != known.end()) continue;
      const std::string near = nearest(name, known);
      refuse(in_quotes(name) + " is no field of a question",
             near.empty() ? "its fields are verb, file, text, format, args, id" : "did you mean '" + near + "'?");
    }
  }

 private:
  static std::string in_quotes(const std::string& name) { return "'" + name + "'"; }

  SourceSpan where_;
  Json fields_;
};

std::string without_end(std::string line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) line.pop_back();
  return line;
}

}  // namespace

void read_question(const AskedQuestion& asked, const BatchTerms& terms, BatchQuestion& question) {
  question.verb = terms.verb;
  question.options = terms.words;
  if (asked.too_long) throw Error(line_of(asked), "the line is longer than 64 MiB", "put the text into a file and name that");
  const std::size_t first = asked.text.find_first_not_of(" \t");
  if (asked.line == 0 || asked.text[first] != '{') {
    question.file = asked.line == 0 ? asked.text : without_end(asked.text.substr(first));
    return;
  }
  const LineOfQuestion line(asked);
  question.id = line.scalar("id");
  const auto file = line.text("file"), text = line.text("text");
  if (file) question.file = *file;
  line.refuse_others();
  if (const auto verb = line.text("verb"); verb && *verb != terms.verb) {
    question.verb = *verb;
    question.options.clear();  // those of the command line are of its verb
  }
  if (const auto format = line.text("format")) question.options.insert(question.options.end(), {"--format", *format});
  for (std::string& word : line.texts("args")) question.options.push_back(std::move(word));
  if (file.has_value() == text.has_value())
    line.refuse(file ? "a file and a text are two inputs" : "the question has no input", R"(state one of "file" and "text")");
  if (file == "-") line.refuse("standard input brings the questions", R"(put the input into "text")");
  if (text) question.text = GivenInput{*text, line.name()};
}

const Verb& verb_asked(const std::string& name) {
  const Verb& verb = verb_named({name});
  if (name == "batch" || name == "serve" || name == "weave")
    throw UsageError("'sfg " + name + "' is no question of a batch", "ask for tf, poles, mason, step …");
  return verb;
}

bool writes_json(const Verb& verb) {
  return std::ranges::none_of(verb.refuses, [](const Refusal& refusal) { return refusal.name == "--json"; });
}

bool belongs_to_batch(const Option& option) {
  constexpr std::array<std::string_view, 8> own{"--output",  "--json",     "--time-limit", "--memory-limit",
                                                "--threads", "--no-color", "--quiet",      "--verbose"};
  return option.name == "--help" || std::ranges::find(own, option.name) != own.end();
}

}  // namespace sfg::command
