#include "sfg/export/scripts/matrix_program.hpp"

#include <algorithm>
#include <cstring>

#include "sfg/export/export_header.hpp"

namespace sfg {

MatrixProgram::MatrixProgram(std::ostream& out, const ExportSubject& subject, const MatrixLanguage& language,
                             const Budget& budget)
    : out_(out),
      subject_(subject),
      language_(language),
      content_(script_content(
          subject, numbered(words_in(language.words), {"transfer_", "numerator_", "denominator_", "delay_", "table_"}, 1000),
          budget)) {}

void MatrixProgram::write() {
  header();
  parameters_and_tables();
  if (content_.motion) {
    motion();
    if (sampled()) out_ << "\nsample_time = " << sample_time() << ";\n";
    out_ << "start = " << column(code_numbers(content_.motion->start)) << ";\n\n"
         << language_.comment << "the file's own table\n"
         << times() << "labels = " << language_.texts[0] << texts(content_.motion->outputs) << language_.texts[1] << ";\n";
    run();
    return;
  }
  transfers();
  state_space();
  labels();
  steps_and_frequencies();
}

void MatrixProgram::write_header(const std::string& what) {
  const ExportHeader header{.what = what, .verified = content_.verified, .renamed = content_.renamed};
  for (const std::string& line : header_lines(subject_, content_.parameters, header)) out_ << language_.comment << line << '\n';
}

CodeSyntax MatrixProgram::syntax() const {
  return {.number = code_number,
          .power =
              [](const std::string& base, int n) {
                return CodeText{base + "^" + std::to_string(n), Binding::power};
              },
          .function =
              [&language = language_](numeric::Operation operation, const std::string& left, const std::string& right) {
                using numeric::Operation;
                const auto call = [&](const std::string& function, const std::string& second) {
                  return CodeText{function + "(" + left + second + ")"};
                };
                switch (operation) {
                  case Operation::power: return CodeText{"(" + left + ")^(" + right + ")", Binding::power};
                  case Operation::atan2: return call(language.arctangent, ", " + right);
                  case Operation::min:
                  case Operation::max: return call(std::string(name(operation)), ", " + right);
                  case Operation::step: return call(language.truth, " >= 0");
                  case Operation::lookup: return CodeText{language.lookup + ("(table_" + right) + ", " + left + ")"};
                  default: return call(std::string(name(operation)), "");
                }
              }};
}

std::string MatrixProgram::list(const std::vector<std::string>& texts, const std::string& indent) const {
  return listed(texts, language_.continued + indent);
}

std::string MatrixProgram::text(const std::string& of) const {
  const auto& [open, between, close, code] = language_.joined;
  std::vector<std::string> parts;
  bool within = false, plain = true;
  for (const char c : of) {
    const bool control = static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
    if (control) {
      parts.push_back(code + ("(" + std::to_string(static_cast<int>(c))) + ")");
    } else {
      if (!within) parts.emplace_back(1, language_.quote);
      parts.back().append(std::strchr(language_.doubled, c) != nullptr ? 2 : 1, c);
    }
    if (within && control) parts[parts.size() - 2] += language_.quote;
    within = !control;
    plain = plain && !control;
  }
  if (parts.empty()) return std::string(2, language_.quote);
  if (within) parts.back() += language_.quote;
  std::string whole = plain ? "" : open;
  for (const std::string& part : parts) whole += (&part == &parts.front() ? "" : between) + part;
  return whole + (plain ? "" : close);
}

std::string MatrixProgram::texts(const std::vector<std::string>& of) const {
  std::vector<std::string> values;
  for (const std::string& one : of) values.push_back(text(one));
  return list(values);
}

std::string MatrixProgram::column(const std::vector<std::string>& texts) const {
  if (texts.empty()) return language_.sized_empty ? "zeros(0, 1)" : "[]";
  std::string rows;
  for (const std::string& text : texts) rows += (rows.empty() ? "" : std::string(";") + language_.continued + "    ") + text;
  return "[" + rows + "]";
}

void MatrixProgram::parameters() {
  if (!content_.parameters.empty()) out_ << '\n' << language_.comment << "parameters\n";
  for (const ParameterLine& line : parameter_lines(content_, syntax()))
    out_ << line.name << " = " << line.formula << ";"
         << (line.comment.empty() ? "" : std::string("  ") + language_.comment + line.comment) << '\n';
}

void MatrixProgram::assign(const std::vector<std::pair<std::string, std::string>>& assignments, const char* indent) {
  for (const auto& [name, formula] : assignments) out_ << indent << name << " = " << formula << ";\n";
}

std::string MatrixProgram::sample_time() const { return code_number(subject_.graph.op.period().to_double()); }

bool MatrixProgram::delayed() const { return std::ranges::any_of(content_.transfers, &ExportedTransfer::delayed); }

std::string MatrixProgram::times() const {
  const std::size_t count = subject_.times.size();
  if (sampled()) return "times = (0:" + std::to_string(count - 1) + ")*sample_time;\n";
  return "times = linspace(0, " + code_number(subject_.times.back()) + ", " + std::to_string(count) + ");\n";
}

void MatrixProgram::transfers() {
  out_ << '\n' << language_.comment << "transfer functions: coefficients, highest power first\n";
  if (sampled()) out_ << "sample_time = " << sample_time() << ";\n";
  for (std::size_t k = 0; k < content_.transfers.size(); ++k) {
    const ExportedTransfer& T = content_.transfers[k];
    const CodeLines code = code_lines(T.coefficients, content_.names, syntax(), content_.intermediate);
    const std::string K = std::to_string(k);
    out_ << language_.comment << comment_text(T.label()) << '\n';
    assign(code.assignments);
    const auto from = code.outputs.begin();
    const auto middle = from + static_cast<std::ptrdiff_t>(T.numerator), to = middle + static_cast<std::ptrdiff_t>(T.denominator);
    out_ << "numerator_" << K << " = [" << list({from, middle}) << "];\n"
         << "denominator_" << K << " = [" << list({middle, to}) << "];\n";
    transfer_function(K, T, T.delayed ? code.outputs.back() : std::string());
  }
}

void MatrixProgram::named(const std::string& what, const std::vector<std::string>& names) {
  out_ << what;
  for (const std::string& name : names) out_ << ' ' << comment_text(name);
}

void MatrixProgram::matrix(const std::string& name, const std::vector<std::string>& entries, std::size_t& from, std::size_t rows,
                           std::size_t columns) {
  out_ << name << " = ";
  if (rows == 0 || columns == 0) {
    out_ << (language_.sized_empty ? "zeros(" + std::to_string(rows) + ", " + std::to_string(columns) + ")" : "[]") << ";\n";
    return;
  }
  out_ << '[';
  for (std::size_t i = 0; i < rows; ++i, from += columns) {
    const auto row = entries.begin() + static_cast<std::ptrdiff_t>(from);
    out_ << (i == 0 ? "" : std::string(";") + language_.continued + "  ")
         << list({row, row + static_cast<std::ptrdiff_t>(columns)}, language_.row_indent);
  }
  out_ << "];\n";
}

void MatrixProgram::state_space() {
  const ExportedStates& space = *content_.states;
  const std::size_t n = space.states.size(), m = space.inputs.size(), p = space.outputs.size();
  out_ << '\n' << language_.comment << "state space of all of them" << (delayed() ? ", without the dead times" : "");
  if (!names_ports()) {
    named("; inputs:", space.inputs);
    named("; outputs:", space.outputs);
  }
  named("; states:", space.states);
  out_ << '\n';
  for (const std::string& label : space.improper)
    out_ << language_.comment << "not in it, since it is improper: " << comment_text(label) << '\n';
  const CodeLines code = code_lines(space.entries, content_.names, syntax(), content_.intermediate);
  assign(code.assignments);
  std::size_t from = 0;
  matrix("matrix_A", code.outputs, from, n, n);
  matrix("matrix_B", code.outputs, from, n, m);
  matrix("matrix_C", code.outputs, from, p, n);
  matrix("matrix_D", code.outputs, from, p, m);
  state_space_object(space);
}

/// What the loop over the transfer functions takes.
void MatrixProgram::labels() {
  const ExportedStates& space = *content_.states;
  std::vector<std::string> labels, reasons, delays, numerators, denominators;
  std::string places;
  for (std::size_t k = 0; k < content_.transfers.size(); ++k) {
    const ExportedTransfer& T = content_.transfers[k];
    labels.push_back(T.label());
    reasons.push_back(without_step(content_, T));
    places += (k == 0 ? "" : language_.next_place) + std::to_string(place_of(T.output, space.outputs) + 1) + ", " +
              std::to_string(place_of(T.input, space.inputs) + 1);
    delays.push_back(T.delayed ? "delay_" + std::to_string(k) : "0");
    numerators.push_back("numerator_" + std::to_string(k));
    denominators.push_back("denominator_" + std::to_string(k));
  }
  const auto& [open, close] = language_.texts;
  const auto& [begin, end] = language_.lists;
  out_ << '\n'
       << language_.comment << "the file's own tables: step and frequency responses\n"
       << times() << "frequencies = [" << list(code_numbers(subject_.frequencies)) << "];\nlabels = " << open << texts(labels)
       << close << ";\nreasons = " << open << texts(reasons) << close << ";  " << language_.comment
       << "of those without a step response\nplaces = [" << places << "];  " << language_.comment
       << "output and input\ndelays = [" << list(delays) << "];\nnumerators = " << begin << list(numerators) << end
       << ";\ndenominators = " << begin << list(denominators) << end << ";\n";
}

void MatrixProgram::motion() {
  const ExportedMotion& motion = *content_.motion;
  const auto number = [](const char* of) { return [of](std::size_t k) { return of + ("(" + std::to_string(k + 1) + ")"); }; };
  const MotionCode code = motion_code(content_, syntax(), number("state"), number("drive"));
  out_ << '\n'
       << language_.comment << "motion: the " << (sampled() ? "states one sample on" : "rates of the states")
       << ", and the outputs\n";
  for (const auto& [what, names] :
       {std::pair("states:", &motion.states), std::pair("drives:", &motion.inputs), std::pair("outputs:", &motion.outputs)}) {
    named(language_.comment + std::string(what), *names);
    out_ << '\n';
  }
  out_ << "function [rates, outputs] = motion(time, state, drive" << further_arguments() << ")\n";
  assign(code.intermediate, "  ");
  out_ << "  rates = " << column(code.rates) << ";\n  outputs = " << column(code.outputs) << ";\n"
       << language_.end_function << '\n'
       << language_.comment << "what drives it\nfunction drive = drives(time" << further_arguments() << ")\n";
  assign(code.before_drives, "  ");
  out_ << "  drive = " << column(code.drives) << ";\n" << language_.end_function << '\n';
  further_functions();
}

}  // namespace sfg
