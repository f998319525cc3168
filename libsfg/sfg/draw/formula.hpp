#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

/// Text of a plot: words and, among them, formulas: names of quantities, which are set in type as in diagrams (phi_y: φ with
/// index y), powers, numbers with a power of ten.
class Caption {
 public:
  struct Part {
    std::string text;  ///< as it is typed
    bool formula = false;
    Math math = {};  ///< of a formula
  };

  Caption() = default;
  Caption(const char* words) : Caption(std::string(words)) {}  // NOLINT: words are a caption
  Caption(std::string words);                                  // NOLINT
  /// The name of a signal or of a parameter.
  static Caption name(std::string_view);
  /// @param typed  how it reads where nothing is set in type
  static Caption formula(Math, std::string typed);
  /// As printf's %g prints it, with a minus sign and, for 1e-07, a power of ten.
  static Caption number(std::string_view printed);

  const std::vector<Part>& parts() const noexcept { return parts_; }
  bool empty() const noexcept { return parts_.empty(); }
  void clear() { parts_.clear(); }
  /// As text without type: names as they are typed.
  std::string plain() const;

  Caption& operator+=(const Caption&);
  friend Caption operator+(Caption left, const Caption& right) { return left += right; }
  friend std::ostream& operator<<(std::ostream&, const Caption&);  ///< plain
  /// Whether they read the same.
  friend bool operator==(const Caption& a, const Caption& b) { return a.plain() == b.plain(); }

 private:
  std::vector<Part> parts_;  ///< none is empty, no two of words lie side by side
};

/// "u → y" with both names set in type.
Caption transfer_caption(std::string_view input, std::string_view output);

/// A piece of text in one face: letters of names slanted, digits and functions upright.
struct TextRun {
  std::string text;
  double size = 0;
  bool italic = false;
  double raise = 0;   ///< of the baseline, upwards (sub- and superscripts)
  double before = 0;  ///< white space on its left
};

/// Text on one baseline, to be centred at x (so that a font of another width spoils nothing).
struct TextRow {
  double x = 0;
  double y = 0;  ///< of the baseline, downwards
  double width = 0;
  std::vector<TextRun> runs = {};
};

/// The bar of a fraction or of a root.
struct TextRule {
  double x1 = 0;
  double x2 = 0;
  double y = 0;
  double thickness = 1;
};

/// Mathematics set in type: rows of text and rules about an origin at the left end of the baseline; y downwards, lengths
/// in pixels, widths by the metrics of a Times face.
struct Formula {
  double width = 0;
  double ascent = 0;
  double descent = 0;
  std::vector<TextRow> rows = {};
  std::vector<TextRule> rules = {};

  double height() const noexcept { return ascent + descent; }
  /// The same with its origin at (x, y).
  Formula moved(double x, double y) const;
  /// `next` set on the right of this one after a gap.
  Formula followed_by(const Formula& next, double gap) const;
};

/// Sets a formula in type.
Formula typeset(const Math&, double size);
/// The same broken before signs of the outermost sum into lines no wider than `width` where that is possible.
std::vector<Formula> typeset_lines(const Math&, double size, double width);
/// Text as it is, upright.
Formula typeset_plain(std::string_view text, double size);

}  // namespace sfg
