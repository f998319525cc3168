// Parallel combinations: networks of resistors and capacitors drawn at random, read back through the grammar and compared as
// fractions; what is written has as many || as the network has nodes in parallel. What is none stays as it is.
#include "sfg/expr/parallel.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <random>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

class Parallel : public testing::Test {
 protected:
  GiNaC::ex read(std::string_view text) { return parse(text, symbols); }
  std::string shown(std::string_view text, Notation notation = Notation::text) {
    const GiNaC::ex e = read(text), s = read("s");
    const PolynomialSpace space(std::span(&e, 1), s);
    const RationalFunction value = space.rational(e).reduced();
    return write(parallel_form(value).value_or(math(value.expression(), "s")), notation);
  }

  SymbolTable symbols;
};

TEST_F(Parallel, IsFoundWithWhatItIsMultipliedBy) {
  EXPECT_EQ(shown("-gm*ro*RD/(ro + RD)"), "-gm*(RD || ro)");
  EXPECT_EQ(shown("gm*R1*R2*R3/(R1*R2 + R2*R3 + R1*R3)"), "gm*(R1 || R2 || R3)");
  EXPECT_EQ(shown("(R1 + R2)/(C*R1*R2)"), "1/(C*(R1 || R2))");
  EXPECT_EQ(shown("R3 + R1*R2/(R1 + R2)"), "(R1 || R2) + R3");
  EXPECT_EQ(shown("R1*R2/(R1 + R2 + C*R1*R2*s)"), "R1 || R2 || 1/(C*s)");
  EXPECT_EQ(shown("gm*R1*R2/(R1 + R2 + gm*R1*R2)"), "gm*(R1 || R2 || 1/gm)");
  EXPECT_EQ(shown("(R1 + R2)*R3/(R1 + R2 + R3)"), "R3 || (R1 + R2)");
  EXPECT_EQ(shown("R1*R2^2/(R1 + R2)"), "R2*(R1 || R2)");
  EXPECT_EQ(shown("-gm*(R4 || (R3 + (R1 || R2)))/(1 + s*C*(R1 || R2))"),
            "-gm*(R1 + R2)*(R4 || ((R1 || R2) + R3))/(C*R1*R2*s + R1 + R2)");
}

TEST_F(Parallel, IsNotWhatOnlyLooksLikeOne) {
  EXPECT_EQ(shown("R2/(R1 + R2)"), "R2/(R1 + R2)");
  EXPECT_EQ(shown("K/(1 + K*H)"), "K/(1 + H*K)");
  EXPECT_EQ(shown("R1*R2/(R1 - R2)"), "R1*R2/(R1 - R2)");
  EXPECT_EQ(shown("1/(s + a)"), "1/(s + a)");
}

TEST_F(Parallel, IsAnOperatorBetweenProductsAndSums) {
  const auto same = [&](std::string_view a, std::string_view b) { return vanishes(read(a) - read(b)); };
  EXPECT_TRUE(same("R1 || R2", "R1*R2/(R1 + R2)"));
  EXPECT_TRUE(same("a*b || c + d", "a*b*c/(a*b + c) + d"));
  EXPECT_TRUE(same("x/(a || b || c)", "x*(1/a + 1/b + 1/c)"));
  EXPECT_TRUE(same("parallel(a, b, c)", "(a || b) || c"));
  EXPECT_TRUE(same("R || 0", "0"));
  EXPECT_THROW(read("R || -R"), Error);
  EXPECT_THROW(read("a | b"), Error);
  EXPECT_THROW(read("a ||"), Error);
}

TEST_F(Parallel, StandsInEveryNotation) {
  EXPECT_EQ(shown("gm*ro*(R1 + R2)/(ro + R1 + R2)", Notation::latex),
            "g_{m} \\left(r_{o} \\parallel \\left(R_{1} + R_{2}\\right)\\right)");
  EXPECT_EQ(shown("R1*R2/(R1 + R2)", Notation::unicode), "R₁ ∥ R₂");
  EXPECT_EQ(shown("R1*R2/(R1 + R2)", Notation::c), "1.0/(1.0/R1 + 1.0/R2)");
}

/// A network of the elements from `first` up to `last`, each once; counts what lies side by side.
std::string network(std::mt19937_64& random, int first, int last, bool side_by_side, int& bars) {
  if (last - first == 1) return random() % 4 == 0 ? "1/(s*C" + std::to_string(first) + ")" : "R" + std::to_string(first);
  const int middle = first + 1 + static_cast<int>(random() % static_cast<unsigned>(last - first - 1));
  const std::string a = network(random, first, middle, !side_by_side, bars),
                    b = network(random, middle, last, !side_by_side, bars);
  if (!side_by_side) return "(" + a + " + " + b + ")";
  ++bars;
  return "(" + a + " || " + b + ")";
}

TEST_F(Parallel, NetworksAreFoundAgain) {
  std::mt19937_64 random(20261126);
  for (int trial = 0; trial < 150; ++trial) {
    int bars = 0;
    const std::string text = network(random, 0, 2 + static_cast<int>(random() % 6), true, bars);
    const std::string found = shown("-g*" + text);
    EXPECT_TRUE(vanishes(read(found) + read("g*" + text))) << text << " is not " << found;
    const bool resistors_alone = text.find('C') == std::string::npos;
    if (resistors_alone) {
      EXPECT_EQ(std::ranges::count(found, '|'), 2 * bars) << text << ": " << found;
    }
  }
}

TEST_F(Parallel, RootsHaveThemInside) {
  EXPECT_EQ(write(parallel_math(read("sqrt((R1 + R2)/(C1*C2*R1*R2*R3))")), Notation::text), "sqrt(1/(C1*C2*R3*(R1 || R2)))");
  EXPECT_FALSE(shows_parallel(parallel_math(read("sqrt(k/m)"))));
}

}  // namespace
}  // namespace sfg
