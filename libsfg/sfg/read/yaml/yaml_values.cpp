#include "sfg/read/yaml/yaml_values.hpp"

#include <yaml.h>

#include <set>

#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

constexpr std::size_t deepest_yaml = 64;

struct Parser {
  Parser() {
    if (!yaml_parser_initialize(&parser)) throw std::bad_alloc();
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { yaml_parser_delete(&parser); }
  yaml_parser_t parser{};
};

struct Event {
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event); }
  yaml_event_t event{};
};

/// Builds values from libyaml's events, in a loop, so that no depth of a file is one of the stack.
class YamlReading {
 public:
  explicit YamlReading(const SourceText& source) : source_(source) {
    const std::string_view text = source.text();
    yaml_parser_set_input_string(&parser_.parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    yaml_parser_set_encoding(&parser_.parser, YAML_UTF8_ENCODING);
  }

  YamlValue document() {
    for (;;) {
      Event next;
      if (!yaml_parser_parse(&parser_.parser, &next.event)) throw syntax_error();
      const yaml_event_t& event = next.event;
      switch (event.type) {
        case YAML_STREAM_END_EVENT: return finished();
        case YAML_DOCUMENT_START_EVENT:
          if (++documents_ > 1) refuse(event, "a second document in the file", "keep one");
          break;
        case YAML_ALIAS_EVENT: refuse(event, "an alias (*)", "write out what it stands for");
        case YAML_SCALAR_EVENT:
          plain(event, event.data.scalar.anchor, event.data.scalar.tag);
          scalar(event);
          break;
        case YAML_SEQUENCE_START_EVENT:
          plain(event, event.data.sequence_start.anchor, event.data.sequence_start.tag);
          open(event, YamlValue::Kind::sequence);
          break;
        case YAML_MAPPING_START_EVENT:
          plain(event, event.data.mapping_start.anchor, event.data.mapping_start.tag);
          open(event, YamlValue::Kind::mapping);
          break;
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT: close(event); break;
        default: break;
      }
    }
  }

 private:
  struct Level {
    YamlValue value;
    std::set<std::string> keys;
    bool expects_value = false;  ///< of a mapping: a key stands before
  };

  /// libyaml counts characters; marks come in the order of the file, but for those of errors.
  std::size_t offset(const yaml_mark_t& mark) {
    const std::string_view text = source_.text();
    if (mark.index < characters_) characters_ = bytes_ = 0;
    for (; characters_ < mark.index && bytes_ < text.size(); ++characters_) bytes_ += character_bytes(text, bytes_);
    return bytes_;
  }

  SourceSpan where(const yaml_event_t& event) {
    const std::size_t begin = offset(event.start_mark);
    return source_.at(begin, offset(event.end_mark) - begin);
  }

  [[noreturn]] void refuse(const yaml_event_t& event, const std::string& message, const std::string& hint) {
    throw Error(where(event), message, hint);
  }

  Error syntax_error() {
    const yaml_parser_t& parser = parser_.parser;
    std::string message = parser.problem != nullptr ? parser.problem : "it cannot be read";
    if (parser.context != nullptr) message = std::string(parser.context) + ", " + message;
    return {source_.at(offset(parser.problem_mark)), "not YAML: " + message, "mend the file"};
  }

  void plain(const yaml_event_t& event, const yaml_char_t* anchor, const yaml_char_t* tag) {
    if (anchor != nullptr) refuse(event, "an anchor (&)", "write the value where it is needed");
    if (tag != nullptr) refuse(event, "a tag (!)", "every value is text: remove the tag");
  }

  void scalar(const yaml_event_t& event) {
    YamlValue value;
    value.begin = offset(event.start_mark);
    value.end = offset(event.end_mark);
    const std::string_view meaning(reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length);
    const std::size_t begin = source_.text().substr(value.begin, value.end - value.begin).find(meaning);
    if (begin != std::string_view::npos)
      value.text.append(meaning, value.begin + begin);
    else
      for (std::size_t i = 0; i < meaning.size(); ++i) value.text.append(meaning.substr(i, 1), value.begin);
    add(std::move(value));
  }

  void open(const yaml_event_t& event, YamlValue::Kind kind) {
    if (levels_.size() == deepest_yaml)
      refuse(event, "lists and mappings are nested more than " + std::to_string(deepest_yaml) + " deep",
             "a graph needs two levels");
    if (!levels_.empty() && levels_.back().value.kind == YamlValue::Kind::mapping && !levels_.back().expects_value)
      refuse(event, "a list or a mapping as a key", "a key is text");
    Level level;
    level.value.kind = kind;
    level.value.begin = offset(event.start_mark);
    levels_.push_back(std::move(level));
  }

  void close(const yaml_event_t& event) {
    YamlValue value = std::move(levels_.back().value);
    levels_.pop_back();
    value.end = offset(event.end_mark);
    add(std::move(value));
  }

  void add(YamlValue value) {
    if (levels_.empty()) {
      root_ = std::move(value);
      return;
    }
    Level& level = levels_.back();
    if (level.value.kind == YamlValue::Kind::sequence) {
      level.value.items.push_back(std::move(value));
    } else if (level.expects_value) {
      level.value.entries.back().value = std::move(value);
      level.expects_value = false;
    } else {
      if (!level.keys.insert(value.text.text).second)
        throw Error(source_.at(value.begin, value.end - value.begin), "the key " + in_quotes(value.text.text) + " is there twice",
                    "keep one; gains of parallel branches are added");
      level.value.entries.push_back({std::move(value), YamlValue{}});
      level.expects_value = true;
    }
  }

  YamlValue finished() {
    if (documents_ == 0) throw Error(source_.at(0), "the file is empty", "write sources:, sinks:, nodes: and edges:");
    return std::move(root_);
  }

  const SourceText& source_;
  Parser parser_;
  std::size_t documents_ = 0, characters_ = 0, bytes_ = 0;
  std::vector<Level> levels_;
  YamlValue root_;
};

}  // namespace

YamlValue yaml_values(const SourceText& source) { return YamlReading(source).document(); }

}  // namespace sfg
