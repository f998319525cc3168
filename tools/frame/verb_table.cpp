#include "tools/frame/verb_table.hpp"

#include <algorithm>

#include "sfg/expr/parse.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/plot.hpp"
#include "tools/verbs/batch.hpp"
#include "tools/verbs/weave.hpp"

namespace sfg::command {

namespace {

/// "sfg FILE VERB" instead of "sfg VERB FILE".
void refuse_order(const std::vector<std::string>& words, const std::vector<std::string>& names) {
  const std::string& first = words.front();
  if (first != "-" && first.find_first_of("./") == std::string::npos) return;  // no file
  for (const std::string& word : words)
    if (&word != &first && std::find(names.begin(), names.end(), word) != names.end())
      throw UsageError("the verb comes first", "write 'sfg " + word + " " + first + "'");
  throw UsageError("the verb is missing before '" + first + "'",
                   "write 'sfg tf " + first + "', say; 'sfg --help' lists the verbs");
}

/// The verbs that draw plots take what every plot takes: those with a theme that draw nothing else.
std::vector<Verb> with_plot_options(std::vector<Verb> verbs) {
  const auto takes = [](const Verb& verb, const char* name) {
    return std::ranges::find(verb.options, name, &Option::name) != verb.options.end();
  };
  for (Verb& verb : verbs)
    if (takes(verb, "--dark") && !takes(verb, "--fragment"))
      for (Option& option : plot_option_table()) verb.options.push_back(std::move(option));
  return verbs;
}

}  // namespace

const std::vector<Verb>& verb_table() {
  static const std::vector<Verb> table = with_plot_options(
      {check(),    compare(),      derive(),       graph(),       draw(),  tf(),      mason(),        reduce(),  poles(),
       bode(),     nyquist(),      nichols(),      margins(),     step(),  impulse(), simulate(),     balance(), discretize(),
       routh(),    absolute(),     rlocus(),       sens(),        tune(),  fit(),     identifiable(), ports(),   noise(),
       exercise(), export_model(), report_study(), certificate(), batch(), serve(),   weave()});
  return table;
}

const Verb& verb_named(const std::vector<std::string>& words) {
  const std::string& name = words.front();
  std::vector<std::string> names;
  for (const Verb& verb : verb_table()) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  refuse_order(words, names);
  const std::string near = nearest(name, names);
  std::string hint = near.empty() ? "the verbs are" : "did you mean " + near + "? The verbs are";
  for (const std::string& known : names) hint += " " + known;
  throw UsageError("verb '" + name + "' is not known to this version", hint);
}

}  // namespace sfg::command
