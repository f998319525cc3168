#include "tools/serve/question.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "sfg/read/input.hpp"
#include "sfg/text/scan.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/verb.hpp"
#include "tools/serve/door.hpp"

namespace sfg::command {

namespace {

const std::string text_type = "text/plain; charset=utf-8", svg_type = "image/svg+xml", pdf_type = "application/pdf",
                  png_type = "image/png", csv_type = "text/csv; charset=utf-8", html_type = "text/html; charset=utf-8";

std::vector<QuestionKind> fixed_kinds() {
  std::vector<QuestionKind> kinds{{"check", "", "", {"check"}, "", text_type, false},
                                  {"answer", "", "", {"tf", "--json"}, "", json_type},
                                  {"picture", "", "", {"draw"}, "picture.svg", svg_type},
                                  {"structure", "", "", {"graph", "--json"}, "", json_type, false},
                                  {"edit", "", "", {"graph"}, "", text_type, false},
                                  {"report", "", "", {"report"}, "report.html", html_type, true, true}};
  const std::vector<std::tuple<std::string, std::string, std::string>> documents{
      {"html", "HTML", html_type}, {"pdf", "PDF", pdf_type}, {"tex", "LaTeX", text_type}, {"md", "Markdown", text_type}};
  for (const auto& [extension, notation, type] : documents) {
    const std::string file = "report." + extension;
    kinds.push_back({file, "report, " + notation, "Report", {"report"}, file, type, true, true, extension == "pdf"});
  }
  const auto add = [&](const std::string& stem, const std::string& label, const std::string& group,
                       std::vector<std::string> words, const std::vector<std::pair<std::string, std::string>>& types) {
    for (const auto& [extension, type] : types)
      kinds.push_back({stem + "." + extension, label + ", ." + extension, group, words, stem + "." + extension, type});
  };
  const std::vector<std::pair<std::string, std::string>> pictures{
      {"svg", svg_type}, {"pdf", pdf_type}, {"png", png_type}, {"tex", text_type}},
      curves{{"csv", csv_type}, {"json", json_type}, {"svg", svg_type}, {"pdf", pdf_type}, {"png", png_type}},
      pages{{"json", json_type}, {"tex", text_type}, {"html", html_type}, {"md", text_type}, {"txt", text_type}};
  add("graph", "signal-flow graph", "Graph", {"graph"},
      {{"dot", text_type}, {"json", json_type}, {"graphml", text_type}, {"toml", text_type}});
  add("diagram", "picture of the graph", "Pictures", {"draw"}, pictures);
  add("blocks", "structural diagram", "Pictures", {"draw", "--as", "blocks"}, pictures);
  add("loops", "paths and loops", "Pictures", {"draw", "--as", "loops"}, pictures);
  add("matrix", "matrix", "Pictures", {"draw", "--as", "matrix"}, pictures);
  add("mechanism", "mechanism in its position", "Pictures", {"draw", "--as", "mechanism"},
      {{"svg", svg_type}, {"pdf", pdf_type}});
  add("equations", "equations of the model", "Formulas", {"derive"}, pages);
  add("equations", "equations as tables", "Formulas", {"derive"}, {{"toml", text_type}});
  add("transfer", "transfer functions", "Formulas", {"tf"}, pages);
  add("mason", "Mason's rule", "Formulas", {"mason"}, pages);
  add("reduction", "reduction, step by step", "Formulas", {"reduce"}, pages);
  add("sensitivities", "sensitivities", "Formulas", {"sens"}, pages);
  add("routh", "Routh's array", "Formulas", {"routh"}, pages);
  add("poles", "poles and zeros", "Numbers and plots", {"poles"}, {{"json", json_type}, {"txt", text_type}, {"svg", svg_type}});
  add("margins", "margins", "Numbers and plots", {"margins"}, {{"json", json_type}, {"txt", text_type}});
  add("bode", "Bode diagram", "Numbers and plots", {"bode"}, curves);
  add("nyquist", "Nyquist diagram", "Numbers and plots", {"nyquist"}, curves);
  add("step", "response to a step", "Numbers and plots", {"step"}, curves);
  add("impulse", "response to an impulse", "Numbers and plots", {"impulse"}, curves);
  add("simulation", "simulation as the model states it", "Numbers and plots", {"simulate"}, curves);
  for (QuestionKind& kind : kinds)
    if (kind.words.front() == "derive") kind.ends = false;
  return kinds;
}

/// What `sfg export` knows, with the extension that goes with each target.
void add_exports(std::vector<QuestionKind>& kinds) {
  static const std::map<std::string, std::string> extensions{{"analog", "cir"},
                                                             {"c", "c"},
                                                             {"cpp", "cpp"},
                                                             {"json", "json"},
                                                             {"latex", "tex"},
                                                             {"modelica", "mo"},
                                                             {"octave", "m"},
                                                             {"python", "py"},
                                                             {"scilab", "sce"},
                                                             {"simulink", "m"},
                                                             {"spice", "cir"},
                                                             {"substitution", "sub"},
                                                             {"substitution-indexed", "idx"}};
  for (const Option& option : export_model().options)
    if (option.name == "--target")
      for (const std::string& target : option.choices) {
        const auto extension = extensions.find(target);
        if (extension == extensions.end()) continue;
        const bool alone = target != "analog";
        kinds.push_back({"export-" + target,
                         target + ", ." + extension->second,
                         "Export",
                         {"export", "--target", target},
                         target + "." + extension->second,
                         text_type,
                         !alone});
      }
}

constexpr std::size_t longest_word = 500, most_words = 50, most_edits = 2000;

std::string word_of(const nlohmann::json& value, const std::string& field) {
  if (!value.is_string()) throw UsageError("'" + field + "' is no text", "send a string");
  auto word = value.get<std::string>();
  if (word.size() > longest_word || std::ranges::any_of(word, [](unsigned char c) { return c < 0x20 || c == 0x7F; }))
    throw UsageError("'" + field + "' is longer than " + std::to_string(longest_word) + " bytes or not one line", "shorten it");
  return word;
}

std::vector<std::string> words_of(const nlohmann::json& value, const std::string& field, std::size_t most = most_words) {
  if (!value.is_array() || value.size() > most)
    throw UsageError("'" + field + "' is no list of at most " + std::to_string(most) + " texts", "send an array of strings");
  std::vector<std::string> words;
  for (const auto& entry : value)
    if (std::string word = word_of(entry, field); !word.empty()) words.push_back(std::move(word));
  return words;
}

std::string extension_for(const std::string& format) { return format == "spice" ? "cir" : format; }

void read_field(WorkbenchQuestion& question, const std::string& field, const nlohmann::json& value) {
  if (field == "text" || field == "data") {
    if (!value.is_string()) throw UsageError("'" + field + "' is no text", "send a string");
    (field == "text" ? question.text : question.data) = value.get<std::string>();
  } else if (field == "from" || field == "to" || field == "set") {
    (field == "from" ? question.from : field == "to" ? question.to : question.set) = words_of(value, field);
  } else if (field == "edits") {
    question.edits = words_of(value, field, most_edits);
  } else if (const std::map<std::string, bool*> switches{
                 {"inject", &question.inject}, {"linearize", &question.linearize}, {"decimal_comma", &question.decimal_comma}};
             switches.contains(field)) {
    if (!value.is_boolean()) throw UsageError("'" + field + "' is neither true nor false", "send a boolean");
    *switches.at(field) = value.get<bool>();
  } else if (const std::map<std::string, std::string*> texts{{"kind", &question.kind},
                                                             {"format", &question.format},
                                                             {"name", &question.name},
                                                             {"ratio", &question.ratio},
                                                             {"sections", &question.sections},
                                                             {"title", &question.title},
                                                             {"page", &question.page}};
             texts.contains(field)) {
    *texts.at(field) = word_of(value, field);
  } else {
    throw UsageError("a question has no field '" + field.substr(0, longest_word) + "'", "leave it out");
  }
}

}  // namespace

const std::vector<QuestionKind>& question_kinds() {
  static const std::vector<QuestionKind> kinds = [] {
    std::vector<QuestionKind> all = fixed_kinds();
    add_exports(all);
    return all;
  }();
  return kinds;
}

const QuestionKind& kind_of(const WorkbenchQuestion& question) {
  const auto kind = std::ranges::find(question_kinds(), question.kind, &QuestionKind::name);
  if (kind == question_kinds().end()) throw UsageError("there is no question '" + question.kind + "'", "send one of the page's");
  return *kind;
}

namespace {

bool is_line_blank(char c) { return c == ' ' || c == '\t'; }
bool is_name_character(char c) { return is_word_character(c) || c == '-'; }

// How the lines of each language begin.

/// digraph {, strict graph "name" {
bool begins_graph(Scan line) {
  line.run(is_line_blank);
  if (line.take_caseless("strict") && line.run(is_line_blank).empty()) return false;
  line.take_caseless("di");
  return line.take_caseless("graph") && !is_word_character(line.next()) && line.rest().find('{') != std::string_view::npos;
}

/// syms x; TM = …; K = [
bool is_of_script(Scan line) {
  line.run(is_line_blank);
  if (line.take_caseless("syms")) return is_line_blank(line.next());
  const bool energy = line.take_caseless("tm") || line.take_caseless("pm") || line.take_caseless("fm");
  if (!energy && !line.take_caseless("k")) return false;
  line.run(is_line_blank);
  if (!line.take('=')) return false;
  line.run(is_line_blank);
  return energy || line.next() == '[';
}

/// [graph], [[bodies]], name = "…", name = [, name = {
bool is_of_tables(Scan line) {
  line.run(is_line_blank);
  if (line.take('[')) {
    line.take('[');
    return !line.run([](char c) { return is_name_character(c) || c == '.' || c == '"'; }).empty() && line.take(']');
  }
  if (line.run(is_name_character).empty()) return false;
  line.run(is_line_blank);
  if (!line.take('=')) return false;
  line.run(is_line_blank);
  return line.next() == '"' || line.next() == '[' || line.next() == '{';
}

/// .ac, R1 in out 1k
bool is_of_netlist(Scan line) {
  if (line.take('.')) {
    const std::string_view word = line.word();
    for (const char* known : {"end", "ends", "ac", "dc", "tran", "op", "param", "include", "subckt", "model"})
      if (Scan card(word); card.take_caseless(known) && card.ended()) return true;
    return false;
  }
  const auto of_entry = [](char c) { return is_word_character(c) || c == '.'; };
  constexpr std::string_view elements = "RCLVIEGHFQMDXKrclvieghfqmdxk";
  if (line.ended() || elements.find(line.next()) == std::string_view::npos) return false;
  for (int entry = 0; entry < 3; ++entry)
    if (line.run(of_entry).empty() || line.run(is_line_blank).empty()) return false;
  return !line.ended();
}

bool any_line(std::string_view text, bool (*holds)(Scan)) {
  constexpr std::size_t longest = 300;  // of a line no more is needed
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    if (holds(Scan(text.substr(begin, std::min(end - begin, longest))))) return true;
    begin = end + 1;
  }
  return false;
}

}  // namespace

std::string likely_format(std::string_view text) {
  const std::string_view start = text.substr(0, std::size_t{1} << 16);
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && start[first] == '{') return "json";
  if (any_line(start, begins_graph)) return "dot";
  if (sfg::format_by_text(start) == InputFormat::sfg) return "sfg";
  if (any_line(start, is_of_script)) return "m";
  if (any_line(start, is_of_tables)) return "toml";
  if (any_line(start, is_of_netlist)) return "spice";
  return start.find('{') != std::string_view::npos || start.find("->") != std::string_view::npos ? "dot" : "spice";
}

WorkbenchQuestion read_question(const std::string& json) {
  const nlohmann::json read = nlohmann::json::parse(json, nullptr, false);
  if (!read.is_object()) throw UsageError("the question is no JSON object", "send {\"kind\": …, \"text\": …}");
  WorkbenchQuestion question;
  for (const auto& [field, value] : read.items()) read_field(question, field, value);
  kind_of(question);
  if (question.format.empty()) question.format = likely_format(question.text);
  if (!format_named(question.format))
    throw UsageError("there is no format '" + question.format + "'", "send " + listed_format_names());
  constexpr std::size_t longest_name = 60;
  const bool plain = !question.name.empty() && question.name.front() != '-' && question.name.size() <= longest_name &&
                     std::ranges::all_of(question.name, is_name_character);
  if (!plain) question.name = "model";
  return question;
}

namespace {

/// Whether the answer has a place for what was measured.
bool shows_data(const QuestionKind& kind) {
  static const std::set<std::string> verbs{"report", "bode", "nyquist", "step", "impulse", "simulate"};
  return verbs.contains(kind.words.front());
}

}  // namespace

ChildTask child_task(const WorkbenchQuestion& question, QuestionLimits limits) {
  const QuestionKind& kind = kind_of(question);
  constexpr double of_tex = 3;  // it sets the pages several times
  if (kind.scratch) limits.seconds *= of_tex;
  ChildTask task{.words = kind.words,
                 .model_name = question.name + "." + extension_for(question.format),
                 .model = question.text,
                 .answer_name = kind.file,
                 .limits = limits,
                 .scratch = kind.scratch};
  task.words.insert(task.words.begin() + 1, task.model_name);
  // A value stands in one word with its option, so that none is taken for an option itself.
  const auto add = [&](const std::string& option, const std::string& value) { task.words.push_back(option + "=" + value); };
  add("--time-limit", std::to_string(limits.seconds));
  add("--memory-limit", std::to_string(limits.mebibytes));
  add("--threads", "2");
  for (const std::string& edit : question.edits)
    if (question.kind == "edit") add("--edit", edit);
  for (const std::string& setting : question.set)
    if (question.kind != "edit") add("--set", setting);
  if (kind.ends) {
    for (const std::string& node : question.from) add("--from", node);
    for (const std::string& node : question.to) add("--to", node);
    const bool asks_response = kind.words.front() != "draw" && kind.words.front() != "graph" && kind.words.front() != "export";
    if (asks_response && !question.ratio.empty()) add("--ratio", question.ratio);
    if (asks_response && question.inject) task.words.emplace_back("--inject");
    if (kind.words.front() != "export" && question.linearize) task.words.emplace_back("--linearize");
  }
  if (!question.data.empty() && shows_data(kind)) {
    task.data_name = "measured.csv";
    task.data = question.data;
    add("--data", task.data_name);
    if (question.decimal_comma) task.words.emplace_back("--decimal-comma");
  }
  if (kind.sections && !question.sections.empty()) add("--sections", question.sections);
  if (kind.sections && !question.title.empty()) add("--title", question.title);
  return task;
}

}  // namespace sfg::command
