#include "sfg/read/restated.hpp"

#include <ginac/ginac.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "sfg/expr/parse.hpp"
#include "sfg/read/document/document.hpp"

namespace sfg {

namespace {

/// Bytes from begin to end become `text`.
struct Replacement {
  std::size_t begin = 0, end = 0;
  std::string text;
};

const SymbolTable& symbols_of(const Input& input) {
  if (const auto* graph = std::get_if<SignalFlowGraph>(&input.content)) return graph->symbols;
  return std::visit([](const auto& model) -> const SymbolTable& { return model.symbols; }, std::get<Model>(input.content));
}

[[noreturn]] void not_here(const std::string& name, const SourceSpan& where) {
  throw Error(where,
              "the value of the parameter '" + name + "' is not stated in this file, so that no other can be written there",
              "state a value for it");
}

const Value* entry(const Value& table, std::string_view key) {
  const auto found = std::ranges::find(table.entries, key, &Value::Entry::key);
  return table.kind == Value::Kind::table && found != table.entries.end() ? &found->value : nullptr;
}

bool is_plain_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) &&
         std::isdigit(static_cast<unsigned char>(text.back())) &&
         text.find_first_not_of("0123456789.eE+-") == std::string_view::npos &&
         !(text.size() > 1 && text[0] == '0' && text[1] != '.');
}

/// In TOML and JSON: the value of the entry, or that of its key "value".
Replacement in_document(const Document& document, const RestatedValue& wanted) {
  const Value* table = entry(document.root(), "parameters");
  const Value* value = table ? entry(*table, wanted.parameter) : nullptr;
  if (value && value->kind == Value::Kind::table) value = entry(*value, "value");
  if (!value) not_here(wanted.parameter, table ? document.where(*table) : document.source().at(0));
  return {value->begin, value->end, is_plain_number(wanted.value) ? wanted.value : '"' + wanted.value + '"'};
}

bool same_letters(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// Where a value that begins at `begin` ends: "K = 2*3, T=1" of a graph, ".param K={2*3} T=1", "m=5000 %kg" of a script.
std::size_t value_end(std::string_view text, std::size_t begin, InputFormat format) {
  if (begin < text.size() && (text[begin] == '{' || (text[begin] == '\'' && format == InputFormat::spice))) {
    const std::size_t closing = text.find(text[begin] == '{' ? '}' : '\'', begin + 1);
    return closing == std::string_view::npos ? text.size() : closing + 1;
  }
  if (format == InputFormat::sfg) {  // to the end of the statement, or a comment
    std::size_t end = std::min({text.find_first_of(";#\r\n", begin), text.find("//", begin), text.size()});
    while (end > begin && text[end - 1] == ' ') --end;
    return end;
  }
  const char* const after = format == InputFormat::dot ? ",\"\r\n" : format == InputFormat::graphml ? ",<\r\n" : " \t,;%()\"\r\n";
  std::size_t end = std::min(text.find_first_of(after, begin), text.size());
  while (end > begin && text[end - 1] == ' ') --end;
  return end;
}

/// Where a symbol was found in text without nesting: its name before "=", or the value itself (R1 a b 10k).
Replacement in_text(const SourceText& source, const Symbol& symbol, const std::string& file, InputFormat format,
                    const RestatedValue& wanted) {
  const SourceSpan& where = symbol.where;
  if (!symbol.value || where.line == 0 || (where.file && *where.file != file)) not_here(wanted.parameter, where);
  const std::string_view text = source.text();
  std::size_t at = source.offset(where.line, where.column);
  const std::size_t after = at + symbol.name.size();
  if (after <= text.size() && same_letters(text.substr(at, symbol.name.size()), symbol.name)) {
    at = text.find_first_not_of(" \t", after);
    if (at == std::string_view::npos || text[at] != '=') not_here(wanted.parameter, where);
    at = std::min(text.find_first_not_of(" \t", at + 1), text.size());
  }
  return {at, value_end(text, at, format), wanted.value};
}

/// The new text says what was wanted and nothing else that is new.
void check(const SymbolTable& before, const SymbolTable& after, std::span<const RestatedValue> wanted) {
  const auto complain = [](const Symbol& symbol) {
    throw Error(symbol.where, "the value of '" + symbol.name + "' cannot be replaced where it stands",
                "state it as '" + symbol.name + " = 1', a number alone");
  };
  for (const Symbol& old : before.all()) {
    const Symbol* now = after.find(old.name);
    if (!now || now->value.has_value() != old.value.has_value()) complain(old);
    if (!old.value) continue;
    const auto restated = std::ranges::find(wanted, old.name, &RestatedValue::parameter);
    GiNaC::exmap same;
    for (const Symbol& other : after.all())
      if (const Symbol* its = before.find(other.name)) same[other.expr] = its->expr;
    SymbolTable table = before;
    const GiNaC::ex should = restated == wanted.end() ? *old.value : parse_value(restated->value, table);
    if (!(now->value->subs(same, GiNaC::subs_options::no_pattern) - should).is_zero()) complain(old);
  }
}

}  // namespace

std::string restated(std::string_view text, InputFormat format, const std::string& file, std::span<const RestatedValue> wanted,
                     const FileBeside& beside) {
  // Places count behind a byte order mark.
  if (constexpr std::string_view mark = "\xef\xbb\xbf"; text.starts_with(mark))
    return std::string(mark) + restated(text.substr(mark.size()), format, file, wanted, beside);
  if (format == InputFormat::simulink || format == InputFormat::xcos)
    throw Error(SourceText(text, file).at(0), "values are not written back into the block diagrams of other programs",
                "write the graph of the diagram as DOT first, and take that");
  const Input before = read(text, format, file, beside);
  const SymbolTable& symbols = symbols_of(before);
  std::vector<Replacement> replacements;
  const bool nested = format == InputFormat::toml || format == InputFormat::json;
  const std::optional<Document> document =
      nested ? std::optional<Document>(std::in_place, text, file,
                                       format == InputFormat::toml ? Document::Syntax::toml : Document::Syntax::json)
             : std::nullopt;
  const SourceText source(text, file);
  for (const RestatedValue& value : wanted) {
    const Symbol* symbol = symbols.find(value.parameter);
    if (!symbol) not_here(value.parameter, source.at(0));
    replacements.push_back(document ? in_document(*document, value) : in_text(source, *symbol, file, format, value));
  }
  std::ranges::sort(replacements, std::ranges::greater{}, &Replacement::begin);
  std::string result(text);
  for (const Replacement& r : replacements) result.replace(r.begin, r.end - r.begin, r.text);
  check(symbols, symbols_of(read(result, format, file, beside)), wanted);
  return result;
}

}  // namespace sfg
