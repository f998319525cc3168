#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace sfg {

/// Text of a plot: words and, among them, names of quantities, which are set in type as in diagrams (phi_y: φ with index y).
class Caption {
 public:
  struct Part {
    std::string text;
    bool name = false;
  };

  Caption() = default;
  Caption(const char* words) : Caption(std::string(words)) {}  // NOLINT: words are a caption
  Caption(std::string words);                                  // NOLINT
  /// The name of a signal or of a parameter.
  static Caption name(std::string_view);

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

}  // namespace sfg
