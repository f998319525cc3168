#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "sfg/expr/math_tree.hpp"

namespace sfg {

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
