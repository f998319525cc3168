// Two models, or one and a class of others: the same transfer functions, or what makes them differ.
#include "sfg/compare/comparison.hpp"

#include <algorithm>
#include <map>
#include <new>
#include <set>

#include "sfg/write/comparison.hpp"
#include "tools/frame/failure.hpp"
#include "tools/frame/load.hpp"
#include "tools/frame/output.hpp"
#include "tools/frame/plot.hpp"
#include "tools/frame/show.hpp"
#include "tools/frame/watch.hpp"

namespace sfg::command {

namespace {

std::vector<NamePair> names_of(const Arguments& arguments) {
  std::vector<NamePair> names;
  for (const std::string& text : arguments.list("map")) {
    const std::size_t sign = text.find('=');
    if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
      throw UsageError("option '--map " + text + "' pairs no names",
                       "write --map a=b: what the first calls a, the others call b");
    const NamePair pair{text.substr(0, sign), text.substr(sign + 1)};
    if (std::ranges::any_of(names, [&](const NamePair& other) { return other.a == pair.a || other.b == pair.b; }))
      throw UsageError("option '--map " + text + "': a name of it is paired already", "pair each name once");
    names.push_back(pair);
  }
  return names;
}

std::optional<DeviationLimits> limits_of(const Arguments& arguments) {
  if (!arguments.has("within")) {
    if (arguments.has("freq")) throw UsageError("--freq is the range of --within", "add --within DB,DEG");
    return {};
  }
  if (!arguments.has("freq")) throw UsageError("--within needs a range of frequencies", "add --freq 0.1:100:400, say");
  const std::string text = arguments.text("within");
  const std::size_t comma = text.find(',');
  const std::string example = "write --within DB,DEG: --within 0.5,3, say";
  if (comma == std::string::npos) throw UsageError("option '--within " + text + "' is no pair of limits", example);
  const DeviationLimits limits{value_of("--within", text.substr(0, comma)), value_of("--within", text.substr(comma + 1)),
                               frequencies_of(arguments)};
  if (limits.magnitude_db < 0 || limits.phase_deg < 0)
    throw UsageError("option '--within " + text + "': a limit is negative", example);
  return limits;
}

std::set<std::string> parameters_in(const Input& input) {
  const auto names = [](const SymbolTable& symbols) {
    const std::vector<std::string> all = symbols.names();
    return std::set<std::string>(all.begin(), all.end());
  };
  if (const auto* graph = std::get_if<SignalFlowGraph>(&input.content)) return names(graph->symbols);
  return std::visit([&](const auto& model) { return names(model.symbols); }, std::get<Model>(input.content));
}

bool names_its_format(const std::string& file) {
  try {
    format_of(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

bool has_roots(const GiNaC::ex& gain) {
  for (auto part = gain.preorder_begin(); part != gain.preorder_end(); ++part)
    if (GiNaC::is_a<GiNaC::power>(*part) && !part->op(1).info(GiNaC::info_flags::integer)) return true;
  return false;
}

bool has_roots(const SignalFlowGraph& graph) {
  return std::ranges::any_of(graph.branches(), [](const Branch& branch) { return branch.linear() && has_roots(branch.gain()); });
}

/// One of the files, with the options as they hold for it: its own names, and settings of the parameters that it has.
class Side {
 public:
  /// @param names  by those of the first model; of the first itself none
  Side(Task& task, const std::string& file, std::map<std::string, std::string> names, const Budget& budget)
      : task_(task), budget_(budget), arguments_(task.arguments.with_input(file).with("numbers", {})), names_(std::move(names)) {
    if (file != "-" && names_its_format(file)) arguments_ = arguments_.with("format", {});  // which is that of standard input
    if (file != "-" && names_its_format(file) && format_of(file) != InputFormat::spice)
      arguments_ = arguments_.with("operating-point", {}).with("temperature", {});  // which are of the netlist beside it
    for (const char* end : {"from", "to", "ratio"}) arguments_ = arguments_.with(end, renamed(arguments_.list(end)));
    if (arguments_.has("set")) keep_settings();
  }

  /// @param free_ends  --from and --to may name what this model lacks: then its own inputs and outputs are compared
  ComparedModel model(bool free_ends) {
    Task own = on(arguments_);
    Subject subject = subject_of(own);
    ComparedModel model{arguments_.input(), subject.graph(), {}};
    if (subject.model()) model.equations = subject.equations();
    Arguments asked = arguments_;
    for (const char* end : {"from", "to"})
      if (free_ends &&
          !std::ranges::all_of(asked.list(end), [&](const std::string& name) { return model.graph.find(name).has_value(); }))
        asked = asked.with(end, {});
    model.questions = questions_of(asked, model.graph);
    return model;
  }

  /// The names of the settings that found their parameter here.
  const std::set<std::string>& set_here() const { return set_here_; }

 private:
  Task on(const Arguments& arguments) { return {arguments, budget_, task_.out, task_.notes, task_.working}; }

  std::vector<std::string> renamed(std::vector<std::string> names) const {
    for (std::string& name : names)
      if (const auto own = names_.find(name); own != names_.end()) name = own->second;
    return names;
  }

  void keep_settings() {
    const Arguments plain = arguments_.with("set", {});
    Task own = on(plain);
    const std::set<std::string> known = parameters_in(subject_of(own).input());
    std::vector<std::string> kept;
    for (const std::string& text : arguments_.list("set")) {
      const std::size_t sign = std::min(text.find('='), text.size());
      const std::string stated = text.substr(0, sign), name = renamed({stated}).front();
      if (sign < text.size() && !known.contains(name)) continue;  // of the other models alone
      kept.push_back(name + text.substr(sign));
      set_here_.insert(stated);
    }
    arguments_ = arguments_.with("set", kept);
  }

  Task& task_;
  const Budget& budget_;
  Arguments arguments_;
  std::map<std::string, std::string> names_;
  std::set<std::string> set_here_;
};

/// Many models are compared with the first.
class Marking {
 public:
  explicit Marking(Task& task)
      : task_(task), arguments_(task.arguments), names_(names_of(arguments_)), within_(limits_of(arguments_)) {
    for (const NamePair& pair : names_) of_others_[pair.a] = pair.b;
  }

  /// Nothing is caught: of two models alone.
  Comparison pair() {
    const std::vector<std::string>& files = arguments_.inputs();
    Side first(task_, files[0], {}, task_.budget), second(task_, files[1], of_others_, task_.budget);
    require_settings(first.set_here(), second.set_here());
    return comparison(first.model(false), second.model(true), task_.budget);
  }

  /// Of models without roots and functions letters of either sign are as positive ones.
  void note_positive() const {
    if (arguments_.has("positive") && !of_roots_)
      task_.notes.push_back({{}, "--positive makes no difference: the models have no roots", "leave it out", Severity::remark});
  }

  std::vector<MarkedModel> all() {
    Side first(task_, arguments_.inputs().front(), {}, task_.budget);
    const ComparedModel solution = first.model(false);
    std::vector<MarkedModel> marked;
    const std::uint64_t count = arguments_.inputs().size() - 1;
    for (const std::string& file : std::span(arguments_.inputs()).subspan(1)) {
      task_.progress(marked.size(), count);
      marked.push_back(mark(solution, first.set_here(), file));
    }
    return marked;
  }

  /// The worst of what kept models from an answer; 0.
  int failure() const { return failure_; }

 private:
  void require_settings(const std::set<std::string>& a, const std::set<std::string>& b) const {
    for (const std::string& text : arguments_.list("set"))
      if (const std::string name = text.substr(0, text.find('=')); !a.contains(name) && !b.contains(name))
        throw UsageError("--set " + text + ": no model has a parameter '" + name + "'",
                         "'sfg check' tells of the parameters of a model");
  }

  Comparison comparison(const ComparedModel& a, ComparedModel b, const Budget& budget) {
    task_.working("comparing");
    of_roots_ = of_roots_ || has_roots(a.graph) || has_roots(b.graph);
    try {
      Comparison found = compare(a, std::move(b),
                                 {.names = names_,
                                  .values = arguments_.has("numbers"),
                                  .within = within_,
                                  .positive = arguments_.has("positive"),
                                  .explain = !arguments_.has("no-explanation"),
                                  .seed = arguments_.count("seed", 1),
                                  .budget = budget});
      of_roots_ = of_roots_ || found.functions;
      return found;
    } catch (const UnmatchedNames& error) {
      if (error.candidates().empty() && error.name().empty())
        throw UsageError("--map: " + error.what_is_missing(), error.remedy());
      std::string example = error.name().empty() ? "NAME" : error.name();
      example += "=" + (error.candidates().empty() ? std::string("NAME") : error.candidates().front());
      throw UsageError(error.what_is_missing(), "pair the names by --map " + example + ", or ask for some by --from and --to");
    }
  }

  MarkedModel mark(const ComparedModel& solution, const std::set<std::string>& set_there, const std::string& file) {
    MarkedModel marked{file};
    const Budget budget({.seconds = arguments_.number("time-limit").value_or(default_seconds),
                         .memory_bytes = task_.budget.limits().memory_bytes,
                         .terms = task_.budget.limits().terms});
    const std::size_t notes = task_.notes.size();
    try {
      task_.budget.check("the comparison");
      Side side(task_, file, of_others_, budget);
      require_settings(set_there, side.set_here());
      marked.comparison = comparison(solution, side.model(true), budget);
    } catch (const Cancelled&) {
      throw;
    } catch (...) {
      const Ending ending = ending_of_failure("compare", file, arguments_.number("memory-limit").value_or(default_mebibytes));
      if (ending.status == 70) throw;
      const Diagnostic& problem = ending.problems.front();
      const bool placed = problem.where.file && problem.where.line > 0;
      marked.error = (placed ? to_string(problem.where) + ": " : std::string()) + problem.message;
      marked.hint = problem.hint.text();
      failure_ = std::max(failure_, ending.status);
    }
    task_.notes.resize(std::min(task_.notes.size(), notes));
    return marked;
  }

  Task& task_;
  const Arguments& arguments_;
  std::vector<NamePair> names_;
  std::optional<DeviationLimits> within_;
  std::map<std::string, std::string> of_others_;
  bool of_roots_ = false;
  int failure_ = 0;
};

int run_compare(Task& task) {
  const std::size_t files = task.arguments.inputs().size();
  if (files < 2) throw UsageError("one model alone is compared with nothing", "write sfg compare A B");
  const bool json = form_of(task.arguments) == Form::json;
  Marking marking(task);
  if (files == 2) {
    const Comparison found = marking.pair();
    marking.note_positive();
    if (json)
      write_json(task.out, found);
    else
      show(task, page(found));
    return found.same == Sameness::same ? 0 : 1;
  }
  const std::string& solution = task.arguments.inputs().front();
  const std::vector<MarkedModel> marked = marking.all();
  marking.note_positive();
  if (json)
    write_json(task.out, solution, marked);
  else
    show(task, page(solution, marked));
  const bool same =
      std::ranges::all_of(marked, [](const MarkedModel& m) { return m.comparison && m.comparison->same == Sameness::same; });
  return marking.failure() != 0 ? marking.failure() : same ? 0 : 1;
}

}  // namespace

Verb compare() {
  return {
      .name = "compare",
      .summary = "whether models have the same transfer functions: a proof, or values and the branch that differs",
      .details =
          "Any two kinds of input. Inputs, outputs and parameters are matched by name; the only input and the only output are "
          "compared "
          "whatever they are called. Transfer functions are compared as functions of their parameters; --numbers puts the stated "
          "values in first. Of more than two files each is compared with the first, a line each, --time-limit holding for each. "
          "The "
          "exit status is 0 when all are the same and 1 when one differs, or when that is not decided (\"same\": null in JSON); "
          "a "
          "file without an answer outranks that with its own. Parameters are real numbers of either sign, so that sqrt(K^2) is "
          "not K, unless --positive is given.",
      .options = {{"--map",
                   "A=B",
                   "what the first model calls A, an input, output or parameter, the others call B; repeatable",
                   Option::Kind::text,
                   {},
                   true},
                  {"--within", "DB,DEG",
                   "the same is what deviates no more than this from the first over --freq, with the stated values"},
                  {"--freq", "LO:HI:N|W1,W2",
                   "frequencies of --within, logarithmic or a list, rad/s; peaks between them are looked for"},
                  {"--hz", "", "frequencies in Hz in --freq"},
                  {"--positive", "", "take parameters as positive, so that sqrt(K^2) is K and sqrt(a)*sqrt(b) is sqrt(a*b)"},
                  {"--no-explanation", "", "whether they differ, and not why"},
                  notation_option(),
                  width_option()},
      .examples = {"sfg compare examples/servo.dot other.dot", "sfg compare model.toml circuit.cir --map x=v1 --numbers",
                   "sfg compare plant.dot reduced.dot --within 0.5,3 --freq 0.1:100:400",
                   "sfg compare solution.dot class/*.dot --json"},
      .run = run_compare,
      .refuses = {{"--nonlinear", "transfer functions are of linear models"}},
      .many_inputs = true,
      .limits_each = true};
}

}  // namespace sfg::command
