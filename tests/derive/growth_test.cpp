// That the way from a file to a graph takes work in proportion to the model: measured by the bytes that are allocated on it,
// which neither a clock nor another process disturbs.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>

#include "sfg/derive/derive.hpp"
#include "sfg/read/spice.hpp"
#include "sfg/read/toml.hpp"

static std::atomic<std::size_t> allocated_bytes = 0;

void* operator new(std::size_t size) {
  allocated_bytes += size;
  if (void* const made = std::malloc(size != 0 ? size : 1)) return made;
  throw std::bad_alloc();
}
// With Clang's sanitizers this one would not lead to the first.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocated_bytes += size;
  return std::malloc(size != 0 ? size : 1);
}
void operator delete(void* made) noexcept { std::free(made); }
void operator delete(void* made, std::size_t) noexcept { std::free(made); }

namespace sfg {
namespace {

using Number = std::string;

std::string each(int parts, const std::function<std::string(Number here, Number before)>& part) {
  std::string text;
  for (int i = 1; i <= parts; ++i) text += part(std::to_string(i), std::to_string(i - 1));
  return text;
}

std::size_t allocated(const std::function<void()>& work) {
  const std::size_t before = allocated_bytes;
  work();
  return allocated_bytes - before;
}

/// Twice the parts more are twice the work more, whatever is done once; half as much again is left for logarithms.
void expect_linear(const std::function<void(int parts)>& work) {
  constexpr int parts = 100;
  const auto cost = [&](int of) { return static_cast<double>(allocated([&] { work(of); })); };
  cost(parts);  // tables that are made once
  const double one = cost(parts), two = cost(2 * parts), four = cost(4 * parts);
  EXPECT_LT(four - two, 2.5 * (two - one)) << one << ", " << two << ", " << four;
}

void expect_linear_graph(const std::function<std::string(int parts)>& text) {
  expect_linear([&](int parts) { graph_of(std::get<Model>(read_toml(text(parts), "m.toml"))); });
}

TEST(Growth, OfEnergies) {
  expect_linear_graph([](int n) {
    return "[lagrange]\ncoordinates=[" + each(n, [](Number i, Number) { return "\"x" + i + "\","; }) +
           "]\nexcitations=[\"x0\"]\nforces={" +
           each(n, [](Number i, Number) { return (i == "1" ? "x" : ",x") + i + "=\"F" + i + "\""; }) + "}\nT=[" +
           each(n, [](Number i, Number) { return "\"m*Dx" + i + "^2/2\","; }) + "]\nPi=[" +
           each(n, [](Number i, Number) { return "\"k/2*d" + i + "^2\","; }) + "]\nPhi=[" +
           each(n, [](Number i, Number) { return "\"c/2*Dd" + i + "^2\","; }) + "]\n[lagrange.auxiliary]\n" +
           each(n, [](Number i, Number before) { return "d" + i + "=\"x" + i + "-x" + before + "\"\n"; }) +
           "[parameters]\nm=1\nk=100\nc=1\n";
  });
}

TEST(Growth, OfPolarGraphs) {
  expect_linear_graph([](int n) {
    return "[polar]\nelements=[" +
           each(n,
                [](Number i, Number before) {
                  return "{name=\"m" + i + "\",type=\"mass\",nodes=[\"" + i + "\",\"0\"],value=\"M" + i + "\"},{name=\"z" + i +
                         "\",type=\"spring\",nodes=[\"" + i + "\",\"" + before + "\"],value=\"k+c*p\"},";
                }) +
           "{name=\"w\",type=\"force\",nodes=[\"1\",\"0\"]}]\n[parameters]\nk=100\nc=1\n" +
           each(n, [](Number i, Number) { return "M" + i + "=1\n"; });
  });
}

TEST(Growth, OfTwoPorts) {
  expect_linear_graph([](int n) {
    return "[polar]\nelements=[" +
           each(n,
                [](Number i, Number before) {
                  return "{name=\"J" + i + "\",type=\"inertia\",nodes=[\"" + i + "\",\"0\"],value=\"J\"},{name=\"k" + i +
                         "\",type=\"torsion\",nodes=[\"" + i + "\",\"b" + i + "\"],value=\"k\"},{name=\"G" + i +
                         "\",type=\"gear\",nodes=[\"b" + i + "\",\"" + (before == "0" ? "end" : before) + "\"],ratio=\"i\"},";
                }) +
           "{name=\"J\",type=\"inertia\",nodes=[\"end\",\"0\"],value=\"J\"},{name=\"w\",type=\"torque\",nodes=[\"1\",\"0\"]}]\n";
  });
}

TEST(Growth, OfCircuits) {
  expect_linear([](int n) {
    graph_of(read_spice("ladder\nV1 0n 0 AC 1\n" +
                            each(n,
                                 [](Number i, Number before) {
                                   return "R" + i + " " + before + "n " + i + "n {r" + i + "}\nC" + i + " " + i + "n 0 1n\n";
                                 }) +
                            ".param " + each(n, [](Number i, Number) { return "r" + i + "=1k "; }) + "\n.end\n",
                        "m.cir"));
  });
}

}  // namespace
}  // namespace sfg
