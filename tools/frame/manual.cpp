#include "tools/frame/manual.hpp"

#include <algorithm>
#include <cctype>
#include <ostream>
#include <sstream>

#include "tools/frame/arguments.hpp"
#include "tools/frame/help.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

/// Of a line: a point at its beginning would be a request, white space would break the line.
std::string line(const std::string& text) { return (text.starts_with('.') || text.starts_with(' ') ? "\\&" : "") + text + "\n"; }

/// "sfg(1)" or "sfg-VERB(1)".
std::string reference(const std::string& verb) { return bold(verb.empty() ? "sfg" : "sfg-" + verb) + "(1)"; }

void write_head(std::ostream& out, const std::string& name, const std::string& summary) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  out << ".\\\" -*- coding: utf-8 -*-\n"
      << ".TH \"" << roff(upper) << "\" 1 \"\" \"sfg " SFG_VERSION "\" \"Signal\\-flow graphs\"\n"
      << ".nh\n.ad l\n"  // nothing is broken that may be typed
      << ".SH NAME\n"
      << line(roff(name) + " \\- " + roff(summary));
}

void write_option_list(std::ostream& out, std::span<const Option> options) {
  for (const Option& option : options) {
    out << ".TP\n";
    if (option.letter) out << bold(std::string("-") + option.letter) << ", ";
    out << bold(option.name);
    if (!option.value.empty()) out << ' ' << italic(option.value);
    out << '\n' << line(roff(meaning_of(option)));
  }
}

void write_examples(std::ostream& out, std::span<const std::string> examples) {
  out << ".SH EXAMPLES\n.nf\n";
  for (const std::string& example : examples) out << line(roff(example));
  out << ".fi\n";
}

void write_statuses(std::ostream& out) {
  out << ".SH \"EXIT STATUS\"\n";
  for (const ExitStatus& status : exit_statuses())
    out << ".TP\n" << bold(std::to_string(status.code)) << '\n' << line(roff(status.meaning));
}

}  // namespace

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) switch (c) {
      case '\\': out += "\\(rs"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '`': out += "\\(ga"; break;
      case '^': out += "\\(ha"; break;
      case '~': out += "\\(ti"; break;
      case '"': out += "\\(dq"; break;
      default: out += c;
    }
  return out;
}

void write_manual(std::ostream& out, std::span<const Verb> verbs) {
  write_head(out, "sfg", "signal-flow graphs, from equations to transfer functions");
  out << ".SH SYNOPSIS\n"
      << bold("sfg") << ' ' << italic("VERB") << ' ' << italic("INPUT") << " [" << bold("--from") << ' ' << italic("IN") << "] ["
      << bold("--to") << ' ' << italic("OUT") << "]... [" << bold("--set") << ' ' << italic("NAME=VALUE") << "]... ["
      << italic("OPTIONS") << "] [" << bold("-o") << ' ' << italic("FILE") << "]\n.br\n"
      << bold("sfg help") << " [" << italic("VERB") << "]\n.br\n"
      << bold("sfg --version") << " [" << bold("--json") << "]\n"
      << ".SH DESCRIPTION\n"
      << line(roff(
             "Takes a mechanical system, a circuit or a graph to its equations, its signal-flow graph, its transfer functions "
             "in closed form, its responses, margins and tolerances, and to pictures of them. Answers are exact (decimals "
             "are fractions), and each is checked by a second method before it is shown."))
      << ".PP\n"
      << line(roff(kinds_of_input() +
                   " What one verb writes, another reads. A number alone may be a fraction or have a suffix of "
                   "SPICE, in files and in options: 1/3, 2.2k, 10u, 4.7meg."))
      << ".PP\n"
      << line(roff(
             "Messages go to standard error as file:line:column: error: what is wrong; what to do. An error leaves no answer."))
      << ".SH VERBS\n";
  for (const Verb& verb : verbs) out << ".TP\n" << bold(verb.name) << '\n' << line(roff(verb.summary));
  out << ".SH OPTIONS\n" << line("Options of every verb; a page of its own lists those of each.");
  write_option_list(out, common_options());
  out << ".TP\n" << bold("--help") << '\n' << line(roff("tell what the command, or a verb, does"));
  out << ".TP\n"
      << bold("--version") << '\n'
      << line(roff("tell the version, how it was built and with which libraries it runs"));
  std::vector<std::string> examples;
  for (const Verb& verb : verbs)
    if (!verb.examples.empty()) examples.push_back(verb.examples.front());
  write_examples(out, examples);
  write_statuses(out);
  out << ".SH ENVIRONMENT\n.TP\n" << bold("NO_COLOR") << '\n' << line(roff("messages without colours, as by --no-color"));
  out << ".SH \"SEE ALSO\"\n";
  for (const Verb& verb : verbs) out << reference(verb.name) << (&verb == &verbs.back() ? "\n" : ",\n");
}

void write_manual(std::ostream& out, const Verb& verb) {
  write_head(out, "sfg-" + verb.name, verb.summary);
  const std::string input = italic("INPUT") + (verb.many_inputs ? "..." : "");
  out << ".SH SYNOPSIS\n"
      << bold("sfg " + verb.name) << ' ' << (verb.needs_input ? input : "[" + input + "]") << " [" << italic("OPTIONS") << "]\n"
      << ".SH DESCRIPTION\n"
      << line(roff(verb.details)) << ".PP\n"
      << line(roff(kinds_of_input())) << ".SH OPTIONS\n";
  if (!verb.options.empty()) {
    out << ".SS \"Of this verb\"\n";
    write_option_list(out, verb.options);
    out << ".SS \"Of every verb\"\n";
  }
  write_option_list(out, taken_options(verb));
  write_examples(out, verb.examples);
  write_statuses(out);
  out << ".SH \"SEE ALSO\"\n" << reference("") << '\n';
}

void write_manuals(const std::string& folder, std::span<const Verb> verbs) {
  std::ostringstream all;
  write_manual(all, verbs);
  deliver(all.str(), folder + "/sfg.1");
  for (const Verb& verb : verbs) {
    std::ostringstream one;
    write_manual(one, verb);
    deliver(one.str(), folder + "/sfg-" + verb.name + ".1");
  }
}

}  // namespace sfg::command
