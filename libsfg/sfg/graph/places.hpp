#pragma once
#include <map>
#include <string>
#include <vector>

namespace sfg {

/// Where a picture has its nodes and branches, in pixels, y downwards: what a later picture of a changed graph can keep.
struct Places {
  struct At {
    double x = 0, y = 0;
  };
  struct Course {
    std::string from, to;
    std::vector<At> curve;  ///< a Bézier curve of third order from node to node: 3k + 1 points
  };
  std::map<std::string, At, std::less<>> nodes = {};  ///< by name
  std::vector<Course> courses = {};
};

}  // namespace sfg
