// What comes to the command: words, lines of a batch, requests to the server, checkpoints; and every verb on a small graph.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>
#include <vector>

#include "fuzz/drawn_graph.hpp"
#include "fuzz/targets.hpp"
#include "sfg/read/toml.hpp"
#include "sfg/study/samples/monte_carlo.hpp"
#include "sfg/text/printable.hpp"
#include "sfg/write/graph.hpp"
#include "tools/batch/line.hpp"
#include "tools/batch/question.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/checkpoint.hpp"
#include "tools/frame/reply.hpp"
#include "tools/frame/verb_table.hpp"
#include "tools/serve/http.hpp"
#include "tools/serve/question.hpp"
#include "tools/weave/fence_question.hpp"
#include "tools/weave/page_kind.hpp"

namespace sfg::fuzz {

namespace {

using namespace command;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// A question that reads no file but those of the option `own`, writes none, and has an end.
bool stays_inside(const Verb& verb, const Arguments& arguments, const std::string& own = "") {
  if (verb.name == "serve" || verb.name == "batch" || verb.many_inputs) return false;
  if (!arguments.inputs().empty() && arguments.input() != "-") return false;
  const auto of_file = [&](const Option& option) {
    return option.value.find("FILE") != std::string::npos && option.name != own &&
           arguments.has(std::string_view(option.name).substr(2));
  };
  return std::ranges::none_of(verb.options, of_file) && std::ranges::none_of(common_options(), of_file) &&
         !arguments.has("output");
}

/// Exit statuses that are documented; 70 is an error of ours.
void examine(const VerbReply& reply, const std::string& words) {
  const int status = reply.status;
  std::string said;
  if (reply.ending)
    for (const Diagnostic& problem : reply.ending->problems) said += problem.message + "\n";
  require(status >= 0 && status <= 4, "status " + std::to_string(status) + " of " + words + ": " + said);
  require(!reply.ending || !said.empty(), "what ends badly says why: " + words);
  if (reply.said.text.starts_with('{'))
    require(nlohmann::json::accept(reply.said.text), "an answer in JSON is JSON: " + words + "\n" + reply.said.text);
}

void ask(const Verb& verb, const std::vector<std::string>& words, const GivenInput& given, const std::string& own = "") {
  std::string line = verb.name;
  for (const std::string& word : words) line += " " + word;
  // By itself: what is wrong with the words alone is no matter of the model.
  bool inside = false;
  try {
    inside = stays_inside(verb, Arguments(verb, words), own);
  } catch (const UsageError& error) {
    require(error.what()[0] != '\0', "a wrong word is told");
    return;
  }
  if (!inside) return;
  const Arguments arguments(verb, words);
  examine(reply(verb, arguments, Budget({.seconds = 2, .memory_bytes = std::size_t{64} << 20, .terms = 5'000}), &given), line);
}

const std::array<std::pair<GivenInput, const char*>, 4> models{
    {{{"digraph { r -> e; e -> y [gain=\"k/(s*(1 + T*s))\"]; y -> e [gain=-1]; parameters=\"k=2, T=0.5\" }", "loop.dot"}, "dot"},
     {{"digraph { u -> x; x -> y [nonlinear=\"u^3 - a*u\"]; y -> x [gain=\"-1/(s + 1)\"]; parameters=\"a=1\" }", "law.dot"},
      "dot"},
     {{"divider\nV1 in 0 AC 1\nR1 in out 1k\nC1 out 0 1u\n.end\n", "rc.cir"}, "spice"},
     {{"[graph]\nbranches = [[\"r\", \"y\", \"K*exp(-s*L)\"]]\n[parameters]\nK = 1\nL = 0.1\n", "delay.toml"}, "toml"}}};

}  // namespace

int try_options(std::string_view text) {
  std::vector<std::string> words = lines_of(text);
  if (words.empty() || text.find("/dev") != text.npos || text.find("/proc") != text.npos) return 0;
  const std::string& first = words.front();  // the verb, and the number of the model before it
  const std::size_t model = first.empty() ? 0 : static_cast<unsigned char>(first.front()) % models.size();
  try {
    const Verb& verb = verb_named({first.empty() ? "" : first.substr(1)});
    words.front() = "-";
    words.insert(words.begin() + 1, {"--format", models[model].second, "--threads", "1"});
    if (verb.needs_input) ask(verb, words, models[model].first);
  } catch (const UsageError&) {
    return 0;
  }
  return 0;
}

namespace {

/// Records of the models, as files.
std::vector<std::string> records() {
  static constexpr std::array<std::pair<const char*, const char*>, 4> texts{
      {{"time.csv", "t,r,y\n0,1,0\n0.1,1,0.02\n0.3,1,0.2\n1,1,0.9\n3,1,1.3\n9,1,1\n"},
       {"frequency.csv", "f_hz;y_db;y_deg;y_deg_std\n0.1;0;-10;1\n0.3;0.5;-40;1\n1;-6;-120;2\n3;-20;-160;9\n"},
       {"one.s1p", "# kHz S RI R 50\n0.1 0.8 -0.1\n0.3 0.7 -0.3\n1 0.2 -0.4\n"},
       {"driven.csv", "time,u,y,y_std\n0,0,0,0.1\n1,1,0.2,0.1\n2,1,0.4,0.1\n3,0.5,,\n5,-1,-0.1,0.2\n"}}};
  std::vector<std::string> paths;
  const auto folder = std::filesystem::temp_directory_path() / ("sfg-fuzz-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const auto& [name, text] : texts) std::ofstream(paths.emplace_back(folder / name)) << text;
  return paths;
}

}  // namespace

int try_fit(std::string_view text) {
  static const std::vector<std::string> data = records();
  std::vector<std::string> words = lines_of(text);
  if (words.empty() || words.front().empty() || text.find("/dev") != text.npos || text.find("/proc") != text.npos) return 0;
  // The first line says which model, and which records in place of what --data names.
  const std::size_t model = static_cast<unsigned char>(words.front().front()) % models.size();
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    if (words[i] == "--data")
      words[i + 1] = words[i + 1].empty() ? "" : data[static_cast<unsigned char>(words[i + 1].front()) % data.size()];
    else if (words[i].starts_with("--data="))
      return 0;
  words.front() = "-";
  words.insert(words.begin() + 1, {"--format", models[model].second, "--threads", "1"});
  ask(verb_named({"fit"}), words, models[model].first, "--data");
  return 0;
}

int try_verbs(std::string_view bytes) {
  if (bytes.empty()) return 0;
  const DrawnGraph drawn(bytes.substr(1), DrawnGraph::Letters::with_values);
  std::ostringstream dot;
  write_dot(dot, drawn.graph);
  std::vector<const Verb*> verbs;
  for (const Verb& verb : verb_table())
    if (verb.needs_input && !verb.many_inputs && writes_json(verb) && verb.name != "serve") verbs.push_back(&verb);
  const Verb& verb = *verbs.at(static_cast<unsigned char>(bytes.front()) % verbs.size());
  ask(verb, {"-", "--format", "dot", "--threads", "1", "--json"}, {dot.str(), "drawn.dot"});
  return 0;
}

int try_request(std::string_view text) {
  if (const auto request = read_request_head(text)) {
    require(!request->method.empty() && !request->target.empty(), "a request has a method and a target");
    for (const auto& [name, value] : request->headers) require(request->count(name) > 0, "a header is found by its name");
  }
  return 0;
}

int try_question(std::string_view text) {
  try {
    const WorkbenchQuestion question = read_question(std::string(text));
    const ChildTask task = child_task(question, {});
    // A browser chooses rows of the table, and values; never words of a command line.
    const Verb& verb = verb_named(task.words);
    const Arguments arguments(verb, std::span(task.words).subspan(1));
    require(arguments.input() == task.model_name && !arguments.has("output"), "the words are those of the table");
  } catch (const UsageError&) {
  }
  return 0;
}

int try_page(std::string_view text) {
  static constexpr std::array<const char*, 3> languages{"md", "rst", "tex"};
  const std::size_t language = text.empty() ? 0 : static_cast<unsigned char>(text.front()) % languages.size();
  const PageKind* const kind = page_kind_of(std::string("page.") + languages[language]);
  const std::string_view page = text.substr(std::min<std::size_t>(1, text.size()));
  const std::size_t lines = lines_of_page(page).size();
  std::size_t before = 0;
  for (const Fence& fence : kind->fences(page)) {
    require(before <= fence.begin && fence.begin <= fence.end && fence.end <= page.size(),
            "fences follow one another within the page");
    before = fence.end;
    require(fence.line >= 1 && fence.line <= lines && fence.column >= 1, "a fence has its place");
    for (const BodyLine& line : fence.lines)
      require(line.line >= fence.line && line.line <= lines, "lines of a body are those of the page");
    require(fence.hint.empty() || !fence.wrong.empty(), "a remedy is one of something");
    attempt([&] {
      const FenceQuestion question = question_of(fence);
      try {
        words_of(question, fence, *kind, kind->notation);
      } catch (const UsageError& error) {
        require(error.what()[0] != '\0', "a refusal says what is wrong");
      }
    });
  }
  return 0;
}

int try_batch(std::string_view text) {
  const BatchTerms terms{.verb = "tf", .words = {"--json"}, .seconds = 1, .mebibytes = 64};
  for (const std::string& line : lines_of(text)) {
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    BatchQuestion question;
    try {
      read_question({.text = line, .line = 1}, terms, question);
      const Verb& verb = verb_asked(question.verb);
      const Arguments arguments(verb, question.options);
      require(question.text.has_value() || !question.file.empty(), "a question has an input");
    } catch (const UsageError&) {
    } catch (const Failure&) {
    }
    const BatchAnswer answer = answer_of(question, Ending{.status = 3, .kind = "input", .problems = {{.message = "x"}}});
    require(nlohmann::json::accept(answer.line), "an answer is a line of JSON");
    require(is_printable(std::string_view(answer.line).substr(0, answer.line.size() - 1)), "an answer steers no terminal");
  }
  return 0;
}

namespace {

/// A small study, and where it can go on.
class Study {
 public:
  Study()
      : system_{std::get<SignalFlowGraph>(
                    read_toml("[graph]\nbranches = [[\"u\", \"y\", \"K/(1 + T*s)\"]]\n[parameters]\n"
                              "K = { value = 2, tolerance = \"20%\" }\nT = { value = 1, tolerance = 0.3 }\n",
                              "study.toml")),
                {},
                {}},
        variation_(variation_of(system_.graph.symbols)) {
    system_.question = {.input = *system_.graph.find("u"), .output = *system_.graph.find("y")};
    questions_.measures = {measure_of("K*T", system_.graph.symbols)};
    run({.samples = samples, .keep = [this](const std::string& state) { kept_ = state; }, .seconds_between = 0});
  }
  /// All that is known in the middle; "" where the study was too short.
  const std::string& kept() const { return kept_; }
  void go_on(const std::string& state) const { run({.samples = samples, .threads = 1, .resume = state}); }

 private:
  static constexpr std::uint64_t samples = 512;
  void run(const MonteCarloOptions& options) const { monte_carlo(system_, variation_, questions_, options); }

  MeasuredSystem system_;
  Variation variation_;
  SampledQuestions questions_;
  std::string kept_;
};

}  // namespace

int try_checkpoint(std::string_view bytes) {
  static const Study study;
  std::string text(bytes);
  if (bytes.starts_with('e')) {  // edits of a right one: place, byte
    text = Checkpoint{.table = 0, .state = study.kept()}.text();
    for (std::size_t i = 1; i + 2 < bytes.size() && !text.empty(); i += 3) {
      const std::size_t place = static_cast<unsigned char>(bytes[i]) * 256U + static_cast<unsigned char>(bytes[i + 1]);
      text[place % text.size()] = bytes[i + 2];
    }
  }
  attempt([&] { study.go_on(Checkpoint::read(text, "study.checkpoint").state); });
  return 0;
}

}  // namespace sfg::fuzz
