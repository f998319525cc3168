#include <fmt/format.h>
#include <ginac/ginac.h>

#include <ostream>

#include "sfg/text/legal_names.hpp"
#include "sfg/write/substitutions/substitution_text.hpp"
#include "sfg/write/substitutions/substitutions.hpp"

namespace sfg {

namespace {

using GiNaC::ex;
using List = SubstitutionList;

std::size_t count_of(const List::Array& array) {
  std::size_t count = 1;
  for (const std::size_t size : array.size) count *= size;
  return count;
}

std::size_t offset_of(const List::Array& array, const List::Entry& entry) {
  return entry.at.size() == 1 ? entry.at[0] - 1 : (entry.at[0] - 1) * array.size[1] + entry.at[1] - 1;
}

class CWriter {
 public:
  CWriter(std::ostream& out, const List& list, const SubstitutionCode& code)
      : out_(out), list_(list), code_(code), n_(code.name) {
    LegalNames legal(keywords());
    for (const ex& constant : list.constants) {
      members_.push_back(legal(name_of(constant)));
      put(constant, "p->" + members_.back());
    }
    for (const auto& [from, to] : legal.renamed()) renamed_.push_back(from + " -> " + to);
    for (std::size_t i = 0; i < list.states.size(); ++i) put(list.states[i], fmt::format("x[{}]", i));
    for (std::size_t i = 0; i < list.inputs.size(); ++i) put(list.inputs[i], fmt::format("u[{}]", i));
    for (const auto& s : list.substitutions) put(s.symbol, fmt::format("sub[{}]", s.number));
    if (list.time) put(*list.time, "t");
  }

  void operator()() {
    head();
    parameters();
    names("_parameter_count", "_parameters", list_.constants);
    names("_states", "_state_names", list_.states);
    names("_inputs", "_input_names", list_.inputs);
    for (const auto& array : list_.results) function({&array}, array.name);
    std::vector<const List::Array*> all;
    for (const auto& array : list_.results) all.push_back(&array);
    function(all, "all");
    out_ << "\n#ifdef __cplusplus\n}\n#endif\n";
    check();
  }

 private:
  void put(const ex& symbol, const std::string& text) { texts_[print_name(name_of(symbol), Notation::c)] = text; }
  std::string text(const ex& e) const { return text_with(e, Notation::c, texts_); }

  /// Text from anywhere: it cannot end the comment.
  static std::string safe(std::string line) {
    for (std::size_t at = line.find_first_of("*\\\n\r?"); at != std::string::npos; at = line.find_first_of("*\\\n\r?", at + 1))
      line[at] = line[at] == '*' ? 'x' : ' ';
    return line;
  }
  void comment(const std::string& line) { out_ << " * " << safe(line) << '\n'; }

  void listed(const char* what, const std::string& array, const std::vector<ex>& symbols) {
    if (symbols.empty()) return;
    std::string line = fmt::format("{}: ", what);
    for (std::size_t i = 0; i < symbols.size(); ++i)
      line += fmt::format("{}{}[{}] {}", i == 0 ? "" : ", ", array, i, name_of(symbols[i]));
    comment(line);
  }

  void head() {
    out_ << "/*\n";
    comment(list_.title.empty() ? code_.name : list_.title);
    for (const std::string& line : code_.header) comment(line);
    listed("states", "x", list_.states);
    listed("inputs", "u", list_.inputs);
    for (const auto& array : list_.results) comment(array.name + ": " + array.text);
    for (const std::string& line : renamed_) comment(line);
    out_ << " */\n#include <math.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  }

  void parameters() {
    const std::vector<std::optional<double>> values = list_.values();
    out_ << "typedef struct " << n_ << "_model {\n";
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const Symbol* symbol = list_.symbols.find(name_of(list_.constants[i]));
      std::string about = symbol == nullptr ? "" : symbol->unit;
      if (symbol != nullptr && !symbol->text.empty()) about += (about.empty() ? "" : ", ") + symbol->text;
      out_ << "  double " << members_[i] << ';' << (about.empty() ? "" : " /* " + safe(about) + " */") << '\n';
    }
    if (members_.empty()) out_ << "  double none;\n";
    out_ << "} " << n_ << "_model;\n\n";
    out_ << "extern const " << n_ << "_model " << n_ << "_defaults;\n";
    out_ << "const " << n_ << "_model " << n_ << "_defaults = {";
    for (std::size_t i = 0; i < values.size(); ++i)
      out_ << (i == 0 ? "\n" : ",\n") << "  " << (values[i] ? print(*values[i]) : "NAN /* no value is stated */");
    if (values.empty()) out_ << "\n  0.0";
    out_ << "\n};\n";
  }

  /// How many there are, and what they are called.
  void names(const std::string& count, const std::string& table, const std::vector<ex>& symbols) {
    out_ << "\nextern const int " << n_ << count << ";\nconst int " << n_ << count << " = " << symbols.size() << ";\n";
    if (symbols.empty()) return;
    const std::string declared = "const char *const " + n_ + table + "[]";
    out_ << "extern " << declared << ";\n" << declared << " = {";
    for (std::size_t i = 0; i < symbols.size(); ++i) out_ << (i == 0 ? "" : ", ") << '"' << name_of(symbols[i]) << '"';
    out_ << "};\n";
  }

  static std::string signature(const std::string& n, const std::vector<const List::Array*>& arrays, const std::string& name) {
    std::string text = fmt::format("void {}_{}(const {}_model *p, const double x[], const double u[], double t", n, name, n);
    for (const auto* array : arrays) text += ", double " + array->name + "[]";
    return text + ")";
  }

  void function(const std::vector<const List::Array*>& arrays, const std::string& name) {
    std::vector<ex> values;
    for (const auto* array : arrays)
      for (const auto& entry : array->entries) values.push_back(entry.value);
    const auto needed_here = needed(list_.substitutions, values);
    out_ << '\n' << signature(n_, arrays, name) << ";\n" << signature(n_, arrays, name) << " {\n";
    if (!needed_here.empty()) out_ << "  double sub[" << needed_here.back().number + 1 << "];\n";
    out_ << "  (void)p;\n  (void)x;\n  (void)u;\n  (void)t;\n";
    for (const auto& s : needed_here) out_ << "  sub[" << s.number << "] = " << text(s.value) << ";\n";
    for (const auto* array : arrays) {
      std::vector<std::string> entries(count_of(*array), "0.0");
      for (const auto& entry : array->entries) entries[offset_of(*array, entry)] = text(entry.value);
      for (std::size_t i = 0; i < entries.size(); ++i) out_ << "  " << array->name << '[' << i << "] = " << entries[i] << ";\n";
    }
    out_ << "}\n";
  }

  void numbers(const char* name, const std::vector<double>& values) {
    out_ << "  static const double " << name << "[] = {";
    for (std::size_t i = 0; i < values.size(); ++i) out_ << (i == 0 ? "" : ", ") << print(values[i]);
    out_ << (values.empty() ? "0.0};\n" : "};\n");
  }

  void check() {
    if (code_.expected.empty()) return;
    out_ << "\n#ifdef SFG_MAIN\n#include <stdio.h>\n\nint main(void) {\n";
    numbers("x", code_.point.states);
    numbers("u", code_.point.inputs);
    numbers("expected", code_.expected);
    out_ << "  " << n_ << "_model p = " << n_ << "_defaults;\n";
    out_ << "  double got[" << code_.expected.size() << "];\n  int wrong = 0;\n  int i;\n";
    for (std::size_t i = 0; i < members_.size(); ++i)
      out_ << "  p." << members_[i] << " = " << print(code_.point.constants[i]) << ";\n";
    out_ << "  " << n_ << "_all(&p, x, u, " << print(code_.point.time);
    std::size_t offset = 0;
    for (const auto& array : list_.results) {
      out_ << ", got + " << offset;
      offset += count_of(array);
    }
    out_ << ");\n";
    out_ << "  for (i = 0; i < " << code_.expected.size() << "; ++i) {\n"
         << "    printf(\"%.17g\\n\", got[i]);\n"
         << "    if (!(fabs(got[i] - expected[i]) <= 1e-9 * (1.0 + fabs(expected[i])))) wrong = 1;\n  }\n"
         << "  puts(wrong ? \"# results differ\" : \"# verified\");\n  return wrong;\n}\n#endif\n";
  }

  std::ostream& out_;
  const List& list_;
  const SubstitutionCode& code_;
  std::string n_;
  std::vector<std::string> members_, renamed_;
  std::map<std::string, std::string> texts_;
};

}  // namespace

void write_c(std::ostream& out, const SubstitutionList& list, const SubstitutionCode& code) {
  const SubstitutionList legal = with_legal_results(list, {"p", "x", "u", "t", "sub", "all"});
  CWriter(out, legal, code)();
}

}  // namespace sfg
