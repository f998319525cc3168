#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sfg {

// The names of what an elastic body is made of in Mráz's lists of substitutions, and their places in the array kon: of every
// point [mass, x, y, z, (tx, ty, tz, rx, ry, rz) of every mode], then the modal stiffness row by row.

/// A constant of the elastic body number `body`.
struct ElasticConstant {
  enum class Kind {
    mass,         ///< `mp<k>b<b>`
    place,        ///< `lp<k><x|y|z>b<b>`
    translation,  ///< `v<j>p<k><x|y|z>b<b>`
    rotation,     ///< `r<j>p<k><x|y|z>b<b>`
    stiffness,    ///< `k<i>_<j>b<b>`
  };
  Kind kind = Kind::mass;
  std::size_t body = 1;
  std::size_t point = 1;  ///< of stiffness: the row
  std::size_t mode = 1;   ///< of stiffness: the column
  std::size_t axis = 0;   ///< x, y, z: 0, 1, 2

  std::string name() const;
  friend bool operator==(const ElasticConstant&, const ElasticConstant&) = default;
};

/// What a name is in Mráz's scheme; nothing for any other.
std::optional<ElasticConstant> elastic_constant(std::string_view name);
/// All of a body, in the order of kon.
std::vector<ElasticConstant> elastic_constants(std::size_t body, std::size_t points, std::size_t modes);

/// `s<i>`, `e<j>b<b>`, `s<i>d`, `e<j>b<b>d`.
struct NamedState {
  bool rate = false;
  std::size_t body = 0;  ///< 0: the coordinate of a joint
  std::size_t number = 1;
  friend auto operator<=>(const NamedState&, const NamedState&) = default;  ///< [S; E; Sd; Ed]
};
std::optional<NamedState> named_state(std::string_view name);

}  // namespace sfg
