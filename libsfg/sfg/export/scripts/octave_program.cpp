// The script runs in Octave and in MATLAB: what only one of the two knows is not used.

#include "sfg/export/targets.hpp"

#include <ostream>

#include "sfg/export/scripts/matrix_program.hpp"

namespace sfg {

namespace {

/// Keywords of both, and what the script calls or makes itself.
constexpr const char* octave_words =
    "follow scale breaks margin switches balance cell ceil log2 norm eye inf transformation halvings factor power above below "
    "ode15s "
    "break case catch classdef continue do else elseif end end_try_catch end_unwind_protect endclassdef endenumeration "
    "endevents endfor endfunction endif endmethods endparfor endproperties endswitch endwhile enumeration events for function "
    "global if methods otherwise parfor persistent properties return spmd switch try until unwind_protect "
    "unwind_protect_cleanup while arguments import ans pkg load control exist tf ss expm exp log sqrt sin cos tan asin acos "
    "atan atan2 sinh cosh tanh abs sign min max floor double zeros size numel linspace find fprintf char polyval fliplr real "
    "imag isempty mkpp ppval reached error ode45 odeset cellfun matrix_A matrix_B matrix_C matrix_D state_space times "
    "frequencies labels "
    "reasons places delays numerators denominators sample_time rates outputs drives start this column row feedthrough "
    "augmented advance state late first spacing response values point at options motion solution part time drive ";

const MatrixLanguage octave{.words = octave_words,
                            .comment = "% ",
                            .continued = " ...\n",
                            .end_function = "end",
                            .row_indent = "    ",
                            .next_place = "; ",
                            .quote = '\'',
                            .doubled = "'",
                            .joined = {"[", ", ", "]", "char"},
                            .texts = {"{", "}"},
                            .lists = {"{", "}"},
                            .arctangent = "atan2",
                            .truth = "double",
                            .lookup = "ppval",
                            .sized_empty = true};

class OctaveProgram : public MatrixProgram {
 public:
  OctaveProgram(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : MatrixProgram(out, subject, octave, budget) {}

 private:
  void header() override {
    write_header(
        "transfer functions and state space for GNU Octave (package control) and MATLAB (Control System Toolbox); run: "
        "octave-cli --norc FILE");
    out_ << (content_.motion ? "\n1;\n" : "\nif exist('OCTAVE_VERSION', 'builtin'), pkg load control; end\n");
  }

  void parameters_and_tables() override {
    parameters();
    if (!content_.tables.empty()) out_ << "\n% tables, piece by piece\n";
    for (const std::uint32_t code : content_.tables) {
      const TablePieces pieces = table_pieces(code);
      out_ << "table_" << code << " = mkpp([" << list(code_numbers(pieces.breaks)) << "], [ ...\n";
      for (const auto& row : pieces.coefficients) out_ << "  " << list(code_numbers({row.begin(), row.end()})) << "; ...\n";
      out_ << "  ]);\n";
    }
  }

  void transfer_function(const std::string& K, const ExportedTransfer& T, const std::string& delay) override {
    out_ << "transfer_" << K << " = tf(numerator_" << K << ", denominator_" << K << (sampled() ? ", sample_time" : "")
         << ", 'InputName', {" << text(T.input) << "}, 'OutputName', {" << text(T.output) << "});\n";
    if (delay.empty()) return;
    out_ << "delay_" << K << " = " << delay << ";  % dead time, s; transfer functions of Octave have none\n"
         << "if ~exist('OCTAVE_VERSION', 'builtin'), transfer_" << K << ".InputDelay = delay_" << K << "; end\n";
  }

  bool names_ports() const override { return true; }

  void state_space_object(const ExportedStates& space) override {
    out_ << "state_space = ss(matrix_A, matrix_B, matrix_C, matrix_D" << (sampled() ? ", sample_time" : "") << ", 'InputName', {"
         << texts(space.inputs) << "}, 'OutputName', {" << texts(space.outputs) << "});\n";
  }

  void steps_and_frequencies() override {
    out_ << "for this = 1:numel(labels)\n"
            "  row = matrix_C(places(this, 1), :);\n"
            "  column = matrix_B(:, places(this, 2));\n"
            "  feedthrough = matrix_D(places(this, 1), places(this, 2));\n"
            "  if isempty(reasons{this})\n"
            "    response = zeros(size(times));\n"
         << (sampled() ? sampled_step() : continuous_step())
         << "    fprintf('%s\\n', ['# step ', labels{this}]);\n"
            "    fprintf('%.17g %.17g\\n', [times; response]);\n"
            "  else\n"
            "    fprintf('%s\\n', ['# no step ', labels{this}, ': ', reasons{this}]);\n"
            "  end\n"
            "  fprintf('%s\\n', ['# frequency ', labels{this}]);\n"
            "  values = zeros(size(frequencies));\n"
            "  for point = 1:numel(frequencies)\n"
         << (sampled() ? "    at = exp(1i*frequencies(point)*sample_time);\n" : "    at = 1i*frequencies(point);\n")
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

  /// A function of a script sees none of its variables: it gets the parameters and the tables.
  std::string further_arguments() const override {
    std::string list;
    for (const std::string& name : content_.names) list += ", " + name;
    for (const std::uint32_t table : content_.tables) list += ", table_" + std::to_string(table);
    return list;
  }

  void run() override {
    const bool moves = !sampled() && !content_.motion->states.empty();
    const std::string rest = further_arguments() + ")", drives = "drives(times(point)" + rest + rest;
    out_ << "response = zeros(numel(labels), numel(times));\nstate = start;\n";
    if (moves)
      out_ << "switches = [" << list(code_numbers(content_.motion->switches))
           << "];  % times over which no step goes: the drives jump, bend or vary fast\n"
           << "% how far from 0 each state comes, roughly: its tolerance is a part of that\nscale = ["
           << list(code_numbers(content_.reach)) << "].';\n";
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
           "*scale);\n"
           "      [reached, solution] = " +
           solver +
           "(follow, breaks(part - 1:part), state, options);\n"
           "      if reached(end) < breaks(part)\n"
           "        error('the integration ends at %g', reached(end));\n"
           "      end\n"
           "      state = solution(end, :).';\n"
           "      scale = max(scale, abs(state));\n"
           "    end\n"
           "  end\n";
  }
};

}  // namespace

void write_octave_program(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  OctaveProgram(out, subject, budget).write();
}

}  // namespace sfg
