// The script runs in Octave and in MATLAB: what only one of the two knows is not used.
#include "sfg/export/octave_program.hpp"

#include <algorithm>
#include <ostream>

#include "sfg/error.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/script_content.hpp"

namespace sfg {

namespace {

using numeric::Operation;

/// Keywords of both, and what the script calls or makes itself.
constexpr std::string_view octave_words =
    "follow scale breaks margin switches balance cell ceil log2 norm eye inf transformation halvings factor power above below "
    "ode15s "
    "break case catch classdef continue do else elseif end end_try_catch end_unwind_protect endclassdef endenumeration "
    "endevents endfor endfunction endif endmethods endparfor endproperties endswitch endwhile enumeration events for function "
    "global if methods otherwise parfor persistent properties return spmd switch try until unwind_protect "
    "unwind_protect_cleanup while arguments import ans pkg load control exist tf ss expm exp log sqrt sin cos tan asin acos "
    "atan atan2 sinh cosh tanh abs sign min max floor double zeros size numel linspace find fprintf char polyval fliplr real "
    "imag isempty mkpp ppval ode45 odeset cellfun matrix_A matrix_B matrix_C matrix_D state_space times frequencies labels "
    "reasons places delays numerators denominators sample_time rates outputs drives start this column row feedthrough "
    "augmented advance state late first spacing response values point at options motion solution part time drive ";

/// A character array; control characters are put in by their codes.
std::string octave_string(const std::string& text) {
  std::string parts, run;
  bool joined = false;
  const auto end_run = [&] {
    if (!run.empty()) parts += (parts.empty() ? "'" : ", '") + run + "'";
    run.clear();
  };
  for (const char c : text) {
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) {
      run += c == '\'' ? "''" : std::string(1, c);
      continue;
    }
    end_run();
    parts += (parts.empty() ? "char(" : ", char(") + std::to_string(static_cast<int>(static_cast<unsigned char>(c))) + ")";
    joined = true;
  }
  end_run();
  if (parts.empty()) return "''";
  return joined ? "[" + parts + "]" : parts;
}

CodeText octave_function(Operation operation, const std::string& left, const std::string& right) {
  switch (operation) {
    case Operation::power: return {"(" + left + ")^(" + right + ")", Binding::power};
    case Operation::atan2: return {"atan2(" + left + ", " + right + ")"};
    case Operation::min:
    case Operation::max: return {std::string(name(operation)) + "(" + left + ", " + right + ")"};
    case Operation::step: return {"double(" + left + " >= 0)"};
    case Operation::lookup: return {"ppval(table_" + right + ", " + left + ")"};
    default: return {std::string(name(operation)) + "(" + left + ")"};
  }
}

CodeSyntax octave_syntax() {
  return {.number = code_number,
          .power =
              [](const std::string& base, int n) {
                return CodeText{base + "^" + std::to_string(n), Binding::power};
              },
          .function = octave_function};
}

std::string octave_list(const std::vector<std::string>& texts, const char* indent) {
  return sfg::listed(texts, std::string(" ...\n") + indent);
}

class OctaveProgram {
 public:
  OctaveProgram(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : out_(out),
        subject_(subject),
        content_(script_content(
            subject, numbered(words_in(octave_words), {"transfer_", "numerator_", "denominator_", "delay_", "table_"}, 1000),
            budget)) {}

  void write() {
    header();
    parameters();
    tables();
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
    const ExportHeader header{.what =
                                  "transfer functions and state space for GNU Octave (package control) and MATLAB (Control "
                                  "System Toolbox); run: octave-cli --norc FILE",
                              .verified = content_.verified,
                              .renamed = content_.renamed};
    for (const std::string& line : header_lines(subject_, content_.parameters, header)) out_ << "% " << line << '\n';
    out_ << (content_.motion ? "\n1;\n" : "\nif exist('OCTAVE_VERSION', 'builtin'), pkg load control; end\n");
  }

  void parameters() {
    if (!content_.parameters.empty()) out_ << "\n% parameters\n";
    for (const ParameterLine& line : parameter_lines(content_, octave_syntax()))
      out_ << line.name << " = " << line.formula << ";" << (line.comment.empty() ? "" : "  % " + line.comment) << '\n';
  }

  void tables() {
    if (!content_.tables.empty()) out_ << "\n% tables, piece by piece\n";
    for (const std::uint32_t code : content_.tables) {
      const TablePieces pieces = table_pieces(code);
      out_ << "table_" << code << " = mkpp([" << octave_list(code_numbers(pieces.breaks), "  ") << "], [ ...\n";
      for (const auto& row : pieces.coefficients)
        out_ << "  " << octave_list(code_numbers({row.begin(), row.end()}), "  ") << "; ...\n";
      out_ << "  ]);\n";
    }
  }

  void assign(const std::vector<std::pair<std::string, std::string>>& assignments, const char* indent = "") {
    for (const auto& [name, formula] : assignments) out_ << indent << name << " = " << formula << ";\n";
  }

  std::string sample_time() const { return code_number(subject_.graph.op.period().to_double()); }

  void transfers() {
    out_ << "\n% transfer functions: coefficients, highest power first\n";
    if (subject_.graph.op.discrete()) out_ << "sample_time = " << sample_time() << ";\n";
    for (std::size_t k = 0; k < content_.transfers.size(); ++k) transfer(k);
  }

  void transfer(std::size_t k) {
    const ExportedTransfer& T = content_.transfers[k];
    const CodeLines code = code_lines(T.coefficients, content_.names, octave_syntax(), content_.intermediate);
    const std::string K = std::to_string(k);
    out_ << "% " << comment_text(T.label()) << '\n';
    assign(code.assignments);
    const auto from = code.outputs.begin();
    const auto middle = from + static_cast<std::ptrdiff_t>(T.numerator), to = middle + static_cast<std::ptrdiff_t>(T.denominator);
    out_ << "numerator_" << K << " = [" << octave_list({from, middle}, "  ") << "];\n"
         << "denominator_" << K << " = [" << octave_list({middle, to}, "  ") << "];\n"
         << "transfer_" << K << " = tf(numerator_" << K << ", denominator_" << K
         << (subject_.graph.op.discrete() ? ", sample_time" : "") << ", 'InputName', {" << octave_string(T.input)
         << "}, 'OutputName', {" << octave_string(T.output) << "});\n";
    if (!T.delayed) return;
    out_ << "delay_" << K << " = " << code.outputs.back() << ";  % dead time, s; transfer functions of Octave have none\n"
         << "if ~exist('OCTAVE_VERSION', 'builtin'), transfer_" << K << ".InputDelay = delay_" << K << "; end\n";
  }

  void matrix(const std::string& name, const std::vector<std::string>& entries, std::size_t& from, std::size_t rows,
              std::size_t columns) {
    out_ << name << " = ";
    if (rows == 0 || columns == 0) {
      out_ << "zeros(" << rows << ", " << columns << ");\n";
      return;
    }
    out_ << '[';
    for (std::size_t i = 0; i < rows; ++i, from += columns) {
      const auto row = entries.begin() + static_cast<std::ptrdiff_t>(from);
      out_ << (i == 0 ? "" : "; ...\n  ") << octave_list({row, row + static_cast<std::ptrdiff_t>(columns)}, "    ");
    }
    out_ << "];\n";
  }

  std::string names(const std::vector<std::string>& of) const {
    std::vector<std::string> strings;
    for (const std::string& name : of) strings.push_back(octave_string(name));
    return "{" + octave_list(strings, "  ") + "}";
  }

  void state_space() {
    const ExportedStates& space = *content_.states;
    const std::size_t n = space.states.size(), m = space.inputs.size(), p = space.outputs.size();
    out_ << "\n% state space of all of them" << (delayed() ? ", without the dead times" : "") << "; states:";
    for (const std::string& state : space.states) out_ << ' ' << comment_text(state);
    out_ << '\n';
    for (const std::string& label : space.improper) out_ << "% not in it, since it is improper: " << comment_text(label) << '\n';
    const CodeLines code = code_lines(space.entries, content_.names, octave_syntax(), content_.intermediate);
    assign(code.assignments);
    std::size_t from = 0;
    matrix("matrix_A", code.outputs, from, n, n);
    matrix("matrix_B", code.outputs, from, n, m);
    matrix("matrix_C", code.outputs, from, p, n);
    matrix("matrix_D", code.outputs, from, p, m);
    out_ << "state_space = ss(matrix_A, matrix_B, matrix_C, matrix_D" << (subject_.graph.op.discrete() ? ", sample_time" : "")
         << ", 'InputName', " << names(space.inputs) << ", 'OutputName', " << names(space.outputs) << ");\n";
  }

  bool delayed() const { return std::ranges::any_of(content_.transfers, &ExportedTransfer::delayed); }

  /// What the loop over the transfer functions takes.
  void labels() {
    const ExportedStates& space = *content_.states;
    std::vector<std::string> labels, reasons, places, delays, numerators, denominators;
    for (std::size_t k = 0; k < content_.transfers.size(); ++k) {
      const ExportedTransfer& T = content_.transfers[k];
      labels.push_back(octave_string(T.label()));
      reasons.push_back(octave_string(without_step(content_, T)));
      places.push_back(std::to_string(place_of(T.output, space.outputs) + 1) + ", " +
                       std::to_string(place_of(T.input, space.inputs) + 1));
      delays.push_back(T.delayed ? "delay_" + std::to_string(k) : "0");
      numerators.push_back("numerator_" + std::to_string(k));
      denominators.push_back("denominator_" + std::to_string(k));
    }
    out_ << "\n% the file's own tables: step and frequency responses\n"
         << times() << "frequencies = [" << octave_list(code_numbers(subject_.frequencies), "  ") << "];\nlabels = {"
         << octave_list(labels, "  ") << "};\nreasons = {" << octave_list(reasons, "  ")
         << "};  % of those without a step response\nplaces = [";
    for (std::size_t k = 0; k < places.size(); ++k) out_ << (k == 0 ? "" : "; ") << places[k];
    out_ << "];  % output and input\ndelays = [" << octave_list(delays, "  ") << "];\nnumerators = {"
         << octave_list(numerators, "  ") << "};\ndenominators = {" << octave_list(denominators, "  ") << "};\n";
  }

  std::string times() const {
    const std::size_t count = subject_.times.size();
    if (subject_.graph.op.discrete()) return "times = (0:" + std::to_string(count - 1) + ")*sample_time;\n";
    return "times = linspace(0, " + code_number(subject_.times.back()) + ", " + std::to_string(count) + ");\n";
  }

  void steps_and_frequencies() {
    const bool sampled = subject_.graph.op.discrete();
    out_ << "for this = 1:numel(labels)\n"
            "  row = matrix_C(places(this, 1), :);\n"
            "  column = matrix_B(:, places(this, 2));\n"
            "  feedthrough = matrix_D(places(this, 1), places(this, 2));\n"
            "  if isempty(reasons{this})\n"
            "    response = zeros(size(times));\n"
         << (sampled ? sampled_step() : continuous_step())
         << "    fprintf('%s\\n', ['# step ', labels{this}]);\n"
            "    fprintf('%.17g %.17g\\n', [times; response]);\n"
            "  else\n"
            "    fprintf('%s\\n', ['# no step ', labels{this}, ': ', reasons{this}]);\n"
            "  end\n"
            "  fprintf('%s\\n', ['# frequency ', labels{this}]);\n"
            "  values = zeros(size(frequencies));\n"
            "  for point = 1:numel(frequencies)\n"
         << (sampled ? "    at = exp(1i*frequencies(point)*sample_time);\n" : "    at = 1i*frequencies(point);\n")
         << "    if abs(at) <= 1\n"
            "      values(point) = polyval(numerators{this}, at)/polyval(denominators{this}, at);\n"
            "    else  % in 1/s, so that no power overflows\n"
            "      values(point) = at^(numel(numerators{this}) - numel(denominators{this}))* ...\n"
            "        polyval(fliplr(numerators{this}), 1/at)/polyval(fliplr(denominators{this}), 1/at);\n"
            "    end\n"
         << (delayed() ? "    values(point) = values(point)*exp(-delays(this)*at);\n" : "")
         << "  end\n"
            "  fprintf('%.17g %.17g %.17g\\n', [frequencies; real(values); imag(values)]);\n"
            "end\n";
  }

  static const char* sampled_step() {
    return "    state = zeros(size(column));\n"
           "    for point = 1:numel(times)\n"
           "      response(point) = row*state + feedthrough;\n"
           "      state = matrix_A*state + column;\n"
           "    end\n";
  }

  /// The input is a state of its own, which stays 1, so that one exponential moves all: balanced, scaled, by Padé's approximant,
  /// as exp(M t) − 1, so that what is slow stays exact beside what is fast. No function, since those of a MATLAB script stand at
  /// its end and those of Octave before their use.
  static const char* continuous_step() {
    return "    late = times - delays(this);\n"
           "    first = find(late >= -1e-12*times(end), 1);\n"
           "    spacing = times(end)/max(numel(times) - 1, 1);\n"
           "    [transformation, augmented] = balance([matrix_A, column; zeros(1, numel(column) + 1)]);\n"
           "    advance = cell(1, 2);  % exp(M*t) - 1 to the first time, and from one time to the next\n"
           "    for part = 1:2*numel(first)\n"
           "      if part == 1, motion = augmented*max(late(first), 0); else, motion = augmented*spacing; end\n"
           "      halvings = max(0, ceil(log2(max(norm(motion, inf), 0.25))) + 1);\n"
           "      motion = motion/2^halvings;\n"
           "      factor = 1;\n"
           "      power = eye(size(motion));\n"
           "      below = power;\n"
           "      above = zeros(size(motion));\n"
           "      for point = 1:8\n"
           "        factor = factor*(9 - point)/(point*(17 - point));\n"
           "        power = motion*power;\n"
           "        below = below + (-1)^point*factor*power;\n"
           "        above = above + (1 - (-1)^point)*factor*power;\n"
           "      end\n"
           "      above = below\\above;\n"
           "      for point = 1:halvings, above = 2*above + above*above; end\n"
           "      advance{part} = transformation*above/transformation;\n"
           "    end\n"
           "    state = [zeros(size(column)); 1];\n"
           "    for point = first:numel(times)\n"
           "      state = state + advance{1 + (point > first)}*state;\n"
           "      response(point) = [row, feedthrough]*state;\n"
           "    end\n";
  }

  static std::string column(const std::vector<std::string>& texts) {
    if (texts.empty()) return "zeros(0, 1)";
    std::string rows;
    for (const std::string& text : texts) rows += (rows.empty() ? "" : "; ...\n    ") + text;
    return "[" + rows + "]";
  }

  void named(const char* what, const std::vector<std::string>& names) {
    out_ << "% " << what << ":";
    for (const std::string& name : names) out_ << ' ' << comment_text(name);
    out_ << '\n';
  }

  /// A function of a script sees none of its variables: it gets the parameters.
  std::string given() const {
    std::string list;
    for (const std::string& name : content_.names) list += ", " + name;
    return list;
  }

  void motion() {
    const ExportedMotion& motion = *content_.motion;
    const auto number = [](const char* of) { return [of](std::size_t k) { return of + ("(" + std::to_string(k + 1) + ")"); }; };
    const MotionCode code = motion_code(content_, octave_syntax(), number("state"), number("drive"));
    out_ << (sampled() ? "\n% motion: the states one sample on, and the outputs\n"
                       : "\n% motion: the rates of the states, and the outputs\n");
    named("states", motion.states);
    named("drives", motion.inputs);
    named("outputs", motion.outputs);
    std::string tables;
    for (const std::uint32_t table : content_.tables) tables += ", table_" + std::to_string(table);
    tables_ = std::move(tables);
    out_ << "function [rates, outputs] = motion(time, state, drive" << given() << tables_ << ")\n";
    assign(code.intermediate, "  ");
    out_ << "  rates = " << column(code.rates) << ";\n  outputs = " << column(code.outputs) << ";\nend\n"
         << "% what drives it\nfunction drive = drives(time" << given() << tables_ << ")\n";
    assign(code.before_drives, "  ");
    out_ << "  drive = " << column(code.drives) << ";\nend\n";
  }

  bool sampled() const { return subject_.graph.op.discrete(); }

  void run() {
    const ExportedMotion& motion = *content_.motion;
    const bool moves = !sampled() && !motion.states.empty();
    std::vector<std::string> labels;
    for (const std::string& output : motion.outputs) labels.push_back(octave_string(output));
    if (sampled()) out_ << "\nsample_time = " << sample_time() << ";\n";
    const std::string rest = given() + tables_ + ")", drives = "drives(times(point)" + rest + rest;
    out_ << "start = " << column(code_numbers(motion.start)) << ";\n\n% the file's own table\n"
         << times() << "labels = {" << octave_list(labels, "  ")
         << "};\nresponse = zeros(numel(labels), numel(times));\nstate = start;\n";
    if (moves)
      out_ << "switches = [" << octave_list(code_numbers(content_.switches), "  ")
           << "];  % times at which the drives jump or bend\n"
           << "point = 1;\nscale = max(abs(state), abs(motion(times(point), state, " << drives
           << ")*times(end)/max(numel(times) - 1, 1));\n";
    out_ << "for point = 1:numel(times)\n"
         << (moves ? advance(rest) : std::string()) << "  [rates, values] = motion(times(point), state, " << drives << ";\n"
         << "  response(:, point) = values;\n"
         << (sampled() ? "  state = rates;\n" : "") << "end\n"
         << "for this = 1:numel(labels)\n"
            "  fprintf('%s\\n', ['# response ', labels{this}]);\n"
            "  fprintf('%.17g %.17g\\n', [times; response(this, :)]);\n"
            "end\n";
  }

  /// From one time to the next, in parts between which the drives switch; within a part they are those of its inside.
  std::string advance(const std::string& rest) const {
    const std::string solver = content_.stiff ? "ode15s" : "ode45";
    return "  if point > 1\n"
           "    breaks = [times(point - 1), switches(switches > times(point - 1) & switches < times(point)), times(point)];\n"
           "    for part = 2:numel(breaks)\n"
           "      margin = 1e-13*breaks(part);\n"
           "      follow = @(time, state) motion(time, state, drives(min(max(time, breaks(part - 1) + margin), breaks(part) - "
           "margin)" +
           rest + rest +
           ";\n"
           "      options = odeset(" +
           std::string(content_.stiff ? "'RelTol', 1e-8, 'AbsTol', 1e-10" : "'RelTol', 1e-10, 'AbsTol', 1e-11") +
           "*max(scale, max([1e-6*scale; 1e-12])));\n"
           "      [~, solution] = " +
           solver +
           "(follow, breaks(part - 1:part), state, options);\n"
           "      state = solution(end, :).';\n"
           "      scale = max(scale, abs(state));\n"
           "    end\n"
           "  end\n";
  }

  std::ostream& out_;
  const ExportSubject& subject_;
  ScriptContent content_;
  std::string tables_ = {};  ///< as further arguments
};

}  // namespace

void write_octave_program(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  OctaveProgram(out, subject, budget).write();
}

}  // namespace sfg
