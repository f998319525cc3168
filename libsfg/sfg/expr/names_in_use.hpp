#pragma once
#include <map>
#include <memory>
#include <set>
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
/// "x(bob)", "fx(hinge)", "f(G.2)" of a model: x with bob, f with x, hinge. Anything else by the rule.
NameLine name_at_place(std::string_view name);
/// What stands in the brackets of "x(bob)"; "" of anything else.
std::string_view place_in_name(std::string_view name);
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

/// The names of one input and how each is set: by the rule, as its author says, a rate with dots; names that would look alike
/// stand as they are written. Found out when the first of them is asked for.
class NameTable {
 public:
  void add(std::string_view name);
  void set(std::string_view name, NameLook);  ///< what an author says
  /// A body, a joint, an element, a node of a model: "x(PLACE)" is a signal of it, where x(t) is a name as any other.
  void add_place(std::string_view place) { places_.emplace(place); }
  /// `rate` is the derivative of `of`: D with one dot, DD with two.
  void add_rate(std::string_view rate, std::string_view of, int dots);
  void add(const NameTable&);

  /// Of a name that is not in the table: by the rule, unless it would look like one of the table.
  NameLook look(std::string_view name) const;
  /// What authors say of names: "Kp=K_p^{*}, y=\\dot{y}", as files keep it.
  std::string stated() const;

 private:
  struct Entry {
    NameLook set = {};    ///< empty: by the rule
    std::string of = {};  ///< of a rate
    int dots = 0;
    bool written = false;  ///< it stands as it is written
    NameLook found = {};
    std::string key = {};
  };
  NameLook by_rule(std::string_view name) const;
  NameLook wanted(const std::string& name, const Entry&) const;
  void find_out() const;

  mutable std::vector<std::string>
      added_;  ///< not among the entries yet: nobody may ask for the names of a graph of a million nodes
  mutable std::map<std::string, Entry, std::less<>> entries_;
  mutable std::map<std::string, std::string, std::less<>> by_key_;  ///< the name that looks so
  mutable bool known_ = true;
  std::set<std::string, std::less<>> places_;
};

/// "Kp=K_p^{*}, y=\\dot{y}" into the table; the names that it is about.
/// @throws NameLatexError where it is no such list, with its place in the text
std::vector<std::string> add_stated(NameTable&, std::string_view list);

/// The names that this thread writes and draws are those of this table, as long as it lives, and those of the tables around it.
/// Without any a name is set by the rule alone.
class NamesInUse {
 public:
  explicit NamesInUse(NameTable = {});
  ~NamesInUse();
  NamesInUse(const NamesInUse&) = delete;
  NamesInUse& operator=(const NamesInUse&) = delete;

  /// More names, for the rest of the innermost one; without any nothing is kept.
  static void add(const NameTable&);
  static NameLook look(std::string_view name);
  static NameTable all();

 private:
  std::unique_ptr<NameTable> table_;
  NameTable* outer_;
};

}  // namespace sfg
