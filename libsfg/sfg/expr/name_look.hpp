#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/notation.hpp"

namespace sfg {

/// A letter or a word of a name as it is set, with what stands over it, below it and above it on its right.
struct NamePiece {
  enum class Face : char { slanted, upright, bold };

  std::string text;  ///< in UTF-8; empty: `inside`
  Face face = Face::slanted;
  std::string_view accent = {};        ///< the command without its backslash: "dot"; of name_accent()
  std::vector<NamePiece> inside = {};  ///< what the accent is over, where that is more than a letter
  std::vector<NamePiece> below = {}, above = {};

  bool operator==(const NamePiece&) const = default;
};
using NameLine = std::vector<NamePiece>;

/// How a name is set: base and indices, whatever the notation. `latex` is what an author wants in its place, as it was written.
struct NameLook {
  NameLine line;
  std::string latex = {};
};

/// A sign that stands over letters: its command, the sign as a letter of its own, and as a mark that combines.
struct NameAccent {
  std::string_view command, sign, mark;
};
const NameAccent* name_accent(std::string_view command);  ///< nullptr: none
bool is_accent_sign(std::string_view text);

/// By the rule of docs/guide/names.md: what stands before the first "_" is the base, each further part an index; "gm_M1" is g
/// with m and M1, "phix" φ with x, "load1" the word load with 1, "v(out)" V with out. What is no name stands as it is.
NameLine name_line(std::string_view name);
/// As it is written, upright.
NameLine name_as_written(std::string_view name);
/// With that many dots over its base: a rate.
NameLine with_dots(NameLine, int dots);
/// On one line, as an index of something else: φ with x is φx.
NameLine flattened(const NameLine&);
/// Whether it ends raised, so that a power of it stands behind brackets.
bool needs_brackets_for_power(const NameLine&);
/// The same for two names that a reader would take for one another, in whatever notation: letters alone, whatever their face.
std::string look_key(const NameLine&);

/// LaTeX, Unicode or the markup of Graphviz.
std::string write(const NameLine&, Notation);
std::string latex(const NameLook&);

/// The command of a Greek letter: "\\varphi" of "φ"; "" of any other character.
std::string_view greek_in_latex(std::string_view character);
std::string_view greek_by_name(std::string_view word);    ///< φ of "phi"; "" of any other word
std::string_view greek_word(std::string_view character);  ///< "phi" of φ
std::string sign_in_latex(std::string_view sign);         ///< "\\star" of ⋆

/// What is wrong with LaTeX that is to stand for a name, and where: offset in bytes.
struct NameLatexError {
  std::size_t at = 0;
  std::string message;
};
/// The subset of LaTeX in which authors say how a name is set (docs/guide/names.md): letters, digits, Greek letters and signs,
/// accents, faces, groups, one index and one power each. Nothing of it runs, and nothing leaves its place.
/// @throws NameLatexError for anything else
NameLook name_from_latex(std::string_view latex);

}  // namespace sfg
