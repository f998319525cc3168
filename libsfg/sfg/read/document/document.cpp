#include "sfg/read/document/document.hpp"

#include <algorithm>
#include <charconv>

#include "sfg/expr/tolerance.hpp"
#include "sfg/read/parameters.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

std::uint32_t hexadecimal(std::string_view digits) {
  std::uint32_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

/// The escape sequence at the front of the text (both syntaxes have the same short ones): what it stands for, and its length.
std::pair<std::string, std::size_t> escape(std::string_view text) {
  std::string meaning;
  switch (text[1]) {
    case 'b': return {"\b", 2};
    case 't': return {"\t", 2};
    case 'n': return {"\n", 2};
    case 'f': return {"\f", 2};
    case 'r': return {"\r", 2};
    case 'U': append_utf8(meaning, hexadecimal(text.substr(2, 8))); return {meaning, 10};
    case 'u': {
      std::uint32_t code = hexadecimal(text.substr(2, 4));
      std::size_t length = 6;
      if (code >= 0xD800 && code < 0xDC00 && text.substr(6, 2) == "\\u") {  // a pair of surrogates, in JSON
        code = 0x10000 + ((code - 0xD800) << 10) + (hexadecimal(text.substr(8, 4)) - 0xDC00);
        length = 12;
      }
      append_utf8(meaning, code);
      return {meaning, length};
    }
    default: return {std::string(1, text[1]), 2};
  }
}

/// Bytes of an escaped line end of a TOML string and all blanks after it; 0 when there is none.
std::size_t folded_line(std::string_view text) {
  std::size_t i = 1;
  while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
  if (i == text.size() || (text[i] != '\n' && text[i] != '\r')) return 0;
  while (i < text.size() && std::string_view(" \t\r\n").find(text[i]) != std::string_view::npos) ++i;
  return i;
}

/// 0x1F, 0o17 and 0b11 in decimal; other literals without their underscores.
Passage plain_number(const Passage& literal) {
  if (literal.text.size() > 2 && literal.text[0] == '0' &&
      std::string_view("xob").find(literal.text[1]) != std::string_view::npos) {
    std::string digits = literal.text.substr(2);
    std::erase(digits, '_');
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value,
                    literal.text[1] == 'x'   ? 16
                    : literal.text[1] == 'o' ? 8
                                             : 2);
    Passage decimal;
    decimal.append(std::to_string(value), literal.source_of(0));
    return decimal;
  }
  Passage plain;
  for (std::size_t i = 0; i < literal.text.size(); ++i)
    if (literal.text[i] != '_') plain.append(std::string_view(literal.text).substr(i, 1), literal.source_of(i));
  return plain;
}

}  // namespace

Document::Document(std::string_view text, std::string file, Syntax syntax) : source_(text, std::move(file)), syntax_(syntax) {
  source_.check_characters();
  root_ = syntax == Syntax::toml ? toml_values(source_) : json_values(source_);
}

Passage Document::text(const Value& value) const {
  if (value.kind != Value::Kind::string) {
    Passage literal;
    literal.append(source_.text().substr(value.begin, value.end - value.begin), value.begin);
    return plain_number(literal);
  }
  return syntax_ == Syntax::toml ? toml_string(value.begin, value.end) : json_string(value.begin, value.end);
}

Passage Document::key(const Value::Entry& entry) const {
  Passage key;
  const char first = entry.begin < source_.text().size() ? source_.text()[entry.begin] : '\0';
  key.append(entry.key, entry.begin + (first == '"' || first == '\'' ? 1 : 0));
  return key;
}

Passage Document::toml_string(std::size_t begin, std::size_t end) const {
  const std::string_view text = source_.text();
  const std::string_view token = text.substr(begin, end - begin);
  const char quote = token.front();
  const std::size_t quotes = token.size() >= 6 && token[1] == quote && token[2] == quote ? 3 : 1;
  std::size_t i = begin + quotes;
  end -= quotes;
  if (quotes == 3 && text.substr(i, 2) == "\r\n")
    i += 2;
  else if (quotes == 3 && text.substr(i, 1) == "\n")
    i += 1;
  Passage string;
  while (i < end) {
    if (text[i] == '\\' && quote == '"') {
      if (const std::size_t folded = quotes == 3 ? folded_line(text.substr(i, end - i)) : 0) {
        i += folded;
        continue;
      }
      const auto [meaning, length] = escape(text.substr(i));
      string.append(meaning, i);
      i += length;
    } else if (text.substr(i, 2) == "\r\n") {
      ++i;
    } else {
      const std::size_t run = std::min(text.substr(0, end).find_first_of("\\\r", i + 1), end) - i;
      string.append(text.substr(i, run), i);
      i += run;
    }
  }
  if (string.pieces.empty()) string.pieces.push_back({0, i});
  return string;
}

Passage Document::json_string(std::size_t begin, std::size_t end) const {
  const std::string_view text = source_.text();
  Passage string;
  std::size_t i = begin + 1;
  for (--end; i < end;) {
    if (text[i] == '\\') {
      const auto [meaning, length] = escape(text.substr(i));
      string.append(meaning, i);
      i += length;
    } else {
      const std::size_t run = std::min(text.substr(0, end).find('\\', i), end) - i;
      string.append(text.substr(i, run), i);
      i += run;
    }
  }
  if (string.pieces.empty()) string.pieces.push_back({0, i});
  return string;
}

const char* kind_name(const Value& value) {
  switch (value.kind) {
    case Value::Kind::string: return "a string";
    case Value::Kind::number: return "a number";
    case Value::Kind::boolean: return "true or false";
    case Value::Kind::array: return "a list";
    case Value::Kind::table: return "a table";
    case Value::Kind::other: break;
  }
  return "a value of another kind";
}

const Value* DocumentReader::find(const Value* table, std::string_view key) const {
  if (!table) return nullptr;
  const auto entry = std::ranges::find(table->entries, key, &Value::Entry::key);
  return entry == table->entries.end() ? nullptr : &entry->value;
}

void DocumentReader::check_keys(const Value& table, const std::string& name, const std::vector<std::string>& known) const {
  for (const Value::Entry& entry : table.entries) {
    if (std::ranges::find(known, entry.key) != known.end()) continue;
    if (entry.key == "latex" && entry.value.kind == Value::Kind::string) continue;  // stated_latex() asks whose it is
    error(entry, "unknown key " + in_quotes(entry.key) + " in " + name, suggestion(entry.key, known));
  }
}

void DocumentReader::error(const Value& value, std::string message, Remedy hint) const {
  problems_.error(document_.where(value), std::move(message), std::move(hint));
}
void DocumentReader::error(const Value::Entry& entry, std::string message, Remedy hint) const {
  problems_.error(document_.where(entry), std::move(message), std::move(hint));
}

bool DocumentReader::is_table(const Value& value, const std::string& name) const {
  if (value.kind == Value::Kind::table) return true;
  error(value, name + " must be a table, not " + kind_name(value), "write { name = value, … }");
  return false;
}

bool DocumentReader::is_array(const Value& value, const std::string& name) const {
  if (value.kind == Value::Kind::array) return true;
  error(value, name + " must be a list, not " + kind_name(value), "write [ … ]");
  return false;
}

std::optional<Passage> DocumentReader::string(const Value& value, const std::string& name) const {
  if (value.kind == Value::Kind::string) return document_.text(value);
  error(value, name + " must be a string, not " + kind_name(value), "write it in double quotes");
  return {};
}

std::vector<Passage> DocumentReader::strings(const Value& value, const std::string& name) const {
  std::vector<Passage> list;
  if (value.kind == Value::Kind::string) return {document_.text(value)};
  if (value.kind != Value::Kind::array) {
    error(value, name + " must be a list of strings, not " + kind_name(value), "write [\"…\", \"…\"]");
    return list;
  }
  for (const Value& item : value.items) {
    const Value* called = item.kind == Value::Kind::table && find(&item, "latex") ? find(&item, "name") : nullptr;
    if (called) check_keys(item, name + ": an entry", {"name"});
    if (auto text = string(called ? *called : item, name + ": an entry")) list.push_back(std::move(*text));
  }
  return list;
}

GiNaC::ex DocumentReader::expression(const Value& value, SymbolTable& symbols, const std::string& name) const {
  GiNaC::ex result = 0;
  if (value.kind != Value::Kind::string && value.kind != Value::Kind::number) {
    error(value, name + " must be an expression, not " + kind_name(value), "write a number, or an expression in double quotes");
    return result;
  }
  problems_.attempt([&] {
    const Passage text = document_.text(value);
    result = value.kind == Value::Kind::number ? parse_value(text, source(), symbols) : parse(text, source(), symbols);
  });
  return result;
}

Attributes DocumentReader::attributes(const Value& table, const std::string& name) const {
  Attributes list;
  if (!is_table(table, name)) return list;
  for (const Value::Entry& entry : table.entries) {
    if (entry.key.empty()) {
      error(entry, name + ": an attribute without a name", "give it one, or remove it");
      continue;
    }
    const bool is_text = entry.value.kind == Value::Kind::string || entry.value.kind == Value::Kind::number;
    if (is_text)
      list.emplace_back(entry.key, document_.text(entry.value).text);
    else if (entry.value.kind == Value::Kind::boolean)
      list.emplace_back(entry.key, entry.value.truth ? "true" : "false");
    else
      error(entry.value, name + ": " + in_quotes(entry.key) + " must be a string, not " + kind_name(entry.value),
            "write it in double quotes");
  }
  return list;
}

void DocumentReader::parameters(const Value& table, SymbolTable& symbols) const {
  if (!is_table(table, "parameters")) return;
  for (const Value::Entry& entry : table.entries) parameter(entry, symbols);
  check_parameters(symbols, problems_);
}

void DocumentReader::correlations(const Value* table, SymbolTable& symbols) const {
  if (!table || !is_table(*table, "correlations")) return;
  for (const Value::Entry& entry : table->entries)
    if (entry.value.kind == Value::Kind::number || entry.value.kind == Value::Kind::string)
      state_correlation(symbols, document_.key(entry), document_.text(entry.value), source(), problems_);
    else
      error(entry, "the correlation of " + in_quotes(entry.key) + " must be a number, not " + kind_name(entry.value),
            "write a number from -1 to 1");
}

void DocumentReader::parameter(const Value::Entry& entry, SymbolTable& symbols) const {
  const std::string name = "the parameter " + in_quotes(entry.key);
  const auto state = [&](const Value& value) {
    if (value.kind != Value::Kind::number && value.kind != Value::Kind::string)
      return error(value, name + " must be a number, not " + kind_name(value),
                   "write a number, or an expression in double quotes");
    state_parameter(symbols, document_.key(entry), document_.text(value), source(), problems_);
  };
  if (entry.value.kind != Value::Kind::table) return state(entry.value);
  check_keys(entry.value, name, {"value", "unit", "tolerance", "distribution", "text"});
  if (const Value* value = find(&entry.value, "value")) {
    state(*value);
  } else if (!is_name(entry.key)) {
    return error(entry, "word " + in_quotes(entry.key) + " is no name of a parameter",
                 "a name has letters, digits and '_' and does not begin with a digit");
  } else {
    symbols.symbol(entry.key, document_.where(entry));
  }
  Symbol* symbol = symbols.find(entry.key);
  if (!symbol || symbol->kind != SymbolKind::parameter) return;
  const auto stated = [&](const char* key) -> std::optional<std::string> {
    const Value* value = find(&entry.value, key);
    if (!value) return {};
    if (value->kind == Value::Kind::number && std::string_view(key) == "tolerance") return document_.text(*value).text;
    const auto text = string(*value, name + ": " + key);
    return text ? std::optional(text->text) : std::nullopt;
  };
  const auto place_of = [&](const char* key) { return document_.where(*find(&entry.value, key)); };
  if (const auto unit = stated("unit")) symbol->unit = *unit;
  if (const auto text = stated("text")) symbol->text = *text;
  if (const auto text = stated("tolerance"))
    problems_.attempt([&] { symbol->tolerance = parse_tolerance(*text, place_of("tolerance")); });
  if (const auto text = stated("distribution"))
    problems_.attempt([&] { symbol->distribution = parse_distribution(*text, place_of("distribution")); });
}

bool differ_in_digits_only(std::string a, std::string b) {
  std::erase_if(a, is_ascii_digit);
  std::erase_if(b, is_ascii_digit);
  return a == b;
}

}  // namespace sfg
