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

class OctaveWriter {
 public:
  OctaveWriter(std::ostream& out, const List& list, const SubstitutionCode& code) : out_(out), list_(list), code_(code) {
    LegalNames legal(keywords());
    for (const ex& constant : list.constants) {
      members_.push_back(legal(name_of(constant)));
      put(constant, "p." + members_.back());
    }
    for (const auto& [from, to] : legal.renamed()) renamed_.push_back(from + " -> " + to);
    for (std::size_t i = 0; i < list.states.size(); ++i) put(list.states[i], fmt::format("x({})", i + 1));
    for (std::size_t i = 0; i < list.inputs.size(); ++i) put(list.inputs[i], fmt::format("u({})", i + 1));
    for (const auto& s : list.substitutions) put(s.symbol, fmt::format("sub({})", s.number));
    if (list.time) put(*list.time, "t");
  }

  void operator()() {
    std::vector<std::string> names;
    for (const auto& array : list_.results) names.push_back(array.name);
    const std::string& first = names.front();
    out_ << fmt::format("function [{}]={}(x,u,t,p)\n", fmt::join(names, ","), code_.name);
    head();
    out_ << "  if ischar(x)\n    if strcmp(x,'check')\n      " << first << "=self_check();\n    else\n      " << first
         << "=parameters();\n    end\n    return\n  end\n";
    out_ << "  if nargin<4\n    p=parameters();\n  end\n";
    if (!list_.substitutions.empty()) out_ << "  sub=zeros(" << list_.substitutions.back().number << ",1);\n";
    for (const auto& s : list_.substitutions) out_ << "  sub(" << s.number << ")=" << text(s.value) << ";\n";
    for (const auto& array : list_.results) {
      out_ << "  " << array.name << "=zeros(" << array.size[0] << ',' << (array.size.size() > 1 ? array.size[1] : 1) << ");\n";
      for (const auto& entry : array.entries)
        out_ << "  " << array.name << '(' << fmt::format("{}", fmt::join(entry.at, ",")) << ")=" << text(entry.value) << ";\n";
    }
    out_ << "end\n";
    parameters();
    check(names);
  }

 private:
  void put(const ex& symbol, const std::string& text) { texts_[print_name(name_of(symbol), Notation::octave)] = text; }
  std::string text(const ex& e) const { return text_with(e, Notation::octave, texts_); }
  void comment(std::string line) {
    for (char& c : line)
      if (c == '\n' || c == '\r') c = ' ';
    out_ << "% " << line << '\n';
  }

  void listed(const char* what, const std::string& array, const std::vector<ex>& symbols) {
    for (std::size_t i = 0; i < symbols.size(); ++i)
      comment(fmt::format("{} {}({}) {}", what, array, i + 1, name_of(symbols[i])));
  }

  void head() {
    comment(list_.title.empty() ? code_.name : list_.title);
    for (const std::string& line : code_.header) comment(line);
    listed("state", "x", list_.states);
    listed("input", "u", list_.inputs);
    for (const auto& array : list_.results) comment(array.name + ": " + array.text);
    for (const std::string& line : renamed_) comment(line);
    comment(fmt::format("p={}('parameters') has the values of the model; {}('check') compares with values of another evaluation",
                        code_.name, code_.name));
  }

  void parameters() {
    const auto values = list_.values();
    out_ << "\nfunction p=parameters()\n  p=struct();\n";
    for (std::size_t i = 0; i < members_.size(); ++i)
      out_ << "  p." << members_[i] << '=' << (values[i] ? print(*values[i]) : "NaN") << ";\n";
    out_ << "end\n";
  }

  static std::string row(const std::vector<double>& values) {
    std::vector<std::string> texts;
    for (const double value : values) texts.push_back(print(value));
    return fmt::format("[{}]", fmt::join(texts, ","));
  }

  void check(const std::vector<std::string>& names) {
    out_ << "\nfunction wrong=self_check()\n";
    if (code_.expected.empty()) {
      out_ << "  wrong=0;\nend\n";
      return;
    }
    out_ << "  p=struct();\n";
    for (std::size_t i = 0; i < members_.size(); ++i)
      out_ << "  p." << members_[i] << '=' << print(code_.point.constants[i]) << ";\n";
    out_ << fmt::format("  [{}]={}({},{},{},p);\n", fmt::join(names, ","), code_.name, row(code_.point.states),
                        row(code_.point.inputs), print(code_.point.time));
    std::string all;
    for (const auto& array : list_.results)  // row by row
      all += fmt::format("{}reshape({}{},[],1)", all.empty() ? "" : ";", array.name, array.size.size() > 1 ? ".'" : "");
    out_ << "  got=[" << all << "];\n  expected=" << row(code_.expected) << ".';\n";
    out_ << "  fprintf('%.17g\\n',got);\n  wrong=double(any(~(abs(got-expected)<=1e-9*(1+abs(expected)))));\n"
         << "  if wrong\n    fprintf('# results differ\\n');\n  else\n    fprintf('# verified\\n');\n  end\nend\n";
  }

  std::ostream& out_;
  const List& list_;
  const SubstitutionCode& code_;
  std::vector<std::string> members_, renamed_;
  std::map<std::string, std::string> texts_;
};

}  // namespace

void write_octave(std::ostream& out, const SubstitutionList& list, const SubstitutionCode& code) {
  const SubstitutionList legal = with_legal_results(
      list, {"p",       "x",      "u",      "t",      "sub", "got", "expected", "wrong",   "parameters", "self_check", "zeros",
             "reshape", "nargin", "ischar", "strcmp", "abs", "any", "double",   "fprintf", "struct",     code.name});
  OctaveWriter(out, legal, code)();
}

}  // namespace sfg
