#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace sfg {

inline bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank_character(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
/// What names of programs are made of.
inline bool is_word_character(char c) { return is_ascii_letter(c) || is_ascii_digit(c) || c == '_'; }
/// Whether a name stands in a text, not as a part of another one; letters beyond ASCII are parts of names.
inline bool has_name(std::string_view text, std::string_view name) {
  const auto goes_on = [&](std::size_t i) { return i < text.size() && (is_word_character(text[i]) || (text[i] & '\x80') != 0); };
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1))
    if ((at == 0 || !goes_on(at - 1)) && !goes_on(at + name.size())) return true;
  return false;
}

/// A text read from its front, piece by piece. It takes the place of regular expressions, whose engine of the standard library
/// descends once a character: a text of users that is long enough ends the process.
class Scan {
 public:
  explicit Scan(std::string_view text, std::size_t at = 0) : text_(text), at_(std::min(at, text.size())) {}

  std::size_t at() const noexcept { return at_; }
  bool ended() const noexcept { return at_ == text_.size(); }
  /// The next character; '\0' at the end.
  char next() const noexcept { return ended() ? '\0' : text_[at_]; }
  std::string_view rest() const noexcept { return text_.substr(at_); }

  /// Passes over a character, if it is the next one.
  bool take(char c) {
    if (ended() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// Passes over a word, if it stands there in small or capital letters; the word is given in small ones.
  bool take_caseless(std::string_view word) {
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b; };
    const std::string_view here = text_.substr(at_, word.size());
    if (here.size() != word.size() || !std::equal(here.begin(), here.end(), word.begin(), same)) return false;
    at_ += word.size();
    return true;
  }
  /// The longest run of characters of a kind; "" where there is none.
  template <class Kind>
  std::string_view run(Kind&& kind) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && kind(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string_view blanks() { return run(is_blank_character); }
  std::string_view word() { return run(is_word_character); }

 private:
  std::string_view text_;
  std::size_t at_;
};

}  // namespace sfg
