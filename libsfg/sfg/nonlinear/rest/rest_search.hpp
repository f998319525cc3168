#pragma once
#include <vector>

#include "sfg/budget.hpp"
#include "sfg/nonlinear/rest/rest_pieces.hpp"
#include "sfg/nonlinear/rest/rest_system.hpp"

// Not installed.
namespace sfg {

/// What a search for states of rest found.
struct RestFound {
  std::vector<RestBox> states;  ///< narrow boxes with exactly one each
  /// Points where doubles cannot tell: a double solution, the end of what a law is defined for, the end of a set.
  struct Doubt {
    RestBox box;
    bool holds;  ///< the equations hold there
  };
  std::vector<Doubt> doubts;
  std::vector<RestPiece> pieces;  ///< of sets, and states at jumps
  bool whole = true;              ///< the box was searched to the end: there is nothing else
  std::size_t boxes = 0;          ///< that were examined
};

/// Their middles are the same to a millionth.
bool near(const RestBox&, const RestBox&);

/// All solutions at rest in a box: it is cut until the interval Newton operator (Krawczyk 1969) proves that there is none or
/// exactly one, or until what is left is a polytope of them. Where that does not end, Newton's method from many starts adds
/// states that are proven each, and the result is not complete.
/// @param most_boxes  after which it counts as without end
RestFound search_rest(const RestSystem&, const CompiledLaws&, RestBox, std::size_t most_boxes, const Budget&);

}  // namespace sfg
