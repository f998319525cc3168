#include "sfg/plot/curves.hpp"

#include <algorithm>

namespace sfg {

namespace {

constexpr std::size_t few = 7, most_lines = 12, shown_of_many = 6;

std::string spaced(const std::string& set) {
  std::string text;
  for (const char c : set) text += c == '=' ? std::string(" = ") : std::string(1, c);
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

Series Curves::curve(std::size_t index, const std::string& name, std::vector<double> x, std::vector<double> y,
                     Series::Style style) const {
  Series series{"", std::move(x), std::move(y), style, index};
  if (sets_.empty()) {
    if (count_ > 1) series.label = name;
    return series;
  }
  const std::size_t set = index / per_set_, sets = std::max<std::size_t>(count_ / per_set_, 2);
  series.set = sets_[index];
  if (count_ > few) {
    series.colour.reset();
    series.shade = static_cast<double>(set) / static_cast<double>(sets - 1);
  }
  if (!name.empty() && in_legend(set)) series.label = (per_set_ > 1 ? name + ", " : "") + spaced(sets_[index]);
  return series;
}

Figure empty_figure(Caption title, std::string description, const FigureOptions& options) {
  Figure f;
  f.title = std::move(title);
  f.description = std::move(description);
  f.theme = options.theme;
  return f;
}

}  // namespace sfg
