#include "sfg/export/scilab_program.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/export/export_header.hpp"
#include "sfg/export/script_content.hpp"

namespace sfg {

namespace {

using numeric::Operation;

/// Keywords, and what the script calls or makes itself.
constexpr std::string_view scilab_words =
    "driven scale breaks inside switches exponential balanc norm eye ceil log2 "
    "if then else elseif end endfunction for while do function return select case break continue try catch otherwise abort "
    "pause resume quit exit clear who ans funcprot syslin poly expm exp log sqrt sin cos tan asin acos atan sinh cosh tanh "
    "abs sign min max floor bool2s zeros size length linspace find mprintf ascii real imag isempty ode sum matrix_A matrix_B "
    "matrix_C matrix_D state_space times frequencies labels reasons places delays numerators denominators sample_time rates "
    "outputs drives start this column row feedthrough augmented advance state late first spacing response values point at "
    "motion part time drive polynomial looked_up coefficients above below list ones ";

std::string scilab_string(const std::string& text) {
  std::string parts, run;
  const auto end_run = [&] {
    if (!run.empty()) parts += (parts.empty() ? "\"" : " + \"") + run + "\"";
    run.clear();
  };
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      run += c == '\'' || c == '"' ? std::string(2, c) : std::string(1, c);
      continue;
    }
    end_run();
    parts += (parts.empty() ? "ascii(" : " + ascii(") + std::to_string(static_cast<int>(static_cast<unsigned char>(c))) + ")";
  }
  end_run();
  return parts.empty() ? "\"\"" : parts;
}

CodeText scilab_function(Operation operation, const std::string& left, const std::string& right) {
  switch (operation) {
    case Operation::power: return {"(" + left + ")^(" + right + ")", Binding::power};
    case Operation::atan2: return {"atan(" + left + ", " + right + ")"};
    case Operation::min:
    case Operation::max: return {std::string(name(operation)) + "(" + left + ", " + right + ")"};
    case Operation::step: return {"bool2s(" + left + " >= 0)"};
    case Operation::lookup: return {"looked_up(table_" + right + ", " + left + ")"};
    default: return {std::string(name(operation)) + "(" + left + ")"};
  }
}

CodeSyntax scilab_syntax() {
  return {.number = code_number,
          .power =
              [](const std::string& base, int n) {
                return CodeText{base + "^" + std::to_string(n), Binding::power};
              },
          .function = scilab_function};
}

std::string scilab_list(const std::vector<std::string>& texts) { return sfg::listed(texts, " ..\n  "); }

class ScilabProgram {
 public:
  ScilabProgram(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : out_(out),
        subject_(subject),
        content_(script_content(
            subject, numbered(words_in(scilab_words), {"transfer_", "numerator_", "denominator_", "delay_", "table_"}, 1000),
            budget)) {}

  void write() {
    header();
    tables();
    parameters();
    if (content_.motion) {
      motion();
      run();
      return;
    }
    transfers();
    state_space();
    labels();
    steps_and_frequencies();
  }

 private:
  void header() {
    const ExportHeader header{
        .what = std::string(content_.motion ? "equations of motion" : "transfer functions and state space") +
                " for Scilab; run: scilab-cli -nb -quit -f FILE",
        .verified = content_.verified,
        .renamed = content_.renamed};
    for (const std::string& line : header_lines(subject_, content_.parameters, header)) out_ << "// " << line << '\n';
    out_ << "\nfuncprot(0);  // names of the model may be those of functions\n";
  }

  void parameters() {
    if (!content_.parameters.empty()) out_ << "\n// parameters\n";
    for (const ParameterLine& line : parameter_lines(content_, scilab_syntax()))
      out_ << line.name << " = " << line.formula << ";" << (line.comment.empty() ? "" : "  // " + line.comment) << '\n';
  }

  void tables() {
    if (content_.tables.empty()) return;
    out_ << "\n// tables, piece by piece: breaks at the left, coefficients of cubics, highest power first\n";
    for (const std::uint32_t code : content_.tables) {
      const TablePieces pieces = table_pieces(code);
      out_ << "table_" << code << " = [";
      for (std::size_t k = 0; k < pieces.coefficients.size(); ++k) {
        const auto& c = pieces.coefficients[k];
        out_ << (k == 0 ? "" : "; ..\n  ") << scilab_list(code_numbers({pieces.breaks[k], c[0], c[1], c[2], c[3]}));
      }
      out_ << "];\n";
    }
    out_ << "function y = looked_up(pieces, x)\n"
            "  k = max(sum(bool2s(pieces(:, 1) <= x)), 1);\n"
            "  t = x - pieces(k, 1);\n"
            "  y = ((pieces(k, 2)*t + pieces(k, 3))*t + pieces(k, 4))*t + pieces(k, 5);\n"
            "endfunction\n";
  }

  void assign(const std::vector<std::pair<std::string, std::string>>& assignments, const char* indent = "") {
    for (const auto& [name, formula] : assignments) out_ << indent << name << " = " << formula << ";\n";
  }

  bool sampled() const { return subject_.graph.op.discrete(); }
  const char* domain() const { return sampled() ? "sample_time" : "'c'"; }

  void transfers() {
    out_ << "\n// transfer functions: coefficients, highest power first\n";
    if (sampled()) out_ << "sample_time = " << code_number(subject_.graph.op.period().to_double()) << ";\n";
    for (std::size_t k = 0; k < content_.transfers.size(); ++k) transfer(k);
  }

  void transfer(std::size_t k) {
    const ExportedTransfer& T = content_.transfers[k];
    const CodeLines code = code_lines(T.coefficients, content_.names, scilab_syntax(), content_.intermediate);
    const std::string K = std::to_string(k), variable = sampled() ? "'z'" : "'s'";
    out_ << "// " << comment_text(T.label()) << '\n';
    assign(code.assignments);
    const auto from = code.outputs.begin();
    const auto middle = from + static_cast<std::ptrdiff_t>(T.numerator), to = middle + static_cast<std::ptrdiff_t>(T.denominator);
    out_ << "numerator_" << K << " = [" << scilab_list({from, middle}) << "];\n"
         << "denominator_" << K << " = [" << scilab_list({middle, to}) << "];\n"
         << "transfer_" << K << " = syslin(" << domain() << ", poly(numerator_" << K << "($:-1:1), " << variable
         << ", 'c'), poly(denominator_" << K << "($:-1:1), " << variable << ", 'c'));\n";
    if (T.delayed)
      out_ << "delay_" << K << " = " << code.outputs.back() << ";  // dead time, s, which a syslin has no place for\n";
  }

  void matrix(const std::string& name, const std::vector<std::string>& entries, std::size_t& from, std::size_t rows,
              std::size_t columns) {
    out_ << name << " = [";
    for (std::size_t i = 0; columns > 0 && i < rows; ++i, from += columns) {
      const auto row = entries.begin() + static_cast<std::ptrdiff_t>(from);
      out_ << (i == 0 ? "" : "; ..\n  ") << scilab_list({row, row + static_cast<std::ptrdiff_t>(columns)});
    }
    out_ << "];\n";
  }

  void state_space() {
    const ExportedStates& space = *content_.states;
    const std::size_t n = space.states.size(), m = space.inputs.size(), p = space.outputs.size();
    out_ << "\n// state space of all of them" << (delayed() ? ", without the dead times" : "") << "; inputs:";
    for (const std::string& input : space.inputs) out_ << ' ' << comment_text(input);
    out_ << "; outputs:";
    for (const std::string& output : space.outputs) out_ << ' ' << comment_text(output);
    out_ << "; states:";
    for (const std::string& state : space.states) out_ << ' ' << comment_text(state);
    out_ << '\n';
    for (const std::string& label : space.improper) out_ << "// not in it, since it is improper: " << comment_text(label) << '\n';
    const CodeLines code = code_lines(space.entries, content_.names, scilab_syntax(), content_.intermediate);
    assign(code.assignments);
    std::size_t from = 0;
    matrix("matrix_A", code.outputs, from, n, n);
    matrix("matrix_B", code.outputs, from, n, m);
    matrix("matrix_C", code.outputs, from, p, n);
    matrix("matrix_D", code.outputs, from, p, m);
    if (n > 0) out_ << "state_space = syslin(" << domain() << ", matrix_A, matrix_B, matrix_C, matrix_D);\n";
  }

  bool delayed() const { return std::ranges::any_of(content_.transfers, &ExportedTransfer::delayed); }

  /// What the loop over the transfer functions takes.
  void labels() {
    const ExportedStates& space = *content_.states;
    std::vector<std::string> labels, reasons, places, delays, numerators, denominators;
    for (std::size_t k = 0; k < content_.transfers.size(); ++k) {
      const ExportedTransfer& T = content_.transfers[k];
      labels.push_back(scilab_string(T.label()));
      reasons.push_back(scilab_string(without_step(content_, T)));
      places.push_back(std::to_string(place_of(T.output, space.outputs) + 1) + ", " +
                       std::to_string(place_of(T.input, space.inputs) + 1));
      delays.push_back(T.delayed ? "delay_" + std::to_string(k) : "0");
      numerators.push_back("numerator_" + std::to_string(k));
      denominators.push_back("denominator_" + std::to_string(k));
    }
    out_ << "\n// the file's own tables: step and frequency responses\n"
         << times() << "frequencies = [" << scilab_list(code_numbers(subject_.frequencies)) << "];\nlabels = ["
         << scilab_list(labels) << "];\nreasons = [" << scilab_list(reasons)
         << "];  // of those without a step response\nplaces = [";
    for (std::size_t k = 0; k < places.size(); ++k) out_ << (k == 0 ? "" : "; ..\n  ") << places[k];
    out_ << "];  // output and input\ndelays = [" << scilab_list(delays) << "];\nnumerators = list(" << scilab_list(numerators)
         << ");\ndenominators = list(" << scilab_list(denominators) << ");\n";
  }

  std::string times() const {
    const std::size_t count = subject_.times.size();
    if (sampled()) return "times = (0:" + std::to_string(count - 1) + ")*sample_time;\n";
    return "times = linspace(0, " + code_number(subject_.times.back()) + ", " + std::to_string(count) + ");\n";
  }

  /// Scilab's own loses digits where eigenvalues lie close together, and slow motion beside fast.
  static constexpr const char* exponential =
      "function F = exponential(M, t)  // exp(M*t) - 1: balanced, scaled, by Pade's approximant; without the 1, for what is "
      "slow\n"
      "  [balanced, T] = balanc(M);\n"
      "  halvings = max(0, ceil(log2(max(norm(balanced*t, \"inf\"), 0.25))) + 1);\n"
      "  X = balanced*(t/2^halvings);\n"
      "  c = 1;\n"
      "  power = eye(X);\n"
      "  below = power;\n"
      "  F = zeros(X);\n"
      "  for k = 1:8\n"
      "    c = c*(9 - k)/(k*(17 - k));\n"
      "    power = X*power;\n"
      "    below = below + (-1)^k*c*power;\n"
      "    F = F + (1 - (-1)^k)*c*power;\n"
      "  end\n"
      "  F = below\\F;\n"
      "  for k = 1:halvings, F = 2*F + F*F; end\n"
      "  F = T*F/T;\n"
      "endfunction\n";

  void steps_and_frequencies() {
    const bool rest = content_.states->states.empty();
    out_ << (sampled() ? "" : exponential)
         << "function y = polynomial(coefficients, x)\n"
            "  y = 0;\n"
            "  for k = 1:length(coefficients), y = y*x + coefficients(k); end\n"
            "endfunction\n"
            "for this = 1:size(places, 1)\n"
         << (rest ? "  row = [];\n  column = [];\n"
                  : "  row = matrix_C(places(this, 1), :);\n  column = matrix_B(:, places(this, 2));\n")
         << "  feedthrough = matrix_D(places(this, 1), places(this, 2));\n"
            "  if reasons(this) == \"\" then\n"
            "    response = zeros(times);\n"
         << (sampled() ? sampled_step(rest) : continuous_step())
         << "    mprintf(\"%s\\n\", \"# step \" + labels(this));\n"
            "    mprintf(\"%.17g %.17g\\n\", times', response');\n"
            "  else\n"
            "    mprintf(\"%s\\n\", \"# no step \" + labels(this) + \": \" + reasons(this));\n"
            "  end\n"
            "  mprintf(\"%s\\n\", \"# frequency \" + labels(this));\n"
            "  above = numerators(this);\n"
            "  below = denominators(this);\n"
            "  for point = 1:length(frequencies)\n"
         << (sampled() ? "    at = exp(%i*frequencies(point)*sample_time);\n" : "    at = %i*frequencies(point);\n")
         << "    if abs(at) <= 1 then\n"
            "      values = polynomial(above, at)/polynomial(below, at);\n"
            "    else  // in 1/s, so that no power overflows\n"
            "      values = at^(length(above) - length(below))*polynomial(above($:-1:1), 1/at)/polynomial(below($:-1:1), 1/at);\n"
            "    end\n"
         << (delayed() ? "    values = values*exp(-delays(this)*at);\n" : "")
         << "    mprintf(\"%.17g %.17g %.17g\\n\", frequencies(point), real(values), imag(values));\n"
            "  end\n"
            "end\n";
  }

  static const char* sampled_step(bool rest) {
    return rest ? "    response = feedthrough*ones(times);\n"
                : "    state = zeros(size(column, 1), 1);\n"
                  "    for point = 1:length(times)\n"
                  "      response(point) = row*state + feedthrough;\n"
                  "      state = matrix_A*state + column;\n"
                  "    end\n";
  }

  /// The input is a state of its own, which stays 1, so that one exponential moves all.
  static const char* continuous_step() {
    return "    augmented = [matrix_A, column; zeros(1, size(column, 1) + 1)];\n"
           "    state = [zeros(size(column, 1), 1); 1];\n"
           "    late = times - delays(this);\n"
           "    first = find(late >= -1e-12*times($), 1);\n"
           "    spacing = times($)/max(length(times) - 1, 1);\n"
           "    advance = exponential(augmented, spacing);\n"
           "    for point = first:length(times)\n"
           "      if point > first then state = state + advance*state; else state = state + exponential(augmented, "
           "max(late(first), 0))*state; end\n"
           "      response(point) = [row, feedthrough]*state;\n"
           "    end\n";
  }

  static std::string column(const std::vector<std::string>& texts) {
    std::string rows;
    for (const std::string& text : texts) rows += (rows.empty() ? "" : "; ..\n    ") + text;
    return "[" + rows + "]";
  }

  void named(const char* what, const std::vector<std::string>& names) {
    out_ << "// " << what << ":";
    for (const std::string& name : names) out_ << ' ' << comment_text(name);
    out_ << '\n';
  }

  void motion() {
    const ExportedMotion& motion = *content_.motion;
    const auto number = [](const char* of) { return [of](std::size_t k) { return of + ("(" + std::to_string(k + 1) + ")"); }; };
    const MotionCode code = motion_code(content_, scilab_syntax(), number("state"), number("drive"));
    out_ << (sampled() ? "\n// motion: the states one sample on, and the outputs\n"
                       : "\n// motion: the rates of the states, and the outputs\n");
    named("states", motion.states);
    named("drives", motion.inputs);
    named("outputs", motion.outputs);
    out_ << "function [rates, outputs] = motion(time, state, drive)\n";
    assign(code.intermediate, "  ");
    out_ << "  rates = " << column(code.rates) << ";\n  outputs = " << column(code.outputs) << ";\nendfunction\n"
         << "// what drives it\nfunction drive = drives(time)\n";
    assign(code.before_drives, "  ");
    out_ << "  drive = " << column(code.drives) << ";\nendfunction\n"
         << "function rates = driven(time, state)\n  rates = motion(time, state, drives(min(max(time, inside(1)), "
            "inside(2))));\nendfunction\n";
  }

  void run() {
    const ExportedMotion& motion = *content_.motion;
    const bool moves = !sampled() && !motion.states.empty();
    std::vector<std::string> labels;
    for (const std::string& output : motion.outputs) labels.push_back(scilab_string(output));
    if (sampled()) out_ << "\nsample_time = " << code_number(subject_.graph.op.period().to_double()) << ";\n";
    out_ << "start = " << column(code_numbers(motion.start)) << ";\n\n// the file's own table\n"
         << times() << "labels = [" << scilab_list(labels) << "];\nresponse = zeros(" << labels.size()
         << ", length(times));\nstate = start;\n";
    if (moves)
      out_ << "%ODEOPTIONS = [1, 0, 0, %inf, 0, 2, 10000000, 12, 5, 0, -1, -1];\nswitches = ["
           << scilab_list(code_numbers(content_.switches)) << "];  // times at which the drives jump or bend\n"
           << "inside = [0, times($)];  // the drives are taken within a part between two switches\n"
              "scale = max(abs(state), abs(driven(times(1), state))*times($)/max(length(times) - 1, 1));\n";
    out_ << "for point = 1:length(times)\n";
    if (moves)
      out_ << "  if point > 1 then\n"
              "    breaks = [times(point - 1), switches(find(switches > times(point - 1) & switches < times(point))), "
              "times(point)];\n"
              "    for part = 2:length(breaks)\n"
              "      inside = [breaks(part - 1), breaks(part)] + 1e-13*breaks(part)*[1, -1];\n"
              "      state = ode(state, breaks(part - 1), breaks(part), 1e-11, 1e-12*max(scale, max([1e-6*scale; 1e-12])), "
              "driven);\n"
              "      scale = max(scale, abs(state));\n"
              "    end\n"
              "  end\n";
    out_ << "  [rates, outputs] = motion(times(point), state, drives(times(point)));\n"
         << "  response(:, point) = outputs;\n"
         << (sampled() ? "  state = rates;\n" : "") << "end\n"
         << "for this = 1:size(response, 1)\n"
            "  mprintf(\"%s\\n\", \"# response \" + labels(this));\n"
            "  mprintf(\"%.17g %.17g\\n\", times', response(this, :)');\n"
            "end\n";
  }

  std::ostream& out_;
  const ExportSubject& subject_;
  ScriptContent content_;
};

}  // namespace

void write_scilab_program(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  ScilabProgram(out, subject, budget).write();
}

}  // namespace sfg
