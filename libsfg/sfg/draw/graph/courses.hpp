#pragma once
// Not installed: where the links of an arrangement run, and what a link meets.
#include <cstddef>
#include <vector>

namespace sfg {

/// Each part is an array over the links, so that one link is compared with all others by vector instructions: a search
/// compares some ten million pairs for a graph of thirty branches.
class Courses {
 public:
  struct Course {
    int left = 0, right = 0;        ///< columns
    int at_left = 0, at_right = 0;  ///< twice the rows of the ends; of an upright one the upper and the lower
    int middle = 0;                 ///< twice the track, or midway
    bool straight = false;
    bool sloping = false;
  };
  static constexpr int crossing = 100;
  static constexpr int collision = 400;

  void resize(std::size_t links);
  void set(std::size_t link, const Course&);
  /// Twice the track of every link, or midway between its ends.
  const std::vector<int>& middles() const { return middle_; }

  /// What a link costs beside all others that are counted (1; else 0), itself not among them.
  int met_by(std::size_t link, const std::vector<int>& counted) const;
  /// What a link costs on its way through nodes. @param rows  of the nodes, twice
  int through_nodes(std::size_t link, const std::vector<int>& columns, const std::vector<int>& rows) const;
  /// What a node costs in the way of all links that are counted. @param row  twice its row
  int through_links(int column, int row, const std::vector<int>& counted) const;

 private:
  int met_by_upright(std::size_t link, const std::vector<int>& counted) const;

  std::vector<int> left_, right_, at_left_, at_right_, middle_, straight_, sloping_;  // the last two 0 or 1
};

}  // namespace sfg
