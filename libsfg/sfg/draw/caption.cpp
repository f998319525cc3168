#include "sfg/draw/formula.hpp"

#include <ostream>
#include <utility>

namespace sfg {

Caption::Caption(std::string words) {
  if (!words.empty()) parts_.push_back({std::move(words), false});
}

Caption Caption::name(std::string_view name) {
  Caption made;
  if (!name.empty()) made.parts_.push_back({std::string(name), true});
  return made;
}

std::string Caption::plain() const {
  std::string text;
  for (const Part& part : parts_) text += part.text;
  return text;
}

Caption& Caption::operator+=(const Caption& other) {
  for (const Part& part : std::vector<Part>(other.parts_)) {
    if (!parts_.empty() && !parts_.back().name && !part.name)
      parts_.back().text += part.text;
    else
      parts_.push_back(part);
  }
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Caption& caption) { return out << caption.plain(); }

Caption transfer_caption(std::string_view input, std::string_view output) {
  return Caption::name(input) + " → " + Caption::name(output);
}

}  // namespace sfg
