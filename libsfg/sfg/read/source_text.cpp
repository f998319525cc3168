#include "sfg/read/source_text.hpp"

#include "sfg/text/escape.hpp"
#include "sfg/text/printable.hpp"
#include "sfg/text/utf8.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace sfg {

namespace {

constexpr std::size_t block_size = 512;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7F;
}

/// Printable, in one byte: nearly all of every file.
bool is_plain(char c) { return (c >= ' ' && c < 0x7F) || c == '\n'; }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

SourceText::SourceText(std::string_view text, std::string file)
    : text_(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text),
      file_(std::make_shared<const std::string>(std::move(file))),
      line_starts_{0} {
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < text_.size(); begin += block_size) {
    block_characters_.push_back(count);
    count += character_count(text_.substr(begin, block_size));
  }
  plain_ = count == text_.size();
  for (std::size_t end = text_.find('\n'); end != std::string_view::npos; end = text_.find('\n', end + 1))
    line_starts_.push_back(end + 1);
}

std::size_t SourceText::characters_before(std::size_t offset) const {
  if (plain_) return offset;
  const std::size_t block = offset / block_size;
  if (block >= block_characters_.size())
    return block == 0 ? 0 : block_characters_.back() + character_count(text_.substr((block_characters_.size() - 1) * block_size));
  return block_characters_[block] + character_count(text_.substr(block * block_size, offset - block * block_size));
}

std::size_t SourceText::line_of(std::size_t offset) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(line_starts_, offset) - line_starts_.begin()) - 1;
}

SourceSpan SourceText::at(std::size_t offset, std::size_t bytes) const {
  offset = std::min(offset, text_.size());
  bytes = std::min(bytes, text_.size() - offset);
  const std::size_t line = line_of(offset);
  const std::size_t before = characters_before(offset);
  SourceSpan span;
  span.file = file_;
  span.line = static_cast<std::uint32_t>(line + 1);
  span.column = static_cast<std::uint32_t>(before - characters_before(line_starts_[line]) + 1);
  span.length = static_cast<std::uint32_t>(characters_before(offset + bytes) - before);
  return span;
}

std::size_t SourceText::offset(std::size_t line, std::size_t column) const {
  if (line == 0 || line > line_starts_.size()) return text_.size();
  const std::size_t wanted = characters_before(line_starts_[line - 1]) + (column == 0 ? 0 : column - 1);
  if (plain_) return std::min(wanted, text_.size());
  const auto block = std::ranges::upper_bound(block_characters_, wanted);
  if (block == block_characters_.begin()) return 0;
  std::size_t offset = static_cast<std::size_t>(block - block_characters_.begin() - 1) * block_size;
  std::size_t passed = *std::prev(block);
  const bool plain_block = block != block_characters_.end() && *block - passed == block_size;
  if (plain_block) return offset + (wanted - passed);
  while (offset < text_.size() && !starts_character(text_[offset])) ++offset;
  for (; passed < wanted && offset < text_.size(); ++passed) {
    ++offset;
    while (offset < text_.size() && !starts_character(text_[offset])) ++offset;
  }
  return offset;
}

void SourceText::check_characters() const {
  for (std::size_t i = 0; i < text_.size();) {
    if (is_plain(text_[i])) {
      ++i;
      continue;
    }
    const std::size_t length = utf8_length(text_.substr(i));
    if (length == 1 && !is_control(text_[i])) {
      ++i;
      continue;
    }
    const bool control = length == 2 && steering_bytes(text_.substr(i)) == 2;
    if (length > 1 && !control) {
      i += length;
      continue;
    }
    char code[8];
    std::snprintf(code, sizeof code, "0x%02X", static_cast<unsigned>(static_cast<unsigned char>(text_[i])));
    if (length == 0) throw Error(at(i), std::string("byte ") + code + " is not UTF-8", "save the file as UTF-8 text");
    if (control) std::snprintf(code, sizeof code, "U+%04X", static_cast<unsigned>(static_cast<unsigned char>(text_[i + 1])));
    throw Error(at(i, 1), std::string("control character ") + code + " in the text",
                "remove it; the file must be plain UTF-8 text");
  }
}

void Passage::append(std::string_view bytes, std::size_t source) {
  const bool in_step = !pieces.empty() && pieces.back().source + (text.size() - pieces.back().begin) == source;
  if (!in_step) pieces.push_back({text.size(), source});
  text += bytes;
}

std::size_t Passage::source_of(std::size_t offset) const {
  const auto after = std::ranges::upper_bound(pieces, offset, {}, &Piece::begin);
  if (after == pieces.begin()) return pieces.empty() ? 0 : pieces.front().source;
  const Piece& piece = *std::prev(after);
  return piece.source + (offset - piece.begin);
}

Passage Passage::part(std::size_t begin, std::size_t count) const {
  Passage result;
  result.text = text.substr(begin, count);
  result.pieces.push_back({0, source_of(begin)});
  const std::size_t end = begin + result.text.size();
  for (auto piece = std::ranges::upper_bound(pieces, begin, {}, &Piece::begin); piece != pieces.end() && piece->begin <= end;
       ++piece)
    result.pieces.push_back({piece->begin - begin, piece->source});
  return result;
}

Passage Passage::trimmed() const {
  std::size_t begin = 0;
  std::size_t end = text.size();
  while (begin < end && is_blank(text[begin])) ++begin;
  while (end > begin && is_blank(text[end - 1])) --end;
  return part(begin, end - begin);
}

SourceSpan place(const SourceText& source, const Passage& passage) {
  const std::size_t begin = passage.source_of(0);
  const std::size_t last = passage.text.empty() ? begin : passage.source_of(passage.text.size() - 1) + 1;
  SourceSpan span = source.at(begin, last > begin ? last - begin : 0);
  const SourceSpan end = source.at(last);
  if (end.line != span.line) span.length = 0;
  return span;
}

namespace {

/// Places in a text that stands alone, turned into those of the file.
class PlaceOfPassage {
 public:
  PlaceOfPassage(const Passage& passage, const SourceText& source)
      : passage_(passage), source_(source), alone_(passage.text, "") {}

  SourceSpan start() const {
    SourceSpan span;
    span.line = span.column = 1;
    return span;
  }
  SourceSpan operator()(const SourceSpan& span) const {
    const std::size_t begin = alone_.offset(span.line, span.column);
    const std::size_t end = alone_.offset(span.line, span.column + span.length);
    const std::size_t from = passage_.source_of(begin);
    const std::size_t to = end > begin ? passage_.source_of(end - 1) + 1 : from;
    return source_.at(from, to > from ? to - from : 0);
  }

 private:
  const Passage& passage_;
  const SourceText& source_;
  SourceText alone_;
};

template <class Read>
GiNaC::ex read_through(const Passage& passage, const SourceText& source, SymbolTable& symbols, Read&& read) {
  const bool in_step = passage.pieces.size() == 1;
  if (in_step) return read(place(source, passage));
  const PlaceOfPassage in_file(passage, source);
  const std::size_t known = symbols.all().size();
  try {
    const GiNaC::ex result = read(in_file.start());
    for (std::size_t i = known; i < symbols.all().size(); ++i) {
      Symbol& symbol = *symbols.find(symbols.all()[i].name);
      symbol.where = in_file(symbol.where);
    }
    return result;
  } catch (const Error& error) {
    std::vector<Diagnostic> moved(error.diagnostics().begin(), error.diagnostics().end());
    for (Diagnostic& diagnostic : moved) diagnostic.where = in_file(diagnostic.where);
    throw Error(std::move(moved));
  }
}

}  // namespace

GiNaC::ex parse(const Passage& passage, const SourceText& source, SymbolTable& symbols) {
  return read_through(passage, source, symbols, [&](const SourceSpan& where) { return parse(passage.text, symbols, where); });
}

GiNaC::ex parse_value(const Passage& passage, const SourceText& source, SymbolTable& symbols) {
  const Passage value = passage.trimmed();
  return read_through(value, source, symbols, [&](const SourceSpan& where) { return parse_value(value.text, symbols, where); });
}

std::vector<Passage> split(const Passage& passage, char separator) {
  std::vector<Passage> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i < passage.text.size(); ++i) {
    const char c = passage.text[i];
    if (c == '\\') ++i;
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c != separator || depth > 0) continue;
    parts.push_back(passage.part(begin, i - begin));
    begin = i + 1;
  }
  parts.push_back(passage.part(begin, passage.text.size() - begin));
  return parts;
}

void Problems::error(SourceSpan where, std::string message, Remedy hint) {
  errors_.push_back({std::move(where), std::move(message), std::move(hint), Severity::error});
}

void Problems::warn(SourceSpan where, std::string message, Remedy hint) {
  if (warnings_.size() < most) warnings_.push_back({std::move(where), std::move(message), std::move(hint), Severity::warning});
}

void Problems::remark(SourceSpan where, std::string message, Remedy hint) {
  if (warnings_.size() < most) warnings_.push_back({std::move(where), std::move(message), std::move(hint), Severity::remark});
}

void Problems::add(const Error& error) { errors_.insert(errors_.end(), error.diagnostics().begin(), error.diagnostics().end()); }

void Problems::finish(std::vector<Diagnostic>* notes) {
  if (!errors_.empty()) {
    std::ranges::stable_sort(errors_, {}, [](const Diagnostic& d) { return std::pair(d.where.line, d.where.column); });
    if (full()) {
      errors_.resize(most);
      errors_.push_back(
          {{}, "these are the first " + std::to_string(most) + " errors", "mend them and check again", Severity::note});
    }
    errors_.insert(errors_.end(), warnings_.begin(), warnings_.end());
    throw Error(std::move(errors_));
  }
  if (notes) notes->insert(notes->end(), warnings_.begin(), warnings_.end());
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t few = 10;
  const std::string near = name.size() > 1 ? nearest(name, candidates) : "";
  if (!near.empty()) return "did you mean '" + near + "'?";
  if (candidates.empty() || candidates.size() > few) return "";
  std::string list;
  for (const std::string& candidate : candidates) list += (list.empty() ? "known are: " : ", ") + candidate;
  return list;
}

std::string counted(std::size_t count, std::string_view noun) {
  std::string text = std::to_string(count) + " " + std::string(noun);
  if (count == 1) return text;
  if (!text.ends_with('y')) return text + "s";
  return text.substr(0, text.size() - 1) + "ies";
}

std::string in_quotes(std::string_view name) {
  constexpr std::size_t longest = 60;
  std::string text = "'";
  std::size_t count = 0;
  for (std::size_t i = 0; i < name.size();) {
    if (count++ == longest) {
      text += "…";
      break;
    }
    const std::size_t length = std::max<std::size_t>(1, utf8_length(name.substr(i)));
    text += is_blank(name[i]) || steering_bytes(name.substr(i)) != 0 ? " " : name.substr(i, length);
    i += length;
  }
  return text + "'";
}

}  // namespace sfg
