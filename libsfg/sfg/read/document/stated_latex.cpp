#include "sfg/read/document/stated_latex.hpp"

#include <algorithm>

#include "sfg/graph/graph_names.hpp"

namespace sfg {

namespace {

class LatexReading {
 public:
  LatexReading(const DocumentReader& reader, const std::vector<std::string>& known) : reader_(reader), known_(known) {}

  std::string list() {
    const Value& root = reader_.document().root();
    for (const Value::Entry& entry : root.entries) {
      if (entry.key != "latex")
        look_into(entry.value, &entry);
      else if (reader_.is_table(entry.value, "latex"))
        for (const Value::Entry& stated : entry.value.entries) state(stated.key, stated.begin, stated.end, stated.value);
    }
    return names_.stated();
  }

 private:
  void look_into(const Value& value, const Value::Entry* called) {
    for (const Value& item : value.items) look_into(item, nullptr);
    for (const Value::Entry& entry : value.entries)
      if (entry.key != "attributes") look_into(entry.value, &entry);
    const Value* latex = value.kind == Value::Kind::table ? reader_.find(&value, "latex") : nullptr;
    if (latex == nullptr || latex->kind != Value::Kind::string) return;
    if (const Value* name = reader_.find(&value, "name"); name && name->kind == Value::Kind::string)
      state(reader_.document().text(*name).text, name->begin, name->end, *latex);
    else if (called != nullptr)
      state(called->key, called->begin, called->end, *latex);
    else
      reader_.error(*latex, "latex of something without a name", "write { name = \"x\", latex = \"…\" }");
  }

  void state(const std::string& name, std::size_t begin, std::size_t end, const Value& latex) {
    const SourceText& source = reader_.source();
    if (std::ranges::find(known_, name) == known_.end())
      return reader_.problems().error(source.at(begin, end - begin),
                                      "latex of " + in_quotes(name) + ", which is no name of the model",
                                      suggestion(name, known_));
    const auto text = reader_.string(latex, "latex of " + in_quotes(name));
    if (!text) return;
    try {
      names_.set(name, name_from_latex(text->text));
    } catch (const NameLatexError& error) {
      reader_.problems().add(wrong_latex(error, source.at(text->source_of(std::min(error.at, text->text.size())))));
    }
  }

  const DocumentReader& reader_;
  const std::vector<std::string>& known_;
  NameTable names_;
};

}  // namespace

std::string stated_latex(const DocumentReader& reader, const std::vector<std::string>& known) {
  return LatexReading(reader, known).list();
}

}  // namespace sfg
