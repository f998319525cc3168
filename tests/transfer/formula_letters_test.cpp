#include "sfg/transfer/certificate.hpp"

#include <ginac/operators.h>
#include <gtest/gtest.h>

#include "sfg/error.hpp"
#include "sfg/expr/parse.hpp"
#include "sfg/expr/print.hpp"

namespace sfg {
namespace {

/// The text in letters, and what they stand for: "w1 = exp(…)".
struct Written {
  explicit Written(std::vector<std::string> texts) {
    std::vector<GiNaC::ex> all;
    for (const std::string& text : texts) all.push_back(parse(text, symbols));
    FormulaLetters letters(all);
    for (const GiNaC::ex& e : all) formulas.push_back(print(letters.written(e)));
    for (const FormulaLetter& letter : letters.all())
      if (letter.kind != FormulaLetter::Kind::symbol)
        meanings.push_back(letter.name + (letter.kind == FormulaLetter::Kind::root ? "^" + std::to_string(letter.degree) : "") +
                           " = " + letter.of);
  }
  SymbolTable symbols;
  std::vector<std::string> formulas, meanings;
};

using Texts = std::vector<std::string>;

TEST(FormulaLetters, ExponentialsOfOneDelayArePowersOfOneLetter) {
  const Written found({"exp(-s*T)", "K*exp(-s*T/2)", "exp(-3*s*T/4)"});
  EXPECT_EQ(found.formulas, (Texts{"w1^4", "K*w1^2", "w1^3"}));
  EXPECT_EQ(found.meanings, (Texts{"w1 = exp(-T*s/4)"}));
}

TEST(FormulaLetters, RootsNameWhatIsUnderThem) {
  const Written found({"sqrt(8)*K", "sqrt(a + sqrt(b))", "(a/b)^(2/3)"});
  EXPECT_EQ(found.formulas, (Texts{"2*K*w1", "w3", "w4^2"}));
  EXPECT_EQ(found.meanings, (Texts{"w1^2 = 2", "w2^2 = b", "w3^2 = a + w2", "w4^3 = a/b"}));
}

TEST(FormulaLetters, OtherFunctionsAreLettersThatNoSymbolHas) {
  const Written found({"w1 + sin(w2)", "pi*sin(w2)"});
  EXPECT_EQ(found.formulas, (Texts{"w1 + w3", "w3*w4"}));
  EXPECT_EQ(found.meanings, (Texts{"w3 = sin(w2)", "w4 = pi"}));
}

}  // namespace
}  // namespace sfg
