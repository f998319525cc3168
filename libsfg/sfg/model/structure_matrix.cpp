#include "sfg/model/structure_matrix.hpp"

#include <algorithm>
#include <array>

namespace sfg {

namespace {

using JointKind = Multibody::JointKind;
using Mistake = Structure::Mistake;

/// Codes are the place in this table, from 1 (Mráz's own table is lost; 1, 2 and 8 follow from his slider-crank).
constexpr std::array<const char*, 9> names{"revolute",    "prismatic", "weld",     "spherical", "universal",
                                           "cylindrical", "planar",    "revolute", "free"};

std::string place(std::size_t row, std::size_t column) {
  return "row " + std::to_string(row) + ", column " + std::to_string(column);
}

/// A joint of the matrix as a line between two bodies.
struct Line {
  std::size_t first, second;  ///< first < second
  int code;
  bool marked;  ///< closes a loop
};

class StructureSearch {
 public:
  explicit StructureSearch(const std::vector<std::vector<long>>& matrix) : matrix_(matrix) {}

  Structure result() {
    check();
    if (found_.mistakes.empty()) lines();
    if (found_.mistakes.empty()) forest();
    if (found_.mistakes.empty()) return std::move(found_);
    Structure wrong;
    wrong.mistakes = std::move(found_.mistakes);
    return wrong;
  }

 private:
  std::size_t size() const { return matrix_.size(); }
  void wrong(Mistake::Kind kind, std::size_t row, std::size_t column, std::string message, std::string hint) {
    found_.mistakes.push_back({kind, row, column, std::move(message), std::move(hint)});
  }

  void check() {
    for (std::size_t i = 0; i < size(); ++i) {
      if (matrix_[i].size() != size()) {
        wrong(Mistake::Kind::not_square, i + 1, 0,
              "row " + std::to_string(i + 1) + " of the structure matrix has " + std::to_string(matrix_[i].size()) +
                  " entries and the matrix " + std::to_string(size()) + " rows",
              "the matrix is square: a row and a column for the frame and for each body");
        continue;
      }
      for (std::size_t j = 0; j < size(); ++j) entry(i, j);
    }
  }

  void entry(std::size_t i, std::size_t j) {
    const long code = matrix_[i][j];
    if (code == 0) return;
    if (i == j)
      wrong(Mistake::Kind::diagonal, i + 1, j + 1,
            "a joint of body " + std::to_string(i + 1) + " with itself (" + place(i + 1, j + 1) + " of the structure matrix)",
            "the diagonal is 0");
    else if (!joint_kind(code))
      wrong(Mistake::Kind::unknown_code, i + 1, j + 1,
            "the code " + std::to_string(code) + " in " + place(i + 1, j + 1) + " of the structure matrix is none",
            "codes are 1 revolute, 2 prismatic, 3 weld, 4 spherical, 5 universal, 6 cylindrical, 7 planar, 8 revolute between "
            "bodies, 9 free; 0 is no joint");
  }

  void lines() {
    for (std::size_t i = 0; i < size(); ++i)
      for (std::size_t j = i + 1; j < size(); ++j) {
        const long down = matrix_[i][j], up = matrix_[j][i];
        if (down != 0 && up != 0 && down != up)
          wrong(Mistake::Kind::different_codes, i + 1, j + 1,
                "the codes " + std::to_string(down) + " in " + place(i + 1, j + 1) + " and " + std::to_string(up) + " in " +
                    place(j + 1, i + 1) + " of the structure matrix differ",
                "entries in both directions are one joint that closes a loop: write the same code in both");
        else if (down != 0 || up != 0)
          lines_.push_back({i, j, static_cast<int>(down != 0 ? down : up), down != 0 && up != 0});
      }
  }

  bool is_base(std::size_t body) const {
    return std::ranges::all_of(matrix_, [&](const auto& row) { return row[body] == 0; });
  }

  void forest() {
    found_.predecessor.assign(size(), 0);
    reached_.assign(size(), false);
    used_.assign(lines_.size(), false);
    for (std::size_t body = 0; body < size(); ++body) {
      if (reached_[body] || !is_base(body)) continue;
      found_.bases.push_back(body + 1);
      reached_[body] = true;
      tree_.assign(1, body);
      while (grow(false) || grow(true)) {
      }
    }
    if (found_.bases.empty())
      return wrong(Mistake::Kind::no_base_body, 0, 0, "the structure matrix has no base body: every column has an entry",
                   "the column of the frame is empty");
    for (std::size_t body = 0; body < size(); ++body)
      if (!reached_[body])
        wrong(Mistake::Kind::disconnected, 0, body + 1,
              "body " + std::to_string(body + 1) + " (column " + std::to_string(body + 1) +
                  " of the structure matrix) is not connected with a base body",
              "state a joint in its column from a body that is, or leave the column of one of these bodies empty");
    for (std::size_t k = 0; k < lines_.size(); ++k)
      if (!used_[k]) found_.cut_joints.push_back({lines_[k].first + 1, lines_[k].second + 1, lines_[k].code});
    std::ranges::sort(found_.tree_joints, {}, [](const Structure::Joint& joint) { return std::pair(joint.first, joint.second); });
  }

  /// One search in breadth from all bodies of the tree, along lines without or with a mark; of the latter one alone, since
  /// those without come first.
  bool grow(bool marked) {
    bool grown = false;
    for (std::size_t next = 0; next < tree_.size(); ++next)
      for (std::size_t body = 0; body < size(); ++body) {
        if (reached_[body]) continue;
        const auto line = std::ranges::find_if(lines_, [&](const Line& other) {
          return other.marked == marked && other.first == std::min(body, tree_[next]) &&
                 other.second == std::max(body, tree_[next]);
        });
        if (line == lines_.end()) continue;
        reached_[body] = grown = true;
        used_[static_cast<std::size_t>(line - lines_.begin())] = true;
        found_.predecessor[body] = tree_[next] + 1;
        found_.tree_joints.push_back({tree_[next] + 1, body + 1, line->code});
        tree_.push_back(body);
        if (marked) return true;
      }
    return grown;
  }

  const std::vector<std::vector<long>>& matrix_;
  Structure found_;
  std::vector<Line> lines_;
  std::vector<bool> reached_, used_;
  std::vector<std::size_t> tree_;  ///< its bodies, in the order in which they are reached
};

}  // namespace

Structure structure(const std::vector<std::vector<long>>& matrix) { return StructureSearch(matrix).result(); }

std::optional<JointKind> joint_kind(long code) {
  if (code < 1 || code > static_cast<long>(names.size())) return {};
  return static_cast<JointKind>(code);
}

const char* to_string(JointKind kind) { return names[static_cast<std::size_t>(kind) - 1]; }

std::optional<JointKind> joint_kind_named(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return {};
  return static_cast<JointKind>(found - names.begin() + 1);
}

std::size_t coordinate_count(JointKind kind, bool planar) {
  switch (kind) {
    case JointKind::weld: return 0;
    case JointKind::revolute:
    case JointKind::revolute_between_bodies:
    case JointKind::prismatic: return 1;
    case JointKind::universal:
    case JointKind::cylindrical: return 2;
    case JointKind::planar: return 3;
    case JointKind::spherical: return 4;
    case JointKind::free: return planar ? 3 : 7;
  }
  return 0;
}

std::size_t speed_count(JointKind kind, bool planar) {
  if (kind == JointKind::spherical) return 3;
  return kind == JointKind::free && !planar ? 6 : 0;
}

}  // namespace sfg
