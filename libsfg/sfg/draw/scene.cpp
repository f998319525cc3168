#include "sfg/draw/scene.hpp"

namespace sfg {

void shift(SceneGroup& group, Point by) {
  for (SceneShape& shape : group.shapes)
    for (Point& p : shape.points) p = {p.x + by.x, p.y + by.y};
  for (SceneText& text : group.texts) {
    text.label.formula = text.label.formula.moved(by.x, by.y);
    text.label.centre = {text.label.centre.x + by.x, text.label.centre.y + by.y};
  }
  for (SceneWords& words : group.words) words.at = {words.at.x + by.x, words.at.y + by.y};
  for (SceneGroup& inner : group.groups) shift(inner, by);
}

}  // namespace sfg
