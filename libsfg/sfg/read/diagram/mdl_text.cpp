#include <algorithm>

#include "sfg/read/diagram/model_section.hpp"
#include "sfg/text/scan.hpp"

namespace sfg {

namespace {

constexpr std::size_t deepest_section = 200;

/// Key { … }, and keys with a value: a word, a list in brackets, or text in quotes that further lines of quotes continue.
class MdlScan {
 public:
  explicit MdlScan(const SourceText& source) : source_(source), text_(source.text()) {}

  ModelSection file() {
    ModelSection all;
    all.where = source_.at(0);
    content(all, 0);
    if (at_ < text_.size()) refuse(at_, "a '}' that closes nothing", "take it away");
    return all;
  }

 private:
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[noreturn]] void refuse(std::size_t at, const std::string& what, const std::string& hint) const {
    throw Error(source_.at(at, 1), what, hint);
  }
  void skip(bool over_lines) {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' ||
                                  (over_lines && text_[at_] == '\n') || (over_lines && text_[at_] == '#'))) {
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        ++at_;
    }
  }

  void content(ModelSection& section, std::size_t depth) {
    if (depth > deepest_section)
      refuse(at_, "sections are nested more than " + std::to_string(deepest_section) + " deep", "take it apart");
    for (skip(true); at_ < text_.size() && next() != '}'; skip(true)) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && !is_blank_character(next()) && next() != '{' && next() != '}' && next() != '"') ++at_;
      const std::string key(text_.substr(begin, at_ - begin));
      if (key.empty())
        refuse(begin, "the name of a parameter is expected here", "the file is no model of Simulink, or it is broken");
      skip(false);
      if (next() == '{') {
        ModelSection inner{key, source_.at(begin, key.size()), {}, {}};
        const std::size_t open = at_++;
        content(inner, depth + 1);
        if (next() != '}') refuse(open, "the section '" + key + "' is not closed", "the file ends too early");
        ++at_;
        section.parts.push_back(std::move(inner));
      } else {
        section.values.emplace_back(key, value());
      }
    }
  }

  Passage value() {
    Passage value;
    if (next() == '"') {
      quoted(value);
      for (;;) {
        const std::size_t here = at_;
        skip(true);
        if (next() != '"') {
          at_ = here;
          return value;
        }
        quoted(value);
      }
    }
    const std::size_t begin = at_;
    int brackets = 0;
    for (; at_ < text_.size() && (text_[at_] != '\n' || brackets > 0); ++at_)
      brackets += text_[at_] == '[' ? 1 : text_[at_] == ']' ? -1 : 0;
    std::size_t end = at_;
    while (end > begin && is_blank_character(text_[end - 1])) --end;
    value.append(text_.substr(begin, end - begin), begin);
    return value;
  }

  void quoted(Passage& value) {
    const std::size_t open = at_++;
    if (value.pieces.empty()) value.append("", open);
    for (; next() != '"'; ++at_) {
      if (at_ >= text_.size() || next() == '\n')
        refuse(open, "the quote that begins here is not closed", "write '\"' where the text ends");
      if (next() == '\\' && at_ + 1 < text_.size()) {
        ++at_;
        const char c = next();
        value.append(c == 'n' ? "\n" : c == 't' ? "\t" : text_.substr(at_, 1), at_);
      } else {
        value.append(text_.substr(at_, 1), at_);
      }
    }
    ++at_;
  }

  const SourceText& source_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

ModelSection mdl_sections(const SourceText& source) { return MdlScan(source).file(); }

}  // namespace sfg
