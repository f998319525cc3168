#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sfg/remedy.hpp"

namespace sfg {

// How questions end without an answer. A Failure says what is wrong with a model, a limit or a question, in words for the person
// who asked; what is wrong with a program that calls the library is a std::logic_error as usual.

/// A place in a text: 1-based line and column (in characters, not bytes); 0 where unknown.
/// The file name is shared by all spans of a file.
struct SourceSpan {
  std::shared_ptr<const std::string> file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 0;

  /// The span `characters` further right on the same line.
  SourceSpan shifted(std::uint32_t characters) const;
  friend bool operator==(const SourceSpan&, const SourceSpan&);
};

/// "file:line:column", or as much of it as is known.
std::string to_string(const SourceSpan&);

/// How much something matters to the answer; the command shows errors and warnings always.
enum class Severity {
  error,    ///< there is no answer
  warning,  ///< the answer may not be the one that was meant: shown under --quiet too
  remark,   ///< a part of the input that the answer leaves out, or that is unusual: a warning, but not under --quiet
  note,     ///< what else is known of the input: shown by check, by derive and with --verbose
};

/// One thing to say about the user's input: where, what is wrong, what to do.
struct Diagnostic {
  SourceSpan where = {};
  std::string message = {};
  Remedy hint = {};
  Severity severity = Severity::error;
};

/// "file:line:column: error: message; hint" — the form of every message of the command.
std::string to_string(const Diagnostic&);

/// Every way in which a question ends without its answer: what is wrong, where as far as known, and what to do.
/// What is no Failure is a mistake of the calling program (std::invalid_argument, std::out_of_range) or of the library.
class Failure : public std::runtime_error {
 public:
  const Remedy& remedy() const noexcept { return remedy_; }
  const SourceSpan& where() const noexcept { return where_; }

 protected:
  explicit Failure(const std::string& message, Remedy remedy = {}, SourceSpan where = {});

 private:
  Remedy remedy_;
  SourceSpan where_;
};

/// The user's input is wrong. Carries every problem that was found; remedy() and where() are those of the first.
class Error : public Failure {
 public:
  Error(SourceSpan where, std::string message, Remedy hint = {});
  explicit Error(Diagnostic);
  /// Several at once, so that a file is mended in one go.
  explicit Error(std::vector<Diagnostic>);
  /// In the order of the file.
  std::span<const Diagnostic> diagnostics() const noexcept { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// A limit of the analysis (time, memory, terms) was reached; the message names the limit and what would do.
class LimitReached : public Failure {
 public:
  explicit LimitReached(const std::string& message, Remedy remedy = {}) : Failure(message, std::move(remedy)) {}
};

/// The question has no answer: a singular graph, no convergence, unstable where stability is needed.
class NoAnswer : public Failure {
 public:
  explicit NoAnswer(const std::string& message, Remedy remedy = {}, SourceSpan where = {})
      : Failure(message, std::move(remedy), std::move(where)) {}
};

/// The user asked to stop (std::stop_token of the Budget): nothing is wrong, and there is no answer.
class Cancelled : public Failure {
 public:
  Cancelled() : Failure("interrupted") {}
};

/// The candidate nearest to `name` in spelling (a name that differs in case is the nearest), or "" when none is near or one is
/// the very name: for hints of the kind "did you mean".
std::string nearest(std::string_view name, std::span<const std::string> candidates);

}  // namespace sfg
