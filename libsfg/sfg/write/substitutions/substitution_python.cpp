#include <fmt/format.h>
#include <ginac/ginac.h>

#include <ostream>

#include "sfg/write/substitutions/substitution_text.hpp"
#include "sfg/write/substitutions/substitutions.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using List = SubstitutionList;

/// As it stands between double quotes.
std::string python_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + '"';
}

class PythonWriter {
 public:
  PythonWriter(std::ostream& out, const List& list, const SubstitutionCode& code) : out_(out), list_(list), code_(code) {
    for (const ex& constant : list.constants) put(constant, "p[" + python_quoted(name_of(constant)) + "]");
    for (std::size_t i = 0; i < list.states.size(); ++i) put(list.states[i], fmt::format("x[{}]", i));
    for (std::size_t i = 0; i < list.inputs.size(); ++i) put(list.inputs[i], fmt::format("u[{}]", i));
    for (const auto& s : list.substitutions) put(s.symbol, fmt::format("sub[{}]", s.number));
    if (list.time) put(*list.time, "t");
  }

  void operator()() {
    head();
    parameters();
    function();
    check();
  }

 private:
  void put(const ex& symbol, const std::string& text) { texts_[print_name(name_of(symbol), Notation::python)] = text; }
  std::string text(const ex& e) const { return text_with(e, Notation::python, texts_); }
  void comment(std::string line) {
    for (char& c : line)
      if (c == '\n' || c == '\r') c = ' ';
    out_ << "# " << line << '\n';
  }

  static std::string names(const std::vector<ex>& symbols) {
    std::string all;
    for (const ex& symbol : symbols) all += python_quoted(name_of(symbol)) + ", ";
    return "(" + all + ")";
  }
  std::string result_names() const {
    std::string all;
    for (const auto& array : list_.results) all += (all.empty() ? "" : ", ") + array.name;
    return all + (list_.results.size() == 1 ? "," : "");
  }
  static std::string row(const std::vector<double>& values) {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(print(value));
    return fmt::format("[{}]", fmt::join(texts, ", "));
  }

  void head() {
    comment(list_.title.empty() ? code_.name : list_.title);
    for (const std::string& line : code_.header) comment(line);
    for (const auto& array : list_.results) comment(array.name + ": " + array.text);
    comment(result_names() + " = " + code_.name + "(x, u, t, p); python3 FILE compares with values of another evaluation");
    out_ << "import sys\nfrom math import acos, asin, atan, atan2, cos, cosh, exp, floor, log, pi, sin, sinh, sqrt, tan, tanh\n\n"
         << "import numpy as np\n\nSTATES = " << names(list_.states) << "\nINPUTS = " << names(list_.inputs) << '\n';
  }

  void parameters() {
    const auto values = list_.values();
    out_ << "\n\ndef parameters():\n    \"\"\"The values of the model; nan where it states none.\"\"\"\n    return {";
    for (std::size_t i = 0; i < list_.constants.size(); ++i)
      out_ << (i > 0 ? ", " : "") << python_quoted(name_of(list_.constants[i])) << ": "
           << (values[i] ? print(*values[i]) : "float(\"nan\")");
    out_ << "}\n";
  }

  void function() {
    out_ << "\n\ndef " << code_.name << "(x, u=(), t=0.0, p=None):\n    \"\"\"" << result_names()
         << " at the states x (STATES), the inputs u (INPUTS) and the time t.\"\"\"\n    if p is None:\n        p = "
            "parameters()\n";
    if (!list_.substitutions.empty()) out_ << "    sub = [0.0] * " << list_.substitutions.back().number + 1 << '\n';
    for (const auto& s : list_.substitutions) out_ << "    sub[" << s.number << "] = " << text(s.value) << '\n';
    for (const auto& array : list_.results) {
      out_ << "    " << array.name << " = np.zeros((" << array.size[0]
           << (array.size.size() > 1 ? ", " + std::to_string(array.size[1]) : ",") << "))\n";
      for (const auto& entry : array.entries) {
        out_ << "    " << array.name << '[';
        for (std::size_t i = 0; i < entry.at.size(); ++i) out_ << (i > 0 ? ", " : "") << entry.at[i] - 1;
        out_ << "] = " << text(entry.value) << '\n';
      }
    }
    out_ << "    return " << result_names() << '\n';
  }

  void check() {
    out_ << "\n\ndef check():\n    \"\"\"Whether the results are those of another evaluation.\"\"\"\n";
    if (code_.expected.empty()) {
      out_ << "    return True\n";
    } else {
      out_ << "    p = {";
      for (std::size_t i = 0; i < list_.constants.size(); ++i)
        out_ << (i > 0 ? ", " : "") << python_quoted(name_of(list_.constants[i])) << ": " << print(code_.point.constants[i]);
      out_ << "}\n    results = " << code_.name << '(' << row(code_.point.states) << ", " << row(code_.point.inputs) << ", "
           << print(code_.point.time) << ", p)\n    got = np.concatenate([result.ravel() for result in results])\n"
           << "    expected = np.array(" << row(code_.expected) << ")\n    for value in got:\n        print(\"%.17g\" % value)\n"
           << "    return bool(np.all(np.abs(got - expected) <= 1e-9 * (1 + np.abs(expected))))\n";
    }
    out_
        << "\n\nif __name__ == \"__main__\":\n    right = check()\n    print(\"# verified\" if right else \"# results differ\")\n"
        << "    sys.exit(0 if right else 1)\n";
  }

  std::ostream& out_;
  const List& list_;
  const SubstitutionCode& code_;
  std::map<std::string, std::string> texts_;
};

}  // namespace

void write_python(std::ostream& out, const SubstitutionList& list, const SubstitutionCode& code) {
  const SubstitutionList legal = with_legal_results(
      list,
      {"p",      "x",      "u",     "t",      "sub",     "np",       "sys",   "STATES", "INPUTS", "parameters", "check", "acos",
       "asin",   "atan",   "atan2", "cos",    "cosh",    "exp",      "floor", "log",    "pi",     "sin",        "sinh",  "sqrt",
       "tan",    "tanh",   "abs",   "min",    "max",     "float",    "range", "None",   "True",   "False",      "print", "def",
       "lambda", "import", "from",  "as",     "pass",    "del",      "in",    "is",     "elif",   "except",     "raise", "with",
       "yield",  "async",  "await", "assert", "finally", "nonlocal", "bool",  code.name});
  PythonWriter(out, legal, code)();
}

}  // namespace sfg
