// Closed forms in exact numbers, whatever their gains are: dead times and roots are functions there. The forms are quoted, so
// that they keep their letters where these have values.

#include "sfg/export/targets.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <set>

#include "sfg/error.hpp"
#include "sfg/export/export_header.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/inexpressible.hpp"
#include "sfg/export/scripts/maxima_words.hpp"
#include "sfg/export/scripts/script_content.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/transfer/transfer.hpp"

namespace sfg {

namespace {

std::set<std::string> taken_words(std::size_t transfers) {
  std::set<std::string> words = words_in(maxima_words);
  words.merge(words_in("frequencies at_frequency spectrum value point unit_step_from_0"));
  return numbered(std::move(words), {"transfer_"}, transfers);
}

std::string maxima_string(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return result + "\"";
}

/// Functions of the grammar whose names mean something else to Maxima.
std::string in_maxima_functions(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> other{
      {{"sign(", "signum("}, {"step(", "unit_step_from_0("}}};
  for (const auto& [name, now] : other)
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + now.size()))
      if (at == 0 || (std::isalnum(static_cast<unsigned char>(text[at - 1])) == 0 && text[at - 1] != '_'))
        text.replace(at, name.size(), now);
  return text;
}

class MaximaProgram {
 public:
  MaximaProgram(std::ostream& out, const ExportSubject& subject, const Budget& budget)
      : out_(out),
        subject_(subject),
        parameters_(valued_parameters(subject.graph)),
        legal_(taken_words(subject.questions.size())) {
    refuse_laws(subject);
    const SignalFlowGraph& graph = subject.graph;
    GiNaC::exmap names{{GiNaC::Pi, GiNaC::symbol("%pi")}};
    if (graph.op.kind() != Operator::Kind::none) {
      operator_ = legal_(graph.op.symbol());
      names[graph.op.in(graph.symbols)] = GiNaC::symbol(operator_);
    }
    for (const ExportedParameter& parameter : parameters_) {
      names_.push_back(legal_(parameter.name));
      names[parameter.symbol] = GiNaC::symbol(names_.back());
    }
    letters_ = std::move(names);
    constexpr std::uint64_t most_terms = 20'000;
    transfers_ = transfer_functions(graph, subject.questions, {.budget = budget.with_terms(most_terms)});
  }

  void write() {
    const ExportHeader header{.what = "transfer functions for Maxima, exact; run: maxima --very-quiet -b FILE",
                              .verified = "verified: every closed form by " + transfers_.front().verification.method,
                              .renamed = legal_.renamed()};
    out_ << "/*\n";
    for (const std::string& line : header_lines(subject_, parameters_, header)) out_ << "   " << block_comment_text(line) << '\n';
    out_ << "*/\ndisplay2d: false$\n";
    if (uses_step()) out_ << "unit_step_from_0(x) := if x >= 0 then 1 else 0$\n";
    parameters();
    transfers();
    frequencies();
  }

 private:
  std::string text(const GiNaC::ex& expression, std::string_view main = {}) const {
    const std::string printed = print(expression.subs(letters_), Notation::text, main);
    if (printed.find("lookup(") != std::string::npos)
      throw NoAnswer("a gain has a table, which the target maxima does not know", "the targets octave, python and c do", {});
    return in_maxima_functions(printed);
  }

  bool uses_step() const {
    const auto has = [](const GiNaC::ex& e) { return print(e).find("step(") != std::string::npos; };
    return std::ranges::any_of(transfers_, [&](const TransferFunction& T) { return has(T.value.expression()); }) ||
           std::ranges::any_of(parameters_, [&](const ExportedParameter& p) { return has(p.stated); });
  }

  void parameters() {
    if (!parameters_.empty()) out_ << "\n/* parameters */\n";
    for (const ExportedParameter& parameter : by_dependence(parameters_)) {
      const auto place = std::ranges::find(parameters_, parameter.name, &ExportedParameter::name) - parameters_.begin();
      out_ << names_[static_cast<std::size_t>(place)] << ": " << text(parameter.stated) << '$';
      const std::string unit = block_comment_text(parameter.unit);
      out_ << (unit.empty() ? "" : "  /* " + unit + " */") << '\n';
    }
  }

  void transfers() {
    out_ << "\n/* transfer functions with their letters; ev(transfer_0) has the values */\n";
    for (std::size_t k = 0; k < transfers_.size(); ++k)
      out_ << "/* " << block_comment_text(label(k)) << " */\ntransfer_" << k << ": '(" << form(transfers_[k]) << ")$\n";
  }

  std::string form(const TransferFunction& T) const {
    const PolynomialSpace& space = T.value.space();
    return quotient_text(text(space.expression(T.value.numerator()), operator_),
                         text(space.expression(T.value.denominator()), operator_));
  }

  std::string label(std::size_t k) const { return export_label(subject_, subject_.questions[k]); }

  /// In 32 digits, so that no difference of large numbers shows.
  void frequencies() {
    const bool sampled = subject_.graph.op.discrete();
    const std::string at =
        sampled ? "exp(%i*bfloat(point)*bfloat(" + print(subject_.graph.op.period().to_double()) + "))" : "%i*bfloat(point)";
    out_ << "\n/* the file's own tables: frequency responses */\nfpprec: 32$\nfrequencies: [";
    for (std::size_t k = 0; k < subject_.frequencies.size(); ++k)
      out_ << (k == 0 ? "" : k % 8 == 0 ? ",\n  " : ", ") << print(subject_.frequencies[k]);
    out_ << "]$\nat_frequency(spectrum, point) := block([value: "
         << (operator_.empty() ? "spectrum" : "subst(rectform(" + at + "), '" + operator_ + ", spectrum)")
         << "],\n  value: rectform(bfloat(value)),\n"
            "  print(point, float(realpart(value)), float(imagpart(value))))$\n";
    for (std::size_t k = 0; k < transfers_.size(); ++k)
      out_ << "print(" << maxima_string("# frequency " + label(k)) << ")$\nfor point in frequencies do at_frequency(ev(transfer_"
           << k << "), point)$\n";
  }

  std::ostream& out_;
  const ExportSubject& subject_;
  std::vector<ExportedParameter> parameters_;
  LegalNames legal_;
  std::string operator_;
  std::vector<std::string> names_;
  GiNaC::exmap letters_;
  std::vector<TransferFunction> transfers_;
};

}  // namespace

void write_maxima_program(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  MaximaProgram(out, subject, budget).write();
}

}  // namespace sfg
