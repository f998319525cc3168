
#include "sfg/export/targets.hpp"

#include <ostream>

#include "sfg/export/scripts/matrix_program.hpp"

namespace sfg {

namespace {

/// Keywords, and what the script calls or makes itself.
constexpr const char* scilab_words =
    "driven scale breaks inside switches exponential balanc norm eye ceil log2 "
    "if then else elseif end endfunction for while do function return select case break continue try catch otherwise abort "
    "pause resume quit exit clear who ans funcprot syslin poly expm exp log sqrt sin cos tan asin acos atan sinh cosh tanh "
    "abs sign min max floor bool2s zeros size length linspace find mprintf ascii real imag isempty ode sum matrix_A matrix_B "
    "matrix_C matrix_D state_space times frequencies labels reasons places delays numerators denominators sample_time rates "
    "outputs drives start this column row feedthrough augmented advance state late first spacing response values point at "
    "motion part time drive polynomial looked_up coefficients above below list ones ";

const MatrixLanguage scilab{.words = scilab_words,
                            .comment = "// ",
                            .continued = " ..\n",
                            .end_function = "endfunction",
                            .row_indent = "  ",
                            .next_place = "; ..\n  ",
                            .quote = '"',
                            .doubled = "'\"",
                            .joined = {"", " + ", "", "ascii"},
                            .texts = {"[", "]"},
                            .lists = {"list(", ")"},
                            .arctangent = "atan",
                            .truth = "bool2s",
                            .lookup = "looked_up",
                            .sized_empty = false};

class ScilabProgram : public MatrixProgram {
 public:
  ScilabProgram(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : MatrixProgram(out, subject, scilab, budget) {}

 private:
  void header() override {
    write_header(std::string(content_.motion ? "equations of motion" : "transfer functions and state space") +
                 " for Scilab; run: scilab-cli -nb -quit -f FILE");
    out_ << "\nfuncprot(0);  // names of the model may be those of functions\n";
  }

  void parameters_and_tables() override {
    if (!content_.tables.empty()) tables();
    parameters();
  }

  void tables() {
    out_ << "\n// tables, piece by piece: breaks at the left, coefficients of cubics, highest power first\n";
    for (const std::uint32_t code : content_.tables) {
      const TablePieces pieces = table_pieces(code);
      out_ << "table_" << code << " = [";
      for (std::size_t k = 0; k < pieces.coefficients.size(); ++k) {
        const auto& c = pieces.coefficients[k];
        out_ << (k == 0 ? "" : "; ..\n  ") << list(code_numbers({pieces.breaks[k], c[0], c[1], c[2], c[3]}));
      }
      out_ << "];\n";
    }
    out_ << "function y = looked_up(pieces, x)\n"
            "  k = max(sum(bool2s(pieces(:, 1) <= x)), 1);\n"
            "  t = x - pieces(k, 1);\n"
            "  y = ((pieces(k, 2)*t + pieces(k, 3))*t + pieces(k, 4))*t + pieces(k, 5);\n"
            "endfunction\n";
  }

  const char* domain() const { return sampled() ? "sample_time" : "'c'"; }

  void transfer_function(const std::string& K, const ExportedTransfer&, const std::string& delay) override {
    const std::string variable = sampled() ? "'z'" : "'s'";
    out_ << "transfer_" << K << " = syslin(" << domain() << ", poly(numerator_" << K << "($:-1:1), " << variable
         << ", 'c'), poly(denominator_" << K << "($:-1:1), " << variable << ", 'c'));\n";
    if (!delay.empty()) out_ << "delay_" << K << " = " << delay << ";  // dead time, s, which a syslin has no place for\n";
  }

  void state_space_object(const ExportedStates& space) override {
    if (!space.states.empty()) out_ << "state_space = syslin(" << domain() << ", matrix_A, matrix_B, matrix_C, matrix_D);\n";
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

  void steps_and_frequencies() override {
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

  void further_functions() override {
    out_ << "function rates = driven(time, state)\n  rates = motion(time, state, drives(min(max(time, inside(1)), "
            "inside(2))));\nendfunction\n";
  }

  void run() override {
    const bool moves = !sampled() && !content_.motion->states.empty();
    out_ << "response = zeros(" << content_.motion->outputs.size() << ", length(times));\nstate = start;\n";
    if (moves)
      out_ << "%ODEOPTIONS = [1, 0, 0, %inf, 0, 2, 10000000, 12, 5, 0, -1, -1];\nswitches = ["
           << list(code_numbers(content_.motion->switches))
           << "];  // times over which no step goes: the drives jump, bend or vary fast\n"
           << "inside = [0, times($)];  // the drives are taken within a part between two switches\n"
              "scale = max(abs(state), abs(driven(times(1), state))*times($)/max(length(times) - 1, 1));\n";
    out_ << "for point = 1:length(times)\n";
    if (moves)
      out_ << "  if point > 1 then\n"
              "    breaks = [times(point - 1), switches(find(switches > times(point - 1) & switches < times(point))), "
              "times(point)];\n"
              "    for part = 2:length(breaks)\n"
              "      inside = [breaks(part - 1), breaks(part)] + 1e-13*breaks(part)*[1, -1];\n"
              "      if ~or(scale <> 0) then scale = abs(driven(breaks(part), state))*(breaks(part) - breaks(part - 1)), end\n"
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
};

}  // namespace

void write_scilab_program(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  ScilabProgram(out, subject, budget).write();
}

}  // namespace sfg
