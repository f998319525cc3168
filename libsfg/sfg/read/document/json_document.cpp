#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "sfg/read/document/document.hpp"

namespace sfg {

namespace {

/// Bytes of the text for nlohmann's lexer, which reads them one by one; `position` says how far it is.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(std::string_view text, std::size_t at, std::size_t* position) : text_(text), at_(at), position_(position) {}
  reference operator*() const { return text_[at_]; }
  CountingIterator& operator++() {
    *position_ = ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    const CountingIterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at_ == b.at_; }

 private:
  std::string_view text_;
  std::size_t at_;
  std::size_t* position_;
};

/// Builds values from nlohmann's events, with bounds on the nesting and no key twice.
class JsonEvents {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  JsonEvents(const SourceText& source, const std::size_t& position) : source_(source), position_(position) {}

  Value root;

  bool null() { return scalar(Value::Kind::other, word_begin(), position_); }
  bool boolean(bool truth) {
    scalar(Value::Kind::boolean, word_begin(), position_);
    last_->truth = truth;
    return true;
  }
  bool number_integer(number_integer_t) { return number(); }
  bool number_unsigned(number_unsigned_t) { return number(); }
  bool number_float(number_float_t, const string_t&) { return number(); }
  bool string(string_t&) { return scalar(Value::Kind::string, string_begin(), position_); }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Value::Kind::table); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Value::Kind::array); }
  bool end_array() { return close(); }
  bool key(string_t& name) {
    const std::size_t begin = string_begin();
    if (!levels_.back().keys.insert(name).second)
      throw Error(source_.at(begin, position_ - begin), "the key " + in_quotes(name) + " stands twice in one object",
                  "keep one of them");
    levels_.back().value->entries.push_back({name, begin, position_, {}});
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) {
    std::string message = error.what();
    if (const auto code = message.find("] "); message.starts_with("[json.") && code != std::string::npos)
      message.erase(0, code + 2);
    if (const auto detail = message.find("syntax error"); detail != std::string::npos) message.erase(0, detail);
    const bool at_end = message.find("unexpected end of input") != std::string::npos;
    const std::size_t at = position_ > 0 && !at_end ? position_ - 1 : position_;
    throw Error(source_.at(at), "not JSON: " + message, "mend the file, or write it anew with the 'graph' verb");
  }

 private:
  struct Level {
    Value* value;
    std::set<std::string> keys;
  };

  Value& added(Value::Kind kind, std::size_t begin, std::size_t end) {
    Value* value = &root;
    if (!levels_.empty()) {
      Value& outer = *levels_.back().value;
      value = outer.kind == Value::Kind::array ? &outer.items.emplace_back() : &outer.entries.back().value;
    }
    value->kind = kind;
    value->begin = begin;
    value->end = end;
    last_ = value;
    return *value;
  }
  bool scalar(Value::Kind kind, std::size_t begin, std::size_t end) {
    added(kind, begin, end);
    return true;
  }
  bool open(Value::Kind kind) {
    if (levels_.size() == deepest_nesting)
      throw Error(source_.at(position_ - 1, 1),
                  "lists and objects are nested more than " + std::to_string(deepest_nesting) + " deep",
                  "a graph needs four levels");
    levels_.push_back({&added(kind, position_ - 1, position_), {}});
    return true;
  }
  bool close() {
    levels_.back().value->end = position_;
    levels_.pop_back();
    return true;
  }
  /// A number ends at the character that the lexer has looked at already, or at the end of the text.
  bool number() {
    constexpr std::string_view of_numbers = "0123456789+-.eE";
    const std::string_view text = source_.text();
    std::size_t end = position_;
    while (end > 0 && of_numbers.find(text[end - 1]) == std::string_view::npos) --end;
    std::size_t begin = end;
    while (begin > 0 && of_numbers.find(text[begin - 1]) != std::string_view::npos) --begin;
    return scalar(Value::Kind::number, begin, end);
  }
  std::size_t word_begin() const {
    std::size_t begin = position_;
    while (begin > 0 && source_.text()[begin - 1] >= 'a' && source_.text()[begin - 1] <= 'z') --begin;
    return begin;
  }
  /// Back from the closing quote to the one that opens the string: the first that is not escaped.
  std::size_t string_begin() const {
    const std::string_view text = source_.text();
    for (std::size_t quote = text.rfind('"', position_ - 2);; quote = text.rfind('"', quote - 1)) {
      std::size_t backslashes = 0;
      while (backslashes < quote && text[quote - 1 - backslashes] == '\\') ++backslashes;
      if (backslashes % 2 == 0) return quote;
    }
  }

  const SourceText& source_;
  const std::size_t& position_;
  std::vector<Level> levels_;
  Value* last_ = nullptr;
};

}  // namespace

Value json_values(const SourceText& source) {
  if (source.text().find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(source.at(0), "the file is empty", "write a graph: {\"schema\": \"sfg/graph/1\", \"branches\": […]}");
  std::size_t position = 0;
  JsonEvents events(source, position);
  nlohmann::json::sax_parse(CountingIterator(source.text(), 0, &position),
                            CountingIterator(source.text(), source.text().size(), &position), &events);
  return std::move(events.root);
}

}  // namespace sfg
