#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace sfg {

// Text of files and of command lines on its way to a terminal, a log or a page: it must not steer what shows it.

/// Bytes of the character at the front that steers instead of showing: a control character other than tab and line end (C0, DEL,
/// C1), or one that turns the direction of a line (U+202A to U+202E, U+2066 to U+2069). 0: there is none.
std::size_t steering_bytes(std::string_view text);

/// Whether one of these stands in the text, a carriage return not counted: no name has one.
bool has_steering(std::string_view text);

/// Whether the text can be shown as it is.
bool is_printable(std::string_view text);

/// Any bytes as text that can be shown: what steers stands as \u{9b}, what is no UTF-8 as U+FFFD. A carriage return stays in
/// front of a line feed.
std::string printable(std::string_view text);
/// JSON likewise: there the same characters have escapes, so that the meaning stays.
std::string printable_json(std::string_view json);

/// A message for people: printable, and what it quotes is cut — a run without blanks at 200 characters, a line at 2000.
std::string message_text(std::string_view message);

/// The part of a line around one of its characters, for a message.
struct Excerpt {
  std::string text;        ///< every character one column wide: what cannot be shown stands as ·
  std::size_t before = 0;  ///< characters in front of the one that is meant
  std::size_t after = 0;   ///< of the line from it on
};

/// Nothing when the line is empty or has no such character (counted from 0; the one behind its end is one).
std::optional<Excerpt> excerpt(std::string_view line, std::size_t character);

}  // namespace sfg
