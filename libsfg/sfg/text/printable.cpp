#include "sfg/text/printable.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include "sfg/text/escape.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

namespace {

constexpr std::string_view replaced = "\xEF\xBF\xBD", cut_mark = "\xE2\x80\xA6", dot = "\xC2\xB7";

std::uint32_t byte_at(std::string_view text, std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; }

/// Of a steering character.
std::uint32_t number_of(std::string_view character) {
  if (character.size() == 1) return byte_at(character, 0);
  if (character.size() == 2) return (byte_at(character, 0) & 0x1FU) << 6 | (byte_at(character, 1) & 0x3FU);
  return (byte_at(character, 0) & 0x0FU) << 12 | (byte_at(character, 1) & 0x3FU) << 6 | (byte_at(character, 2) & 0x3FU);
}

bool is_line_end(std::string_view text) { return text.starts_with("\r\n"); }

template <std::size_t size>
std::string written(const char* form, std::uint32_t number) {
  std::array<char, size> text{};
  std::snprintf(text.data(), text.size(), form, static_cast<unsigned>(number));
  return text.data();
}

/// Bytes at the front that may go as they are: they are found fast, since nearly all do.
std::size_t harmless_bytes(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    const std::uint32_t byte = byte_at(text, i);
    if ((byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\t') {
      ++i;
      continue;
    }
    const std::string_view rest = text.substr(i);
    const std::size_t length = utf8_length(rest);
    if (length == 0 || (steering_bytes(rest) != 0 && !is_line_end(rest))) break;
    i += length;
  }
  return i;
}

std::string shown(std::string_view text, const char* form) {
  std::string result;
  while (!text.empty()) {
    const std::size_t harmless = harmless_bytes(text);
    result += text.substr(0, harmless);
    text.remove_prefix(harmless);
    if (text.empty()) break;
    const std::size_t steering = steering_bytes(text);
    result += steering == 0 ? std::string(replaced) : written<16>(form, number_of(text.substr(0, steering)));
    text.remove_prefix(std::max<std::size_t>(1, steering));
  }
  return result;
}

/// One line of a message.
void append_cut(std::string& result, std::string_view line) {
  constexpr std::size_t longest_run = 200, longest_line = 2000;
  std::size_t run = 0, count = 0;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t length = character_bytes(line, i);
    run = line[i] == ' ' ? 0 : run + 1;
    if (run <= longest_run + 1) {
      if (++count > longest_line) {
        result += cut_mark;
        return;
      }
      result += run > longest_run ? cut_mark : line.substr(i, length);
    }
    i += length;
  }
}

}  // namespace

std::size_t steering_bytes(std::string_view text) {
  const std::uint32_t first = byte_at(text, 0), second = byte_at(text, 1), third = byte_at(text, 2);
  if (text.empty()) return 0;
  if (first < 0x80) return (first < 0x20 && first != '\t' && first != '\n') || first == 0x7F ? 1 : 0;
  if (first == 0xC2) return second >= 0x80 && second <= 0x9F ? 2 : 0;
  if (first != 0xE2) return 0;
  const bool turns = (second == 0x80 && third >= 0xAA && third <= 0xAE) || (second == 0x81 && third >= 0xA6 && third <= 0xA9);
  return turns ? 3 : 0;
}

bool has_steering(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); i += character_bytes(text, i))
    if (text[i] != '\r' && steering_bytes(text.substr(i)) != 0) return true;
  return false;
}

bool is_printable(std::string_view text) { return harmless_bytes(text) == text.size(); }

std::string printable(std::string_view text) { return shown(text, "\\u{%x}"); }

std::string printable_json(std::string_view json) { return shown(json, "\\u%04x"); }

std::string message_text(std::string_view message) {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;  // the list of all that is wrong with a file has lines enough
  std::string result;
  for (std::size_t begin = 0; begin <= message.size() && result.size() < most_bytes;) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    if (begin > 0) result += '\n';
    constexpr std::size_t looked_at = std::size_t{1} << 20;
    append_cut(result, printable(cut_to_bytes(message.substr(begin, end - begin), looked_at)));
    begin = end + 1;
  }
  return result;
}

std::optional<Excerpt> excerpt(std::string_view line, std::size_t character) {
  constexpr std::size_t before = 60, shown = 110;
  const auto offset_of = [&](std::size_t wanted) -> std::optional<std::size_t> {
    std::size_t i = 0, passed = 0;
    for (; i < line.size() && passed < wanted; ++passed) i += character_bytes(line, i);
    return passed < wanted ? std::nullopt : std::optional(i);
  };
  if (line.empty() || !offset_of(character)) return {};
  const bool is_short = !offset_of(shown + 1);
  const std::size_t first = is_short || character < before ? 0 : character - before;
  Excerpt part{.text = first > 0 ? std::string(cut_mark) : "", .before = character - first + (first > 0 ? 1 : 0)};
  std::size_t last = first, i = *offset_of(first);
  for (; i < line.size() && last < first + shown; ++last) {
    const std::string_view one = line.substr(i, character_bytes(line, i));
    i += one.size();
    if (one == "\t" || one == "\r")
      part.text += ' ';
    else
      part.text += utf8_length(one) != one.size() || steering_bytes(one) != 0 ? dot : one;
  }
  if (i < line.size()) part.text += cut_mark;
  part.after = last > character ? last - character : 0;
  return part;
}

}  // namespace sfg
