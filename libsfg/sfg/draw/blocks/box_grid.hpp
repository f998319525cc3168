#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sfg/draw/curve.hpp"

namespace sfg {

/// Numbered boxes by the cells of a grid: those near a place are found without looking at all.
class BoxGrid {
 public:
  explicit BoxGrid(const Box& area, double cell = 40) : area_(area) {
    constexpr double most_cells = 250'000;
    const double width = std::max(area.right - area.left, 1.0), height = std::max(area.bottom - area.top, 1.0);
    cell_ = std::max({cell, std::sqrt(width * height / most_cells), std::max(width, height) / most_cells});
    columns_ = static_cast<std::size_t>(width / cell_) + 1;
    rows_ = static_cast<std::size_t>(height / cell_) + 1;
    cells_.resize(columns_ * rows_);
  }

  void insert(std::size_t number, const Box& box) {
    if (number >= seen_.size()) seen_.resize(number + 1, 0);
    each_cell(box, [&](std::vector<std::uint32_t>& cell) { cell.push_back(static_cast<std::uint32_t>(number)); });
  }
  /// The box must be the one that was inserted.
  void erase(std::size_t number, const Box& box) {
    each_cell(box, [&](std::vector<std::uint32_t>& cell) { std::erase(cell, static_cast<std::uint32_t>(number)); });
  }
  /// Calls f once with every number whose cells the box meets.
  template <class F>
  void visit(const Box& box, const F& f) {
    ++visit_;
    each_cell(box, [&](const std::vector<std::uint32_t>& cell) {
      for (const std::uint32_t number : cell) {
        if (seen_[number] == visit_) continue;
        seen_[number] = visit_;
        f(static_cast<std::size_t>(number));
      }
    });
  }

 private:
  template <class F>
  void each_cell(const Box& box, const F& f) {
    const auto index = [&](double at, std::size_t count) {
      return static_cast<std::size_t>(std::clamp(at / cell_, 0.0, static_cast<double>(count - 1)));
    };
    const std::size_t left = index(box.left - area_.left, columns_), right = index(box.right - area_.left, columns_);
    const std::size_t top = index(box.top - area_.top, rows_), bottom = index(box.bottom - area_.top, rows_);
    for (std::size_t row = top; row <= bottom; ++row)
      for (std::size_t column = left; column <= right; ++column) f(cells_[row * columns_ + column]);
  }

  Box area_;
  double cell_ = 1;
  std::size_t columns_ = 1, rows_ = 1;
  std::vector<std::vector<std::uint32_t>> cells_;
  std::vector<std::uint64_t> seen_;
  std::uint64_t visit_ = 0;
};

}  // namespace sfg
