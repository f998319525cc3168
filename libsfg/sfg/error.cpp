#include "sfg/error.hpp"

#include <algorithm>
#include <numeric>

#include "sfg/text/printable.hpp"
#include "sfg/text/utf8.hpp"

namespace sfg {

SourceSpan SourceSpan::shifted(std::uint32_t characters) const {
  SourceSpan moved = *this;
  if (moved.column != 0) moved.column += characters;
  return moved;
}

bool operator==(const SourceSpan& a, const SourceSpan& b) {
  const bool same_file = a.file == b.file || (a.file && b.file && *a.file == *b.file);
  return same_file && a.line == b.line && a.column == b.column && a.length == b.length;
}

std::string to_string(const SourceSpan& span) {
  constexpr std::size_t longest_path = 1000;
  std::string text = span.file ? printable(cut_to_bytes(*span.file, longest_path)) : std::string{};
  if (span.file && span.file->size() > longest_path) text += "…";
  if (span.line == 0) return text;
  if (!text.empty()) text += ':';
  text += std::to_string(span.line);
  if (span.column != 0) text += ':' + std::to_string(span.column);
  return text;
}

std::string to_string(const Diagnostic& diagnostic) {
  std::string text = to_string(diagnostic.where);
  if (!text.empty()) text += ": ";
  switch (diagnostic.severity) {
    case Severity::error: text += "error: "; break;
    case Severity::warning:
    case Severity::remark: text += "warning: "; break;
    case Severity::note: text += "note: "; break;
  }
  text += message_text(diagnostic.message);
  if (!diagnostic.hint.empty()) text += "; " + message_text(diagnostic.hint.text());
  return text;
}

namespace {

/// Whatever texts of files and command lines the messages quote: it is here that they become messages. Of very many errors the
/// first ones are kept.
const std::vector<Diagnostic>& made_fit_to_say(std::vector<Diagnostic>& diagnostics) {
  constexpr std::size_t most = 100;
  std::size_t errors = 0;
  std::erase_if(diagnostics, [&](const Diagnostic& d) { return d.severity == Severity::error && ++errors > most; });
  if (errors > most)
    diagnostics.push_back({{},
                           "these are the first " + std::to_string(most) + " errors of " + std::to_string(errors),
                           "mend them and check again",
                           Severity::note});
  for (Diagnostic& diagnostic : diagnostics) diagnostic.message = message_text(diagnostic.message);
  return diagnostics;
}

std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(d);
  }
  return text;
}

/// Insertions, deletions, substitutions and exchanges of neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(previous, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({previous[j] + (a[i] == b[j] ? 0 : 1), previous[j + 1] + 1, row[j] + 1});
      const bool exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (exchanged) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

/// Of ASCII letters.
bool same_but_for_case(std::string_view a, std::string_view b) {
  const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return small(x) == small(y); });
}

}  // namespace

Failure::Failure(const std::string& message, Remedy remedy, SourceSpan where)
    : std::runtime_error(message_text(message)), remedy_(std::move(remedy)), where_(std::move(where)) {}

Error::Error(SourceSpan where, std::string message, Remedy hint)
    : Error(Diagnostic{std::move(where), std::move(message), std::move(hint)}) {}

Error::Error(Diagnostic diagnostic) : Error(std::vector<Diagnostic>{std::move(diagnostic)}) {}

Error::Error(std::vector<Diagnostic> diagnostics)
    : Failure(joined(made_fit_to_say(diagnostics)), diagnostics.empty() ? Remedy() : diagnostics.front().hint,
              diagnostics.empty() ? SourceSpan() : diagnostics.front().where),
      diagnostics_(std::move(diagnostics)) {}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t longest_compared = 64;  // a hint, not a search: long names are not misspelt short ones
  std::string best;
  std::size_t least = std::max<std::size_t>(1, name.size() / 3) + 1;
  if (name.size() > longest_compared) return best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_compared || candidate == name) continue;
    if (same_but_for_case(name, candidate)) return candidate;
    const std::size_t distance = edit_distance(name, candidate);
    const bool nothing_in_common = distance >= std::max(name.size(), candidate.size());
    if (distance < least && !nothing_in_common) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace sfg
