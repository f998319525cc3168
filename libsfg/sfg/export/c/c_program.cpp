#include "sfg/export/c/c_program.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <ostream>
#include <stdexcept>

#include "sfg/error.hpp"
#include "sfg/export/c/c_parts.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/motion_reach.hpp"

namespace sfg {

namespace {

constexpr std::string_view quotient = R"(
/* n/d where d d would leave the range of numbers. */
static void $N_divide_far($R nr, $R ni, $R dr, $R di, $R out[2]) {
  const $R size = fabs$f(dr) > fabs$f(di) ? fabs$f(dr) : fabs$f(di);
  int e = 0;
  $R q;
  if (size > 0.0$l && size <= $greatest) (void)frexp$f(size, &e);
  dr = ldexp$f(dr, -e);
  di = ldexp$f(di, -e);
  nr = ldexp$f(nr, -e);
  ni = ldexp$f(ni, -e);
  q = dr * dr + di * di;
  out[0] = (nr * dr + ni * di) / q;
  out[1] = (ni * dr - nr * di) / q;
}

/* (nr + j ni)/(dr + j di) */
static inline void $N_divide($R nr, $R ni, $R dr, $R di, $R out[2]) {
  const $R q = dr * dr + di * di;
  if (q > $small && q < $large) {
    out[0] = (nr * dr + ni * di) / q;
    out[1] = (ni * dr - nr * di) / q;
  } else {
    $N_divide_far(nr, ni, dr, di, out);
  }
}
)";

constexpr std::string_view dead_time = R"(
/* Times exp(-tau (re + j im)). */
static void $N_delay($R tau, $R re, $R im, $R out[2]) {
  const $R size = exp$f(-tau * re), c = size * cos$f(tau * im), s = size * sin$f(tau * im), real = out[0];
  out[0] = real * c + out[1] * s;
  out[1] = out[1] * c - real * s;
}
)";

constexpr const char* begin_c = "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
constexpr const char* end_c = "\n#ifdef __cplusplus\n}\n#endif\n";

/// All that a file consists of, before it is put together.
class CProgramWriter {
 public:
  CProgramWriter(const ExportSubject& subject, const CProgramOptions& options, const Budget& budget)
      : subject_(subject),
        options_(options),
        budget_(budget),
        parameters_(valued_parameters(subject.graph)),
        independent_(independent(parameters_)),
        c_(subject, independent_, options.single) {}

  CProgram operator()() {
    if (subject_.graph.linear())
      linear();
    else
      nonlinear();
    result_.name = c_.name();
    result_.verified = verified_;
    result_.header = header();
    result_.program = program();
    return std::move(result_);
  }

 private:
  void linear() {
    std::vector<ExportedTransfer> transfers = exported_transfers(subject_, parameters_, budget_);
    ExportedStates states = exported_states(subject_, parameters_, transfers, budget_);
    verified_ = verification(subject_, transfers, parameters_, budget_);
    for (ExportedTransfer& T : transfers) T.coefficients = of_independent(T.coefficients, parameters_);
    states.entries = of_independent(states.entries, parameters_);
    tables(states.states, states.inputs, states.outputs);
    std::vector<std::string> labels;
    for (std::size_t k = 0; k < transfers.size(); ++k) {
      add(c_transfer(c_, transfers[k], k), fmt::format("Transfer function {}: {}", k, transfers[k].label()));
      labels.push_back(transfers[k].label());
      if (transfers[k].delayed) delayed_ = true;
      budget_.check("the file");
    }
    names("transfers", "transfer_count", labels);
    result_.improper = states.improper;
    const bool discrete = subject_.graph.op.discrete();
    std::string about = discrete ? "y = C x + D u; x one sample later is A x + B u. A step gives y of the sample, then x moves"
                                 : "dx/dt = A x + B u, y = C x + D u";
    for (const std::string& label : states.improper) about += "; without " + label + ", which has no such form";
    add(c_states(c_, states, discrete), about);
    if (options_.fixed) add(c_fixed_step(c_, subject_, independent_, states, *options_.fixed), "");
    main_ = c_main(c_, subject_, transfers, states);
  }

  void nonlinear() {
    if (options_.fixed) throw NoAnswer("a nonlinear graph has no step in whole numbers", "export its linear model");
    ExportedMotion motion = exported_motion(subject_, parameters_, budget_);
    std::vector<double> reach = reach_of_states(subject_, motion, parameters_, budget_);
    motion.rates = of_independent(motion.rates, parameters_);
    motion.drives = of_independent(motion.drives, parameters_);
    verified_ = "verified: the laws and the equations between them are those of the model, compiled from its exact form";
    tables(motion.states, motion.inputs, motion.outputs);
    names("transfers", "transfer_count", {});
    add(c_motion(c_, motion, subject_.graph.op.discrete()), "");
    main_ = c_main(c_, subject_, motion, std::move(reach));
  }

  static std::string safe(const std::string& line) {
    std::string text = block_comment_text(line);
    for (const std::string_view mark : {"\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"})
      for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
        text.replace(at, mark.size(), "\ufffd");
    return text;
  }

  void add(const CPart& part, const std::string& about) {
    declarations_ += (about.empty() ? "" : "\n/* " + safe(about) + " */\n") + part.declarations;
    definitions_ += part.definitions;
  }

  /// A table of names and how many there are.
  void names(const char* table, const char* count, const std::vector<std::string>& entries) {
    listed_ += c_.filled("extern const int $N_$C;\nextern const char *const $N_$T[];\n", {{"$C", count}, {"$T", table}});
    defined_ += c_.filled("const int $N_$C = $K;\nconst char *const $N_$T[] = {",
                          {{"$C", count}, {"$T", table}, {"$K", std::to_string(entries.size())}});
    for (std::size_t k = 0; k < entries.size(); ++k) defined_ += (k == 0 ? "" : ", ") + CText::string(entries[k]);
    defined_ += entries.empty() ? "\"\"};\n" : "};\n";
  }

  void tables(const std::vector<std::string>& states, const std::vector<std::string>& inputs,
              const std::vector<std::string>& outputs) {
    result_.states = states.size();
    result_.inputs = inputs;
    result_.outputs = outputs;
    std::vector<std::string> parameters;
    for (const ExportedParameter& parameter : independent_) parameters.push_back(parameter.name);
    names("parameters", "parameter_count", parameters);
    listed_ += c_.filled("extern const $R $N_values[];\n");
    defined_ += c_.filled("const $R $N_values[] = {") + c_.numbers(values_of(independent_)) + "};\n";
    derived_parameters();
    names("state_names", "states", states);
    names("input_names", "inputs", inputs);
    names("output_names", "outputs", outputs);
  }

  /// What follows the parameters: every function calculates it itself; one tells it.
  void derived_parameters() {
    const std::vector<ExportedParameter> following = derived(parameters_);
    if (following.empty()) return;
    std::vector<std::string> called;
    for (const ExportedParameter& parameter : following) called.push_back(parameter.name);
    names("derived_names", "derived_count", called);
    const std::string signature = "void $N_derived(const $R p[], $R out[])";
    const CText::Block block = c_.block(derived_values(parameters_));
    std::string text = block.statements;
    for (std::size_t k = 0; k < following.size(); ++k) text += fmt::format("  out[{}] = {};\n", k, block.outputs[k]);
    static constexpr std::array<std::string_view, 1> words{"p"};
    add({.declarations = c_.filled(signature + ";\n"),
         .definitions = c_.filled("\n" + signature + " {\n") + CText::unused(words, text) + text + "}\n"},
        "Values of what follows the parameters: every function calculates them from p");
  }

  std::string comment(const std::string& what) const {
    const ExportHeader about{.what = what, .verified = verified_, .renamed = c_.renamed()};
    std::string text = "/*\n";
    for (const std::string& line : header_lines(subject_, parameters_, about)) text += " * " + safe(line) + '\n';
    return text + " */\n";
  }

  std::string declarations() const {
    return "/* Parameters p, inputs u, outputs y and states x stand in the order of these tables. */\n" + listed_ + declarations_;
  }

  std::string header() const {
    const std::string guard = c_.filled("SFG_$N_HPP");
    return comment(c_.filled("Declarations of $N, for C and C++.")) + "#ifndef " + guard + "\n#define " + guard + "\n" +
           (options_.fixed ? "\n#include <stdint.h>\n" : "") + begin_c + declarations() + end_c + "\n#endif\n";
  }

  std::string program() const {
    const std::string how = options_.cpp ? "c++ -std=c++20 -O2 -DSFG_MAIN FILE" : "cc -std=c11 -O2 -DSFG_MAIN FILE -lm";
    std::string text = comment(std::string(options_.cpp ? "C++ and C" : "C, and C++, too") +
                               ", that allocates nothing. It prints its responses when it is run: " + how);
    text += "#include <math.h>\n";
    if (options_.fixed) text += "#include <stdint.h>\n";
    text += "#ifdef SFG_MAIN\n#include <stdio.h>\n#endif\n";
    if (!options_.include.empty()) text += "#include " + CText::string(options_.include) + "\n";
    text += begin_c + (options_.include.empty() ? declarations() + "\n" : "") + defined_;
    if (subject_.graph.linear())
      text += c_.filled(quotient, {{"$greatest", c_.single() ? "3e38f" : "1.7e308"},
                                   {"$small", c_.single() ? "1e-30f" : "1e-280"},
                                   {"$large", c_.single() ? "1e30f" : "1e280"}});
    if (delayed_) text += c_.filled(dead_time);
    const std::string helpers = c_.helpers();
    text += (helpers.empty() ? "" : "\n" + helpers) + definitions_;
    text += std::string(end_c) + "\n#ifdef SFG_MAIN\n" + main_ + "#endif\n";
    return text;
  }

  const ExportSubject& subject_;
  const CProgramOptions& options_;
  const Budget& budget_;
  std::vector<ExportedParameter> parameters_, independent_;
  CText c_;
  bool delayed_ = false;
  CProgram result_;
  std::string verified_, listed_, defined_, declarations_, definitions_, main_;
};

}  // namespace

FixedPoint FixedPoint::of(std::string_view text) {
  FixedPoint format;
  const char* end = text.data() + text.size();
  const auto number = [end](const char* from, int& to) { return std::from_chars(from, end, to); };
  if (text.starts_with('Q')) {
    const auto [point, wrong] = number(text.data() + 1, format.whole);
    if (wrong == std::errc() && point != end && *point == '.') {
      const auto [last, also] = number(point + 1, format.fraction);
      if (also == std::errc() && last == end && format.whole >= 0 && format.fraction >= 0 && format.whole + format.fraction == 31)
        return format;
    }
  }
  throw std::invalid_argument("a format of 32 bits is QI.F with I + F = 31: Q15.16");
}

std::string FixedPoint::text() const { return fmt::format("Q{}.{}", whole, fraction); }

CProgram c_program(const ExportSubject& subject, const CProgramOptions& options, const Budget& budget) {
  return CProgramWriter(subject, options, budget)();
}

void write_c_program(std::ostream& out, const ExportSubject& subject, const CProgramOptions& options, const Budget& budget) {
  out << c_program(subject, options, budget).program;
}

void write_c_program(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  write_c_program(out, subject, CProgramOptions{}, budget);
}

}  // namespace sfg
