#include "sfg/plot/curves.hpp"

#include <fmt/format.h>

#include <cmath>

namespace sfg {

namespace {

constexpr std::size_t few = 7, most_lines = 12, shown_of_many = 6;
constexpr std::size_t most_told_apart = 24;  // by colour, dash and mark

/// "zeta=0.3, wn=2" as it is read: ζ = 0.3, ω_n = 2.
Caption in_type(const std::string& set) {
  Caption text;
  for (std::size_t begin = 0; begin < set.size();) {
    const std::size_t comma = std::min(set.find(", ", begin), set.size()), sign = set.find('=', begin);
    if (begin > 0) text += ", ";
    if (sign < comma)
      text += Caption::name(set.substr(begin, sign - begin)) + " = " + set.substr(sign + 1, comma - sign - 1);
    else
      text += set.substr(begin, comma - begin);
    begin = comma + 2;
  }
  return text;
}

}  // namespace

Curves::Curves(std::size_t count, const FigureOptions& options) : count_(count), sets_(options.sets) {
  while (per_set_ < sets_.size() && sets_[per_set_] == sets_.front()) ++per_set_;
}

bool Curves::in_legend(std::size_t set) const {
  const std::size_t sets = count_ / per_set_;
  if (count_ <= most_lines) return true;
  for (std::size_t k = 0; k < shown_of_many; ++k)
    if (set == k * (sets - 1) / (shown_of_many - 1)) return true;
  return false;
}

Series Curves::curve(std::size_t index, const Caption& name, std::vector<double> x, std::vector<double> y,
                     Series::Style style) const {
  Series series{"", std::move(x), std::move(y), style, index};
  if (count_ > 1 && (sets_.empty() || count_ <= few)) series.pattern = index;
  const auto on_ramp = [&](std::size_t place, std::size_t of) {
    series.colour.reset();
    series.shade = static_cast<double>(place) / static_cast<double>(std::max<std::size_t>(of, 2) - 1);
  };
  if (sets_.empty()) {
    if (count_ > 1) series.label = name;
    if (count_ > most_told_apart) on_ramp(index, count_);
    return series;
  }
  const std::size_t set = index / per_set_;
  series.set = sets_[index];
  if (count_ > few) on_ramp(set, count_ / per_set_);
  if (!name.empty() && in_legend(set)) series.label = (per_set_ > 1 ? name + ", " : Caption()) + in_type(sets_[index]);
  return series;
}

Series marked(Series series, const std::string& kind, const std::string& input, const std::string& output) {
  series.kind = kind;
  if (!input.empty()) series.transfer = output + "/" + input;
  return series;
}

Figure empty_figure(Caption title, std::string description, const FigureOptions& options) {
  Figure f;
  f.title = std::move(title);
  f.description = std::move(description);
  f.theme = options.theme;
  return f;
}

std::string four_digits(double value) { return (value < 0 ? "−" : "") + fmt::format("{:.4g}", std::abs(value)); }

}  // namespace sfg
