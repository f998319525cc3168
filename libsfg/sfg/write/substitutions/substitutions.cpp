#include "sfg/write/substitutions/substitutions.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <ostream>

#include "sfg/expr/functions.hpp"
#include "sfg/expr/print.hpp"
#include "sfg/text/legal_names.hpp"
#include "sfg/write/substitutions/substitution_text.hpp"

namespace sfg {

namespace {

using GiNaC::ex;

class Writer {
 public:
  Writer(std::ostream& out, const SubstitutionList& list, SubstitutionForm form)
      : out_(out), list_(list), indexed_(form == SubstitutionForm::indexed), mark_(indexed_ ? "% " : "# ") {
    std::set<std::string> reserved(function_names().begin(), function_names().end());
    reserved.insert({"pi", "t"});
    for (const auto& substitution : list.substitutions) reserved.insert(name_of(substitution.symbol));
    LegalNames legal(std::move(reserved));
    for (const auto* symbols : {&list.constants, &list.states, &list.inputs})
      for (const ex& symbol : *symbols) legal_[name_of(symbol)] = legal(name_of(symbol));
    renamed_ = legal.renamed();
    texts_ = legal_;
    if (!indexed_) return;
    for (const auto& [array, symbols] : {std::pair{"kon", &list.constants}, {"X", &list.states}, {"u", &list.inputs}})
      for (std::size_t i = 0; i < symbols->size(); ++i) texts_[name_of((*symbols)[i])] = element(array, i + 1);
    for (const auto& substitution : list.substitutions)
      texts_[name_of(substitution.symbol)] = element("sub", substitution.number);
  }

  void operator()(const std::vector<std::string>& header) {
    head(header);
    for (const auto& substitution : list_.substitutions) line(texts(substitution.symbol), substitution.value);
    for (const auto& array : list_.results)
      for (const auto& entry : array.entries) line(array.name + indices(entry.at), entry.value);
  }

 private:
  static std::string indices(const std::vector<std::size_t>& at) {
    std::string text;
    for (const std::size_t index : at) text += (text.empty() ? "(" : ",") + std::to_string(index);
    return text + ")";
  }
  static std::string element(const std::string& array, std::size_t i) { return array + "(" + std::to_string(i) + ")"; }
  std::string texts(const ex& e) const { return text_with(e, Notation::text, texts_); }
  void line(const std::string& left, const ex& value) { out_ << left << '=' << texts(value) << ";\n"; }

  void head(const std::vector<std::string>& header) {
    out_ << mark_
         << (indexed_ ? "format 2: indexed substitutions; arrays sub, kon, X are 1-based\n" : "format 1: named substitutions\n");
    for (const std::string& line : header) out_ << mark_ << one_line(line) << '\n';
    if (!list_.title.empty()) out_ << mark_ << "title: " << one_line(list_.title) << '\n';
    for (const auto& array : list_.results)
      out_ << mark_ << array.name << indices(array.size) << (array.text.empty() ? ":" : ": " + one_line(array.text)) << '\n';
    for (const auto& [from, to] : renamed_) out_ << mark_ << from << " -> " << to << '\n';
    if (indexed_)
      map();
    else
      names();
    for (const ex& constant : list_.constants)
      if (const Symbol* symbol = list_.symbols.find(name_of(constant)); symbol != nullptr && symbol->value) value(*symbol);
  }

  void value(const Symbol& symbol) {
    const auto found = values_.find(symbol.expr);
    if (found == values_.end() || !GiNaC::is_a<GiNaC::numeric>(found->second)) return;
    out_ << mark_ << "value " << legal_.at(symbol.name) << '=' << text_with(found->second, Notation::text, {}) << '\n';
  }

  void map() {
    for (const auto& [array, symbols] : {std::pair{"kon", &list_.constants}, {"X", &list_.states}, {"u", &list_.inputs}})
      for (std::size_t i = 0; i < symbols->size(); ++i)
        out_ << mark_ << element(array, i + 1) << '=' << legal_.at(name_of((*symbols)[i])) << '\n';
  }

  void names() {
    for (const auto& [word, symbols] :
         {std::pair{"states", &list_.states}, {"inputs", &list_.inputs}, {"constants", &list_.constants}}) {
      if (symbols->empty()) continue;
      out_ << mark_ << word << ':';
      for (const ex& symbol : *symbols) out_ << ' ' << legal_.at(name_of(symbol));
      out_ << '\n';
    }
  }

  static std::string one_line(std::string text) {
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
  }

  std::ostream& out_;
  const SubstitutionList& list_;
  GiNaC::exmap values_ = list_.symbols.values();
  bool indexed_;
  std::string mark_;
  std::map<std::string, std::string> legal_, texts_;  // by name
  std::vector<std::pair<std::string, std::string>> renamed_;
};

}  // namespace

void write_substitutions(std::ostream& out, const SubstitutionList& list, SubstitutionForm form,
                         const std::vector<std::string>& header) {
  Writer(out, list, form)(header);
}

}  // namespace sfg
