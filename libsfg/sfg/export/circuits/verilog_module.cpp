// The target verilog: a module that makes a sample at every rising edge of its clock, with real numbers. A model in z has the
// formulas of its parameters; another is sampled behind a zero-order hold, in numbers. These belong to chains of sums
//   x1 ← c x1 + w x2, …, xn ← c xn + w e,  e = u − Σ a_k x,  y = Σ b_k x,
// which is N(z)/D(z) in (z − c)/w: fast sampling puts all poles near z = 1, where powers of z would cost all digits.

#include "sfg/export/targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

#include "sfg/error.hpp"
#include "sfg/exact/sampled_data.hpp"
#include "sfg/export/circuits/verilog_language.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/proper_branches.hpp"
#include "sfg/export/stated_equations.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/transfer/exact_transfer.hpp"

namespace sfg {

namespace {

/// A sampled transfer function in (z − c)/w, coefficients by growing power, the denominator monic.
struct Chain {
  double c = 1, w = 1;
  std::vector<double> numerator = {}, denominator = {};
};

Chain chain_at(double c, const exact::RationalPolynomial& upper, const exact::RationalPolynomial& lower) {
  const std::vector<double> around = lower.composed({1, exact::Rational::of(c)}).doubles();
  double farthest = 0;
  for (std::size_t k = 1; k < around.size(); ++k)
    farthest = std::max(farthest, std::pow(std::abs(around[k] / around[0]), 1.0 / static_cast<double>(k)));
  Chain chain{.c = c};
  if (farthest > 0 && std::isfinite(farthest)) chain.w = std::ldexp(1.0, std::ilogb(farthest));
  const exact::RationalPolynomial scale{exact::Rational::of(chain.w), exact::Rational::of(c)};
  const exact::RationalPolynomial a = lower.composed(scale), b = upper.composed(scale);
  for (std::size_t k = 0; k < around.size(); ++k) {
    chain.denominator.push_back((a.coefficient(k) / a.leading()).to_double());
    chain.numerator.push_back((b.coefficient(k) / a.leading()).to_double());
  }
  return chain;
}

/// The step response as the module calculates it.
std::vector<double> step_of(const Chain& chain, std::size_t count) {
  const std::size_t n = chain.denominator.size() - 1;
  std::vector<double> x(n + 1, 0.0), y;
  for (std::size_t sample = 0; sample < count; ++sample) {
    x[n] = 1;
    for (std::size_t k = 0; k < n; ++k) x[n] -= chain.denominator[k] * x[k];
    double sum = 0;
    for (std::size_t k = 0; k <= n; ++k) sum += chain.numerator[k] * x[k];
    y.push_back(sum);
    for (std::size_t k = 0; k < n; ++k) x[k] = chain.c * x[k] + chain.w * x[k + 1];
  }
  return y;
}

/// The largest difference, as a part of the largest value.
double deviation_of_samples(const std::vector<double>& y, const std::vector<double>& right) {
  double worst = 0, top = 0;
  for (std::size_t k = 0; k < right.size(); ++k) {
    worst = std::max(worst, std::abs(y[k] - right[k]));
    top = std::max(top, std::abs(right[k]));
  }
  return top > 0 ? worst / top : worst;
}

struct SampledChain {
  Chain chain;
  double error = 0;  ///< of the step response in double precision, as a part of its largest value
};

/// Behind a zero-order hold. The centre c is where the poles lie: of fast sampling near 1, of slow sampling near 0.
SampledChain sampled_chain(const ExactTransfer& T, const exact::Rational& h, std::size_t count) {
  const std::vector<exact::Rational> n = T.numerator.polynomial().coefficients(), d = T.denominator.polynomial().coefficients();
  if (n.empty()) return {.chain = {.numerator = {0}, .denominator = {1}}};
  // Powers of z are sums of the powers of z − 1 that cancel.
  const std::size_t order = d.size() - 1, digits = 60 + 12 * order;
  exact::SampledSystem held = order == 0 ? exact::SampledSystem{n, d} : exact::held(n, d, h, digits);
  held.numerator.insert(held.numerator.begin(), held.denominator.size() - held.numerator.size(), exact::Rational(0));
  const exact::RationalPolynomial upper(held.numerator), lower(held.denominator);
  const std::vector<double> right = exact::recurrence(held.numerator, held.denominator, std::vector<double>(count, 1.0));
  constexpr double good = 1e-13;
  SampledChain best{.chain = {}, .error = std::numeric_limits<double>::infinity()};
  for (const double c : {1.0, 0.0, 0.5, 0.75, 0.25, 0.875, -0.25, 0.9375}) {
    Chain chain = chain_at(c, upper, lower);
    const double error = deviation_of_samples(step_of(chain, count), right);
    if (error < best.error) best = {std::move(chain), error};
    if (best.error < good) break;
  }
  constexpr double lost = 1e-6;
  if (!(best.error < lost))
    throw NoAnswer("the sampled transfer function '" + T.output + "/" + T.input + "' loses its digits in double precision",
                   "ask for another sample time; the targets octave and python have the model as it is");
  return best;
}

class ClockedModule {
 public:
  ClockedModule(std::ostream& out, const ExportSubject& subject)
      : out_(out), subject_(subject), parameters_(valued_parameters(subject.graph)), names_(verilog_words()) {
    name_ = names_(subject.name);
    bench_ = names_(subject.name + "_step");
    clock_ = names_("clock");
    for (const ExportedParameter& parameter : parameters_) symbols_.push_back(names_(parameter.name));
    for (const std::string& input : export_inputs(subject)) inputs_.push_back(names_(input));
    for (const std::string& output : export_outputs(subject)) outputs_.push_back(names_(output));
    renamed_ = names_.renamed();
    std::erase_if(renamed_, [](const auto& pair) { return pair.first == "clock"; });
  }

  void difference_equations(const Budget& budget) {
    const StatedEquations equations = stated_equations(subject_, budget);
    const ExportedMotion& motion = equations.motion;
    for (const std::string& state : motion.states) states_.push_back(names_(state));
    std::vector<std::string> inputs = symbols_, next;
    inputs.emplace_back("0.0");
    inputs.insert(inputs.end(), states_.begin(), states_.end());
    inputs.insert(inputs.end(), inputs_.begin(), inputs_.end());
    const CodeLines lines = code_lines(motion.rates, inputs, verilog_syntax(), step_mark);
    std::vector<std::string> steps;
    for (std::size_t k = 0; k < lines.assignments.size(); ++k) steps.push_back(names_("v" + std::to_string(k + 1)));
    for (const std::string& state : states_) next.push_back(names_("next_" + state));
    head(
        "real-valued module of the difference equations: a sample at every rising edge of the clock, and below it a bench that "
        "prints the step responses",
        equations.verified);
    ports();
    for (const ExportedParameter& parameter : by_dependence(parameters_)) {
      const auto place = std::ranges::find(parameters_, parameter.name, &ExportedParameter::name) - parameters_.begin();
      out_ << "  parameter real " << symbols_[static_cast<std::size_t>(place)] << " = "
           << stated_formula(parameter, parameters_, symbols_, verilog_syntax()) << ";\n";
    }
    std::vector<std::string> variables = states_;
    variables.insert(variables.end(), next.begin(), next.end());
    variables.insert(variables.end(), steps.begin(), steps.end());
    declare(variables);
    out_ << "  always @(posedge " << clock_ << ") begin\n";
    const auto text = [&](const std::string& formula) {
      return with_steps(formula, [&](std::size_t k) { return steps[k - 1]; });
    };
    for (std::size_t k = 0; k < steps.size(); ++k) assign(steps[k], text(lines.assignments[k].second));
    for (std::size_t k = 0; k < outputs_.size(); ++k) assign(samples_[k], text(lines.outputs[states_.size() + k]));
    for (std::size_t k = 0; k < states_.size(); ++k) assign(next[k], text(lines.outputs[k]));
    for (std::size_t k = 0; k < states_.size(); ++k) assign(states_[k], next[k]);
    out_ << "  end\nendmodule\n";
    bench(subject_.graph.op.period());
  }

  void held_equations(const Budget& budget) {
    const exact::Rational h = *subject_.sample_time;
    const std::vector<ExportedTransfer> transfers = exported_transfers(subject_, parameters_, budget);
    for (const ExportedTransfer& T : transfers) {
      if (T.improper()) refuse_improper(subject_, T.label());
      if (T.delayed) {
        refuse_gains(subject_);
        throw NoAnswer("'" + T.label() + "' has dead time, which this target does not know",
                       "the target json writes it as it stands");
      }
    }
    std::vector<Chain> chains;
    double error = 1e-16;
    for (const ExactTransfer& T : exact_transfers(subject_.graph, subject_.questions, {.budget = budget})) {
      const SampledChain sampled = sampled_chain(T, h, sample_count(h));
      chains.push_back(sampled.chain);
      error = std::max(error, sampled.error);
    }
    head("real-valued module, sampled every " + code_number(h.to_double()) +
             " s behind a zero-order hold: a sample at every rising edge of the clock, and below it a bench that prints the step "
             "responses; numbers, not parameters",
         fmt::format("verified: these sums in double precision give the samples of the exact recurrence within {:.0e}",
                     std::pow(10, std::ceil(std::log10(error)))));
    ports();
    std::vector<std::vector<std::string>> names;
    for (std::size_t q = 0; q < chains.size(); ++q) {
      std::vector<std::string>& own = names.emplace_back();
      for (std::size_t k = 1; k < chains[q].denominator.size(); ++k) own.push_back(names_(fmt::format("x{}_{}", q, k)));
      own.push_back(names_("e" + std::to_string(q)));
      declare(own);
    }
    out_ << "  always @(posedge " << clock_ << ") begin\n";
    std::vector<std::string> sums(outputs_.size());
    for (std::size_t q = 0; q < chains.size(); ++q) sum(chains[q], names[q], transfers[q], sums);
    for (std::size_t k = 0; k < outputs_.size(); ++k) assign(samples_[k], sums[k].empty() ? "0.0" : sums[k]);
    for (std::size_t q = 0; q < chains.size(); ++q)
      for (std::size_t k = 0; k + 1 < names[q].size(); ++k)
        assign(names[q][k], (chains[q].c == 0 ? "" : term(chains[q].c, names[q][k], true)) +
                                term(chains[q].w, names[q][k + 1], chains[q].c == 0));
    out_ << "  end\nendmodule\n";
    bench(h);
  }

 private:
  void head(const std::string& what, const std::string& verified) {
    for (const std::string& line : header_lines(subject_, parameters_, {what, verified, renamed_})) out_ << "// " << line << '\n';
  }

  void ports() {
    out_ << "module " << name_ << "(\n  input wire " << clock_;
    for (const std::string& input : inputs_) out_ << ",\n  input real " << input;
    for (const std::string& output : outputs_) out_ << ",\n  output real " << output;
    out_ << ");\n";
    for (const std::string& output : outputs_) samples_.push_back(names_(output + "_sample"));
    declare(samples_);
    for (std::size_t k = 0; k < outputs_.size(); ++k) out_ << "  assign " << outputs_[k] << " = " << samples_[k] << ";\n";
  }

  /// Samples up to the last time.
  std::size_t sample_count(const exact::Rational& h) const {
    constexpr double rounding = 1e-9, most = 1e6;
    const double periods = subject_.times.empty() ? 0 : subject_.times.back() / h.to_double();
    if (periods > most) throw NoAnswer("the time has more than a million samples", "shorten it, or ask for a longer sample time");
    return static_cast<std::size_t>(std::floor(periods + rounding)) + 1;
  }

  void declare(const std::vector<std::string>& variables) {
    for (const std::string& variable : variables) out_ << "  real " << variable << " = 0.0;\n";
  }

  void assign(const std::string& variable, const std::string& value) { out_ << "    " << variable << " = " << value << ";\n"; }

  static std::string term(double factor, const std::string& of, bool first) {
    const std::string size = (std::abs(factor) == 1 ? "" : code_number(std::abs(factor)) + "*") + of;
    return (factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + ")) + size;
  }

  /// e of a chain, and what it adds to its output.
  void sum(const Chain& chain, const std::vector<std::string>& names, const ExportedTransfer& T, std::vector<std::string>& sums) {
    const auto place = [](const std::vector<std::string>& all, const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(all, name) - all.begin());
    };
    std::string e = inputs_[place(export_inputs(subject_), T.input)];
    for (std::size_t k = 0; k + 1 < names.size(); ++k)
      if (chain.denominator[k] != 0) e += term(-chain.denominator[k], names[k], false);
    out_ << "    // " << comment_text(T.label()) << '\n';
    assign(names.back(), e);
    std::string& y = sums[place(export_outputs(subject_), T.output)];
    for (std::size_t k = 0; k < names.size(); ++k)
      if (chain.numerator[k] != 0) y += term(chain.numerator[k], names[k], y.empty());
  }

  /// An instance for every transfer function, so that all begin at rest.
  void bench(const exact::Rational& h) {
    const std::size_t count = sample_count(h);
    out_ << "\nmodule " << bench_ << ";\n  integer k;\n";
    for (std::size_t q = 0; q < subject_.questions.size(); ++q) {
      const std::string& input = subject_.graph[subject_.questions[q].input].name;
      out_ << fmt::format("  reg clock{0} = 0;\n  {1} run{0}(.{2}(clock{0})", q, name_, clock_);
      const std::vector<std::string> all = export_inputs(subject_);
      for (std::size_t i = 0; i < all.size(); ++i) out_ << ", ." << inputs_[i] << (all[i] == input ? "(1.0)" : "(0.0)");
      for (const std::string& output : outputs_) out_ << ", ." << output << "()";
      out_ << ");\n";
    }
    out_ << "  initial begin\n";
    for (std::size_t q = 0; q < subject_.questions.size(); ++q) {
      const std::vector<std::string> all = export_outputs(subject_);
      const auto output = std::ranges::find(all, subject_.graph[subject_.questions[q].output].name) - all.begin();
      out_ << "    $display(\"%s\", " << string_text("# step " + export_label(subject_, subject_.questions[q])) << ");\n";
      out_ << fmt::format(
          "    for (k = 0; k < {0}; k = k + 1) begin\n      #1 clock{1} = 1;\n      #1 $display(\"%.16e %.16e\", k*{2}, "
          "run{1}.{3});\n      clock{1} = 0;\n    end\n",
          count, q, code_number(h.to_double()), outputs_[static_cast<std::size_t>(output)]);
    }
    out_ << "    $finish(0);\n  end\nendmodule\n";
  }

  /// Characters that a string might read otherwise are written by their numbers.
  static std::string string_text(const std::string& bytes) {
    std::string text = "\"";
    for (const char c : bytes) {
      const auto byte = static_cast<unsigned char>(c);
      text += byte < 0x20 || byte > 0x7e || c == '"' || c == '\\' || c == '%' ? fmt::format("\\{:03o}", byte) : std::string(1, c);
    }
    return text + "\"";
  }

  std::ostream& out_;
  const ExportSubject& subject_;
  std::vector<ExportedParameter> parameters_;
  LegalNames names_;
  std::string name_, bench_, clock_;
  std::vector<std::string> symbols_, inputs_, outputs_, samples_, states_;
  std::vector<std::pair<std::string, std::string>> renamed_;
};

}  // namespace

void write_verilog_module(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  refuse_laws(subject);
  if (subject.graph.op.discrete()) return ClockedModule(out, subject).difference_equations(budget);
  if (!subject.sample_time)
    throw NoAnswer("a module makes samples, and the model knows no samples",
                   "state a sample time; the target verilog-a has the model as it is");
  ClockedModule(out, subject).held_equations(budget);
}

}  // namespace sfg
