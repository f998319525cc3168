// What vanishes by an identity vanishes, and nothing else.
#include "sfg/expr/independent_functions.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include "sfg/expr/parse.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg {
namespace {

GiNaC::ex of(const char* text) {
  SymbolTable symbols;
  return parse(text, symbols);
}

TEST(IndependentFunctions, WhatVanishesByAnIdentityVanishes) {
  for (const char* zero : {"sin(a)^2 + cos(a)^2 - 1", "tan(a)*cos(a) - sin(a)", "sin(2*a) - 2*sin(a)*cos(a)",
                           "exp(a)*exp(b) - exp(a + b)", "cosh(x)^2 - sinh(x)^2 - 1", "sin(a/3)*3 - 4*sin(a/3)^3 - sin(a)",
                           "cos(w*t + p) - cos(w*t)*cos(p) + sin(w*t)*sin(p)", "abs(a)^2 - a^2", "exp(log(a)*2) - a^2"})
    EXPECT_TRUE(vanishes(of(zero))) << zero;
  for (const char* other : {"sin(a)^2 + cos(b)^2 - 1", "sin(2*a) - 2*sin(a)*cos(a)^2", "exp(a)*exp(b) - exp(a*b)",
                            "sqrt(K^2) - K", "abs(a) - a", "sin(a) - a", "exp(a) - tan(a)"})
    EXPECT_FALSE(vanishes(of(other))) << other;
}

TEST(IndependentFunctions, SaysWhetherAllOfItIsUnderstood) {
  const auto complete = [](const char* text) {
    const GiNaC::ex e = of(text);
    IndependentFunctions functions(std::span(&e, 1));
    (void)functions(e);
    return functions.complete();
  };
  for (const char* text : {"K/(a + 1)", "sin(a)*exp(-T*b/(R*C))", "tan(a + b/2)*cosh(a)", "abs(a)^2", "2^4*K"})
    EXPECT_TRUE(complete(text)) << text;
  for (const char* text :
       {"sqrt(K)", "abs(a)", "log(a)", "sin(1)*K", "sin(a + 1)", "sin(sin(a))", "exp(1/(a + b))", "sin(5000*a)"})
    EXPECT_FALSE(complete(text)) << text;
}

}  // namespace
}  // namespace sfg
