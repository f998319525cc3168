#pragma once
#include <ginac/ex.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/symbol_table.hpp"
#include "sfg/graph/signal_flow_graph.hpp"
#include "sfg/read/source_text.hpp"

namespace sfg {

/// A value of a TOML or JSON file and its place.
struct Value {
  enum class Kind { string, number, boolean, array, table, other };
  struct Entry;

  Kind kind = Kind::other;
  bool truth = false;
  std::size_t begin = 0;  ///< offsets in the file, quotes and brackets included
  std::size_t end = 0;
  std::vector<Value> items;    ///< of an array
  std::vector<Entry> entries;  ///< of a table, in the order of the file
};

struct Value::Entry {
  std::string key;
  std::size_t begin = 0;  ///< of the key
  std::size_t end = 0;
  Value value;
};

/// A file of nested values. Strings stay in the text until they are asked for, so that each byte knows its place.
class Document {
 public:
  enum class Syntax { toml, json };
  Document(std::string_view text, std::string file, Syntax);

  const SourceText& source() const noexcept { return source_; }
  const Value& root() const noexcept { return root_; }
  SourceSpan where(const Value& value) const { return source_.at(value.begin, value.end - value.begin); }
  SourceSpan where(const Value::Entry& entry) const { return source_.at(entry.begin, entry.end - entry.begin); }
  /// The characters of a string, the literal of a number.
  Passage text(const Value&) const;
  Passage key(const Value::Entry&) const;

 private:
  Passage toml_string(std::size_t begin, std::size_t end) const;
  Passage json_string(std::size_t begin, std::size_t end) const;

  SourceText source_;
  Syntax syntax_;
  Value root_;
};

/// Deepest nesting of lists and tables, and parts of a dotted key.
inline constexpr std::size_t deepest_nesting = 64;

/// @throws sfg::Error with the place of a syntax error.
Value toml_values(const SourceText&);
Value json_values(const SourceText&);

/// Takes typed values out of a document and gathers what is wrong with them.
class DocumentReader {
 public:
  DocumentReader(const Document& document, Problems& problems) : document_(document), problems_(problems) {}

  const Document& document() const noexcept { return document_; }
  const SourceText& source() const noexcept { return document_.source(); }
  Problems& problems() const noexcept { return problems_; }

  /// The value of a key; nullptr when the table (or the key) is not there.
  const Value* find(const Value* table, std::string_view key) const;
  /// Keys other than the known ones are errors.
  void check_keys(const Value& table, const std::string& name, const std::vector<std::string>& known) const;
  bool is_table(const Value&, const std::string& name) const;
  bool is_array(const Value&, const std::string& name) const;
  /// A string; its kind is an error otherwise.
  std::optional<Passage> string(const Value&, const std::string& name) const;
  /// A string or a list of strings.
  std::vector<Passage> strings(const Value&, const std::string& name) const;
  /// An expression: a string, or a number taken exactly as it is written. 0 where it is wrong.
  GiNaC::ex expression(const Value&, SymbolTable&, const std::string& name) const;
  /// A table of texts that are kept.
  Attributes attributes(const Value&, const std::string& name) const;
  /// The table of parameters: numbers, strings, or tables of value, unit, tolerance, distribution and text.
  void parameters(const Value&, SymbolTable&) const;
  /// The table of correlations, "R1,R2" = 0.8, of parameters that are in the table of symbols; nullptr: there are none.
  void correlations(const Value*, SymbolTable&) const;
  void error(const Value& value, std::string message, Remedy hint = {}) const;
  void error(const Value::Entry& entry, std::string message, Remedy hint = {}) const;

 private:
  void parameter(const Value::Entry&, SymbolTable&) const;

  const Document& document_;
  Problems& problems_;
};

/// "a string", "a number", …
const char* kind_name(const Value&);

/// Equal but for digits: k1 and k2 are two names, not one misspelt.
bool differ_in_digits_only(std::string a, std::string b);

}  // namespace sfg
