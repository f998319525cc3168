#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sfg/model/multibody.hpp"

namespace sfg {

/// What a structure matrix MS states (Mráz): bodies and the joints between them as a spanning forest and the joints that close
/// its loops. Bodies are numbered from 1, by rows and columns.
struct Structure {
  struct Joint {
    std::size_t first, second;  ///< bodies; of the forest: predecessor and successor, of a cut joint the smaller number first
    int code;
    friend bool operator==(const Joint&, const Joint&) = default;
  };
  /// What is wrong, and at which entry (numbers from 1; 0 where it is no entry).
  struct Mistake {
    enum class Kind { not_square, diagonal, different_codes, unknown_code, no_base_body, disconnected };
    Kind kind;
    std::size_t row = 0, column = 0;
    std::string message = {}, hint = {};
  };
  std::vector<std::size_t> bases;        ///< of the trees; the first is the frame
  std::vector<std::size_t> predecessor;  ///< by body, [0] is body 1; 0 of a base
  std::vector<Joint> tree_joints;        ///< ordered by predecessor, then successor
  std::vector<Joint> cut_joints;
  std::vector<Mistake> mistakes;  ///< with any of them the rest is empty

  /// Joints − bodies + trees.
  std::size_t loops() const { return cut_joints.size(); }
};

/// Row i, column j ≠ 0: a joint of that code from the predecessor i to the successor j. Non-zero in both directions: a joint that
/// closes a loop. A body with an empty column is the base of a tree. The forest is searched in breadth, along joints that are not
/// marked as closing a loop first, then by the smallest number.
Structure structure(const std::vector<std::vector<long>>& matrix);

/// The kind of joint of a code; nothing for a number that is none.
std::optional<Multibody::JointKind> joint_kind(long code);
/// "revolute"; the names of a model file.
const char* to_string(Multibody::JointKind);
std::optional<Multibody::JointKind> joint_kind_named(std::string_view name);
/// Coordinates of a joint, in the plane or in space.
std::size_t coordinate_count(Multibody::JointKind, bool planar);
/// Speeds that are not rates of coordinates.
std::size_t speed_count(Multibody::JointKind, bool planar);

}  // namespace sfg
