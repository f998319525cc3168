#include "sfg/draw/formula.hpp"

#include <ostream>
#include <utility>

namespace sfg {

Caption::Caption(std::string words) {
  if (!words.empty()) parts_.push_back({std::move(words)});
}

Caption Caption::name(std::string_view name) { return formula(Math::signal(name), std::string(name)); }

Caption Caption::formula(Math math, std::string typed) {
  Caption made;
  if (!typed.empty()) made.parts_.push_back({std::move(typed), true, std::move(math)});
  return made;
}

Caption Caption::number(std::string_view printed) {
  const bool negative = printed.starts_with('-');
  if (negative) printed.remove_prefix(1);
  const std::string sign = negative ? "−" : "";
  const auto e = printed.find('e');
  if (e == std::string_view::npos) return sign + std::string(printed);
  const auto digit = printed.find_first_not_of("+-0", e + 1);
  const std::string typed =
      std::string(printed.substr(0, e)) + (printed[e + 1] == '-' ? "e−" : "e") + std::string(printed.substr(digit));
  return sign + formula(Math::number(printed), typed);
}

std::string Caption::plain() const {
  std::string text;
  for (const Part& part : parts_) text += part.text;
  return text;
}

Caption& Caption::operator+=(const Caption& other) {
  for (const Part& part : std::vector<Part>(other.parts_)) {
    if (!parts_.empty() && !parts_.back().formula && !part.formula)
      parts_.back().text += part.text;
    else
      parts_.push_back(part);
  }
  return *this;
}

std::ostream& operator<<(std::ostream& out, const Caption& caption) { return out << caption.plain(); }

Caption transfer_caption(std::string_view input, std::string_view output) {
  const auto comma = input.find(',');  // of a loop opened at a branch: the names of its ends
  const Caption from = comma == std::string_view::npos
                           ? Caption::name(input)
                           : Caption::name(input.substr(0, comma)) + "," + Caption::name(input.substr(comma + 1));
  return from + " → " + Caption::name(output);
}

}  // namespace sfg
