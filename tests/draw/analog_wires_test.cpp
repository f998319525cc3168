// Wires of random sheets: each from its output to its input, level and upright, through no element, never on a wire of another
// output.
#include "sfg/draw/blocks/analog_wires.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace sfg;

std::vector<WiredElement> random_sheet(unsigned seed) {
  std::mt19937 random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<WiredElement> elements;
  const unsigned columns = 2 + pick(5);
  for (unsigned c = 0; c < columns; ++c) {
    double y = 0;
    for (unsigned r = 0, rows = 1 + pick(4); r < rows; ++r) {
      const unsigned inputs = c == 0 && r == 0 ? 0 : 1 + pick(4);
      const double height = std::max(40.0, 34.0 * inputs) + 52;
      elements.push_back({{180.0 * c, y + height / 2}, 120, height});
      for (unsigned k = 0; k < inputs; ++k) elements.back().inputs.push_back({0, 34 * (k - (inputs - 1) / 2.0)});
      y += height + 12 + pick(40);
    }
  }
  for (WiredElement& element : elements)
    for (WiredElement::Input& input : element.inputs) input.from = pick(static_cast<unsigned>(elements.size()));
  return elements;
}

struct Piece {
  std::size_t net;
  Point a, b;  // a above or left of b
};

// In one line or in several.
TEST(AnalogWires, LeadWhereTheyShouldAndNeverLieOnEachOther) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<WiredElement> elements = in_lines(random_sheet(seed), 1 + seed % 3);
    const AnalogWires made = analog_wires(elements);
    std::size_t inputs = 0;
    for (const WiredElement& element : elements) inputs += element.inputs.size();
    ASSERT_EQ(made.wires.size(), inputs);
    std::vector<Piece> pieces;
    for (const AnalogWires::Wire& wire : made.wires) {
      const auto& input = elements[wire.to].inputs[wire.input];
      const Point from = made.centres[input.from], to = made.centres[wire.to];
      EXPECT_NEAR(wire.points.front().x, from.x + elements[input.from].width / 2, 1e-9);
      EXPECT_NEAR(wire.points.front().y, from.y, 1e-9);
      EXPECT_NEAR(wire.points.back().x, to.x - elements[wire.to].width / 2, 1e-9);
      EXPECT_NEAR(wire.points.back().y, to.y + input.below, 1e-9);
      for (std::size_t i = 1; i < wire.points.size(); ++i) {
        const auto [a, b] =
            std::minmax(wire.points[i - 1], wire.points[i], [](Point p, Point q) { return p.x + p.y < q.x + q.y; });
        ASSERT_TRUE(a.x == b.x || a.y == b.y);
        EXPECT_TRUE(0 <= a.x && 0 <= a.y && b.x <= made.width && b.y <= made.height);
        pieces.push_back({input.from, a, b});
      }
    }
    for (const Piece& p : pieces) {
      for (std::size_t i = 0; i < elements.size(); ++i) {
        const Point c = made.centres[i];
        const double w = elements[i].width / 2 - 1, h = elements[i].height / 2 - 1;
        EXPECT_FALSE(p.b.x > c.x - w && p.a.x < c.x + w && p.b.y > c.y - h && p.a.y < c.y + h) << "through element " << i;
      }
      for (const Piece& q : pieces) {
        if (p.net >= q.net) continue;
        const bool upright = p.a.x == p.b.x && q.a.x == q.b.x, level = p.a.y == p.b.y && q.a.y == q.b.y;
        const double common =
            upright ? std::min(p.b.y, q.b.y) - std::max(p.a.y, q.a.y) : std::min(p.b.x, q.b.x) - std::max(p.a.x, q.a.x);
        const double between = upright ? std::abs(p.a.x - q.a.x) : std::abs(p.a.y - q.a.y);
        EXPECT_FALSE((upright || level) && common > 0.5 && between < 2) << "wires of " << p.net << " and " << q.net;
      }
    }
  }
}

double common_length(const Piece& p, const Piece& q) {
  const bool upright = p.a.x == p.b.x && q.a.x == q.b.x && p.a.x == q.a.x,
             level = p.a.y == p.b.y && q.a.y == q.b.y && p.a.y == q.a.y;
  if (!upright && !level) return 0;
  return upright ? std::min(p.b.y, q.b.y) - std::max(p.a.y, q.a.y) : std::min(p.b.x, q.b.x) - std::max(p.a.x, q.a.x);
}

// Two lines on each other look heavier than one.
TEST(AnalogWires, WhatTwoWiresOfAnOutputHaveInCommonIsDrawnOnce) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<WiredElement> elements = random_sheet(seed);
    std::vector<Piece> drawn;
    for (const AnalogWires::Wire& wire : analog_wires(elements).wires)
      for (std::size_t i = 1; i < wire.own.size(); ++i) {
        const auto [a, b] = std::minmax(wire.own[i - 1], wire.own[i], [](Point p, Point q) { return p.x + p.y < q.x + q.y; });
        drawn.push_back({elements[wire.to].inputs[wire.input].from, a, b});
      }
    for (std::size_t i = 0; i < drawn.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (drawn[i].net == drawn[k].net) {
          EXPECT_LT(common_length(drawn[i], drawn[k]), 0.5);
        }
  }
}

}  // namespace
