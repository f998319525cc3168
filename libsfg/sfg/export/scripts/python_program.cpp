
#include "sfg/export/targets.hpp"

#include <algorithm>
#include <ostream>
#include <set>

#include "sfg/export/export_header.hpp"
#include "sfg/export/scripts/script_content.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

using numeric::Operation;

/// Keywords, and what the module calls or makes itself.
constexpr std::string_view python_words =
    "SWITCHES METHOD False None True and as assert async await break case class continue def del elif else except finally for "
    "from global if "
    "import in is lambda match nonlocal not or pass raise return try type while with yield np numpy scipy sympy abs complex "
    "enumerate float len max min print range zip expm matrix_balance solve_ivp LABELS TRANSFERS TIMES FREQUENCIES SAMPLE_TIME "
    "state_space fraction step exponential looked_up main motion outputs drives simulation START REACH INPUTS OUTPUTS STATES "
    "time "
    "state drive FOLLOWING ASSIGNED follow Parameters sys types ModuleType globals vars getattr set super classmethod property ";

std::string python_name(Operation operation) {
  switch (operation) {
    case Operation::asin: return "np.arcsin";
    case Operation::acos: return "np.arccos";
    case Operation::atan: return "np.arctan";
    case Operation::atan2: return "np.arctan2";
    case Operation::min: return "np.minimum";
    case Operation::max: return "np.maximum";
    default: return "np." + std::string(name(operation));
  }
}

CodeText python_function(Operation operation, const std::string& left, const std::string& right) {
  switch (operation) {
    case Operation::power: return {"(" + left + ")**(" + right + ")", Binding::power};
    case Operation::step: return {"np.heaviside(" + left + ", 1.0)"};
    case Operation::lookup: return {"looked_up(TABLE_" + right + ", " + left + ")"};
    case Operation::atan2:
    case Operation::min:
    case Operation::max: return {python_name(operation) + "(" + left + ", " + right + ")"};
    default: return {python_name(operation) + "(" + left + ")"};
  }
}

CodeSyntax python_syntax() {
  return {.number = code_number,
          .power =
              [](const std::string& base, int n) {
                return CodeText{base + "**" + std::to_string(n), Binding::power};
              },
          .function = python_function};
}

std::string python_list(const std::vector<std::string>& texts) { return sfg::listed(texts, "\n        "); }

class PythonProgram {
 public:
  PythonProgram(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : out_(out),
        subject_(subject),
        content_(
            script_content(subject, numbered(words_in(python_words), {"transfer_", "coefficients_", "TABLE_"}, 1000), budget)) {}

  void write() {
    header();
    tables();
    parameters();
    if (content_.motion) {
      motion();
      run();
      return;
    }
    for (std::size_t k = 0; k < content_.transfers.size(); ++k) transfer(k);
    fraction();
    state_space();
    steps();
    main();
  }

 private:
  void header() {
    const ExportHeader header{.what =
                                  "transfer functions and state space for Python (NumPy; step responses need SciPy); run: "
                                  "python3 FILE, or import it",
                              .verified = content_.verified,
                              .renamed = content_.renamed};
    for (const std::string& line : header_lines(subject_, content_.parameters, header)) out_ << "# " << line << '\n';
    out_ << (content_.motion ? "\"\"\"Equations of motion of a signal-flow graph.\n\n"
                             : "\"\"\"Transfer functions of a signal-flow graph, as functions of the complex frequency, and its "
                               "state space.\n\n")
         << "The parameters are variables of this module; every call takes the values that they have then.\n\"\"\"\n"
            "import numpy as np\n";
    if (std::ranges::any_of(content_.parameters, &ExportedParameter::follows)) out_ << "import sys\nimport types\n";
  }

  void parameters() {
    if (content_.parameters.empty()) return;
    std::set<std::string> following;
    for (std::size_t k = 0; k < content_.parameters.size(); ++k)
      if (content_.parameters[k].follows) following.insert(content_.names[k]);
    out_ << "\n# parameters\n";
    std::string follow;  // the body of a function
    std::vector<std::string> before;
    for (const ParameterLine& line : parameter_lines(content_, python_syntax())) {
      const std::string text = line.name + " = " + line.formula + (line.comment.empty() ? "" : "  # " + line.comment) + '\n';
      if (following.contains(line.name)) {
        follow += "    if " + json_string(line.name) + " not in ASSIGNED:\n";
        for (const std::string& step : before) follow += "        " + step;
        follow += "        " + text;
        before.clear();
      } else if (std::ranges::find(content_.names, line.name) != content_.names.end()) {
        out_ << text;
      } else {
        before.push_back(text);
      }
    }
    if (!following.empty()) write_following({following.begin(), following.end()}, follow);
  }

  /// An assignment to a parameter moves what others state by it: the module is of a class that sees assignments.
  void write_following(const std::vector<std::string>& names, const std::string& body) {
    std::vector<std::string> quoted;
    for (const std::string& name : names) quoted.push_back(json_string(name));
    out_ << "\n# parameters that follow others, until they are assigned themselves; del lets them follow again\nFOLLOWING = ["
         << python_list(quoted) << "]\nASSIGNED = set()\n\n\ndef follow():\n    \"\"\"Values of those that follow.\"\"\"\n";
    for (const std::string& name : names) out_ << "    global " << name << '\n';
    out_ << body << module_class;
  }

  void tables() {
    if (content_.tables.empty()) return;
    out_ << "\n# tables, piece by piece: break at the left, coefficients of a cubic, highest power first\n";
    for (const std::uint32_t code : content_.tables) {
      const TablePieces pieces = table_pieces(code);
      out_ << "TABLE_" << code << " = np.array([";
      for (std::size_t k = 0; k < pieces.coefficients.size(); ++k) {
        const auto& c = pieces.coefficients[k];
        out_ << (k == 0 ? "" : ",\n    ") << '[' << python_list(code_numbers({pieces.breaks[k], c[0], c[1], c[2], c[3]})) << ']';
      }
      out_ << "])\n";
    }
    out_ << "\n\ndef looked_up(table, x):\n"
            "    \"\"\"The value of a table at x; beyond its ends it goes on straight.\"\"\"\n"
            "    piece = table[max(np.searchsorted(table[:, 0], x, side=\"right\") - 1, 0)]\n"
            "    return np.polyval(piece[1:], x - piece[0])\n\n";
  }

  void assign(const std::vector<std::pair<std::string, std::string>>& assignments) {
    for (const auto& [name, formula] : assignments) out_ << "    " << name << " = " << formula << '\n';
  }

  void transfer(std::size_t k) {
    const ExportedTransfer& T = content_.transfers[k];
    const CodeLines code = code_lines(T.coefficients, content_.names, python_syntax(), content_.intermediate);
    const std::string K = std::to_string(k), label = documented(T.label());
    const auto from = code.outputs.begin();
    const auto middle = from + static_cast<std::ptrdiff_t>(T.numerator), to = middle + static_cast<std::ptrdiff_t>(T.denominator);
    out_ << "\n\ndef coefficients_" << K << "():\n    \"\"\"Numerator and denominator of " << label
         << ", highest power first, and the dead time.\"\"\"\n";
    assign(code.assignments);
    out_ << "    return (np.array([" << python_list({from, middle}) << "]),\n            np.array([" << python_list({middle, to})
         << "]),\n            " << (T.delayed ? code.outputs.back() : "0.0") << ")\n\n\ndef transfer_" << K << "(s):\n    \"\"\""
         << label << " at the complex frequency s" << (sampled() ? " (z)" : "") << ", a number or an array.\"\"\"\n"
         << "    return fraction(*coefficients_" << K << "(), s)\n";
  }

  /// Text that may stand in a docstring.
  static std::string documented(const std::string& text) {
    std::string result;
    for (const char c : comment_text(text)) result += c == '\\' || c == '"' ? std::string("\\") + c : std::string(1, c);
    return result;
  }

  void fraction() {
    out_ << "\n\ndef fraction(numerator, denominator, delay, s):\n"
            "    \"\"\"exp(-s*delay)*N(s)/D(s); in 1/s where |s| > 1, so that no power overflows.\"\"\"\n"
            "    s = np.asarray(s, dtype=complex)\n"
            "    with np.errstate(all=\"ignore\"):\n"
            "        small = np.polyval(numerator, s)/np.polyval(denominator, s)\n"
            "        large = (np.polyval(numerator[::-1], 1/s)/np.polyval(denominator[::-1], 1/s)\n"
            "                 * s**(len(numerator) - len(denominator)))\n"
            "        return (np.where(abs(s) <= 1, small, large)*np.exp(-s*delay))[()]\n";
  }

  bool sampled() const { return subject_.graph.op.discrete(); }

  void names(const char* what, const std::vector<std::string>& of) {
    std::vector<std::string> strings;
    for (const std::string& name : of) strings.push_back(json_string(name));
    out_ << what << " = [" << python_list(strings) << "]\n";
  }

  void state_space() {
    const ExportedStates& space = *content_.states;
    const std::size_t n = space.states.size(), m = space.inputs.size(), p = space.outputs.size();
    out_ << "\n\n";
    names("INPUTS", space.inputs);
    names("OUTPUTS", space.outputs);
    names("STATES", space.states);
    if (sampled()) out_ << "SAMPLE_TIME = " << code_number(subject_.graph.op.period().to_double()) << "  # s\n";
    out_ << "\n\ndef state_space():\n    \"\"\"A, B, C, D of all of them" << (delayed() ? ", without the dead times" : "")
         << ": STATES by STATES, STATES by INPUTS, OUTPUTS by STATES, OUTPUTS by INPUTS.\n";
    for (const std::string& label : space.improper)
      out_ << "\n    Not in it, since it is improper: " << documented(label) << '\n';
    out_ << "    \"\"\"\n";
    const CodeLines code = code_lines(space.entries, content_.names, python_syntax(), content_.intermediate);
    assign(code.assignments);
    std::size_t from = 0;
    const auto matrix = [&](const char* before, std::size_t rows, std::size_t columns) {
      const auto first = code.outputs.begin() + static_cast<std::ptrdiff_t>(from);
      from += rows * columns;
      out_ << before << "np.array([" << python_list({first, code.outputs.begin() + static_cast<std::ptrdiff_t>(from)})
           << "], dtype=float).reshape(" << rows << ", " << columns << ")";
    };
    matrix("    return (", n, n);
    matrix(",\n            ", n, m);
    matrix(",\n            ", p, n);
    matrix(",\n            ", p, m);
    out_ << ")\n";
  }

  bool delayed() const { return std::ranges::any_of(content_.transfers, &ExportedTransfer::delayed); }

  void steps() { out_ << (sampled() ? sampled_step : continuous_step); }

  void main() {
    const ExportedStates& space = *content_.states;
    out_ << "\n\nTRANSFERS = [  # label, function, output and input of the state space, coefficients, why there is no step "
            "response\n";
    for (std::size_t k = 0; k < content_.transfers.size(); ++k) {
      const ExportedTransfer& T = content_.transfers[k];
      out_ << "    (" << json_string(T.label()) << ", transfer_" << k << ", " << place_of(T.output, space.outputs) << ", "
           << place_of(T.input, space.inputs) << ", coefficients_" << k << ", " << json_string(without_step(content_, T))
           << "),\n";
    }
    out_ << "]\n\n\ndef main():\n"
            "    \"\"\"The tables of this file: step and frequency responses.\"\"\"\n";
    if (sampled())
      out_ << "    times = np.arange(" << subject_.times.size() << ")*SAMPLE_TIME\n";
    else
      out_ << "    times = np.linspace(0, " << code_number(subject_.times.back()) << ", " << subject_.times.size() << ")\n";
    out_ << "    frequencies = np.array([" << python_list(code_numbers(subject_.frequencies)) << "])\n"
         << "    for label, transfer, output, input, coefficients, reason in TRANSFERS:\n"
            "        if reason:\n"
            "            print(f\"# no step {label}: {reason}\")\n"
            "        else:\n"
            "            print(f\"# step {label}\")\n"
            "            for t, y in zip(times, step(output, input, times, coefficients()[2])):\n"
            "                print(f\"{t:.17g} {y:.17g}\")\n"
            "        print(f\"# frequency {label}\")\n"
         << (sampled() ? "        for w, value in zip(frequencies, transfer(np.exp(1j*frequencies*SAMPLE_TIME))):\n"
                       : "        for w, value in zip(frequencies, transfer(1j*frequencies)):\n")
         << "            print(f\"{w:.17g} {value.real:.17g} {value.imag:.17g}\")\n"
            "\n\nif __name__ == \"__main__\":\n    main()\n";
  }

  void motion() {
    const ExportedMotion& motion = *content_.motion;
    const auto number = [](const char* of) { return [of](std::size_t k) { return of + ("[" + std::to_string(k) + "]"); }; };
    const MotionCode code = motion_code(content_, python_syntax(), number("state"), number("drive"));
    out_ << "\n\n";
    names("INPUTS", motion.inputs);
    names("OUTPUTS", motion.outputs);
    names("STATES", motion.states);
    out_ << "START = np.array([" << python_list(code_numbers(motion.start)) << "])\n";
    if (sampled()) {
      out_ << "SAMPLE_TIME = " << code_number(subject_.graph.op.period().to_double()) << "  # s\n";
    } else if (!motion.states.empty()) {
      out_ << "REACH = np.array([" << python_list(code_numbers(content_.reach))
           << "])  # how far from 0 each of the STATES comes, roughly: its tolerance is a part of that\n";
      out_ << "SWITCHES = [" << python_list(code_numbers(content_.motion->switches))
           << "]  # times over which no step goes: the drives jump, bend or vary fast\nMETHOD = "
           << (content_.stiff ? "\"Radau\"" : "\"DOP853\"") << "  # of scipy.integrate.solve_ivp\n";
    }
    out_ << "\n\ndef motion(time, state, drive):\n    \"\"\"" << (sampled() ? "STATES one sample on" : "Rates of the STATES")
         << ", and values of the OUTPUTS.\"\"\"\n";
    assign(code.intermediate);
    out_ << "    return (np.array([" << python_list(code.rates) << "], dtype=float),\n            np.array(["
         << python_list(code.outputs) << "], dtype=float))\n\n\ndef drives(time):\n    \"\"\"Values of the INPUTS.\"\"\"\n";
    assign(code.before_drives);
    out_ << "    return np.array([" << python_list(code.drives) << "], dtype=float)\n";
  }

  void run() {
    out_ << (sampled()                         ? sampled_run
             : content_.motion->states.empty() ? run_at_rest
                                               : continuous_run)
         << "\n\ndef main():\n    \"\"\"The table of this file: the responses.\"\"\"\n";
    if (sampled())
      out_ << "    times = np.arange(" << subject_.times.size() << ")*SAMPLE_TIME\n";
    else
      out_ << "    times = np.linspace(0, " << code_number(subject_.times.back()) << ", " << subject_.times.size() << ")\n";
    out_ << "    for label, values in zip(OUTPUTS, simulation(times).T):\n"
            "        print(f\"# response {label}\")\n"
            "        for t, y in zip(times, values):\n"
            "            print(f\"{t:.17g} {y:.17g}\")\n"
            "\n\nif __name__ == \"__main__\":\n    main()\n";
  }

  static constexpr const char* module_class =
      "\n\nclass Parameters(types.ModuleType):\n"
      "    \"\"\"This module, whose parameters may be assigned from outside.\"\"\"\n\n"
      "    def __setattr__(self, name, value):\n"
      "        super().__setattr__(name, value)\n"
      "        if name in FOLLOWING:\n"
      "            ASSIGNED.add(name)\n"
      "        follow()\n\n"
      "    def __delattr__(self, name):\n"
      "        if name in FOLLOWING:\n"
      "            ASSIGNED.discard(name)\n"
      "        else:\n"
      "            super().__delattr__(name)\n"
      "        follow()\n\n\n"
      "follow()\n"
      "if getattr(sys.modules.get(__name__), \"__dict__\", None) is globals():\n"
      "    sys.modules[__name__].__class__ = Parameters\n";

  static constexpr const char* sampled_run =
      "\n\ndef simulation(times):\n"
      "    \"\"\"OUTPUTS at the times 0, h, 2h ..., one row a time.\"\"\"\n"
      "    state, rows = START, []\n"
      "    for time in times:\n"
      "        following, values = motion(time, state, drives(time))\n"
      "        rows.append(values)\n"
      "        state = following\n"
      "    return np.array(rows)\n";

  static constexpr const char* run_at_rest =
      "\n\ndef simulation(times):\n"
      "    \"\"\"OUTPUTS at the times, one row a time.\"\"\"\n"
      "    return np.array([motion(time, START, drives(time))[1] for time in times])\n";

  static constexpr const char* continuous_run =
      "\n\ndef simulation(times):\n"
      "    \"\"\"OUTPUTS at ascending times from 0 on, one row a time. Between the times at which the drives switch these are "
      "those\n"
      "    of the inside.\"\"\"\n"
      "    from scipy.integrate import solve_ivp\n"
      "    state, rows = START, []\n"
      "    scale = REACH\n"
      "    for k, time in enumerate(times):\n"
      "        breaks = [times[k - 1], *(t for t in SWITCHES if times[k - 1] < t < time), time] if k > 0 else []\n"
      "        for begin, end in zip(breaks, breaks[1:]):\n"
      "            margin = 1e-13*end\n"
      "            run = solve_ivp(lambda t, x: motion(t, x, drives(min(max(t, begin + margin), end - margin)))[0],\n"
      "                            (begin, end), state, method=METHOD, rtol=1e-11, atol=1e-12*scale)\n"
      "            if not run.success:\n"
      "                raise RuntimeError(run.message)\n"
      "            state = run.y[:, -1]\n"
      "            scale = np.maximum(scale, abs(state))\n"
      "        rows.append(motion(time, state, drives(time))[1])\n"
      "    return np.array(rows)\n";

  static constexpr const char* sampled_step =
      "\n\ndef step(output, input, times, delay=0.0):\n"
      "    \"\"\"Response of an output to a unit step at an input, by their numbers; times: 0, h, 2h ...\"\"\"\n"
      "    A, B, C, D = state_space()\n"
      "    state, values = np.zeros(len(A)), []\n"
      "    for _ in times:\n"
      "        values.append(C[output] @ state + D[output, input])\n"
      "        state = A @ state + B[:, input]\n"
      "    return np.array(values)\n";

  static constexpr const char* continuous_step =
      "\n\ndef exponential(matrix, time):\n"
      "    \"\"\"exp(matrix*time) - 1: balanced, scaled, by Pade's approximant; without the 1, so that what is slow stays exact\n"
      "    beside what is fast.\"\"\"\n"
      "    from scipy.linalg import matrix_balance\n"
      "    balanced, (scale, _) = matrix_balance(matrix, permute=False, separate=True)\n"
      "    halvings = max(0, int(np.ceil(np.log2(max(np.linalg.norm(balanced*time, np.inf), 0.25)))) + 1)\n"
      "    x, c, power = balanced*(time/2.0**halvings), 1.0, np.eye(len(matrix))\n"
      "    below, result = power.copy(), np.zeros_like(power)\n"
      "    for k in range(1, 9):\n"
      "        c *= (9 - k)/(k*(17 - k))\n"
      "        power = x @ power\n"
      "        below += (-1)**k*c*power\n"
      "        result += (1 - (-1)**k)*c*power\n"
      "    result = np.linalg.solve(below, result)\n"
      "    for _ in range(halvings):\n"
      "        result = 2*result + result @ result\n"
      "    return scale[:, None]*result/scale\n"
      "\n\ndef step(output, input, times, delay=0.0):\n"
      "    \"\"\"Response of an output to a unit step at an input, by their numbers, at ascending times from 0 on; at 0 the "
      "limit\n"
      "    from the right. The input is a state of its own, which stays 1, so that one exponential moves all.\"\"\"\n"
      "    A, B, C, D = state_space()\n"
      "    n = len(A)\n"
      "    matrix = np.zeros((n + 1, n + 1))\n"
      "    matrix[:n, :n], matrix[:n, n] = A, B[:, input]\n"
      "    row, state = np.append(C[output], D[output, input]), np.append(np.zeros(n), 1.0)\n"
      "    values, now, spacing, advance = np.zeros(len(times)), 0.0, None, None\n"
      "    for k, late in enumerate(np.asarray(times, dtype=float) - delay):\n"
      "        if late < -1e-12*times[-1]:\n"
      "            continue\n"
      "        late = max(late, 0.0)\n"
      "        if late > now:\n"
      "            if spacing is None or abs(late - now - spacing) > 1e-12*late:\n"
      "                spacing = late - now\n"
      "                advance = exponential(matrix, spacing)\n"
      "            state, now = state + advance @ state, late\n"
      "        values[k] = row @ state\n"
      "    return values\n";

  std::ostream& out_;
  const ExportSubject& subject_;
  ScriptContent content_;
};

}  // namespace

void write_python_program(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  PythonProgram(out, subject, budget).write();
}

}  // namespace sfg
