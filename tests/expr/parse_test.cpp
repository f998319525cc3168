#include "sfg/expr/parse.hpp"

#include <ginac/ginac.h>
#include <gtest/gtest.h>

#include <optional>

namespace sfg {
namespace {

using GiNaC::ex;

/// One table of symbols a test.
class Parse : public testing::Test {
 protected:
  ex read(std::string_view text) { return parse(text, symbols); }
  ex name(std::string_view text) { return symbols.symbol(text); }

  static std::optional<Diagnostic> problem(std::string_view text, const ParseLimits& limits = {}) {
    SymbolTable symbols;
    try {
      parse(text, symbols, {}, limits);
      return std::nullopt;
    } catch (const Error& error) {
      return error.diagnostics().front();
    }
  }
  static std::uint32_t column(std::string_view text) {
    const auto found = problem(text);
    return found ? found->where.column : 0;
  }

  SymbolTable symbols;
};

TEST_F(Parse, FollowsThePrecedenceOfMathematics) {
  const ex a = name("a"), b = name("b"), c = name("c");
  EXPECT_TRUE(read("a+b*c").is_equal(a + b * c));
  EXPECT_TRUE(read("a-b-c").is_equal(a - b - c));
  EXPECT_TRUE(read("a/b/c").is_equal(a / b / c));
  EXPECT_TRUE(read("a/b*c").is_equal(a / b * c));
  EXPECT_TRUE(read("-a^2").is_equal(-(a * a)));
  EXPECT_TRUE(read("(-a)^2").is_equal(a * a));
  EXPECT_TRUE(read("2^3^2").is_equal(512));
  EXPECT_TRUE(read("2**3**2").is_equal(512));
  EXPECT_TRUE(read("2^-3").is_equal(ex(1) / 8));
  EXPECT_TRUE(read("a*-b").is_equal(-a * b));
  EXPECT_TRUE(read("--a").is_equal(a));
  EXPECT_TRUE(read(" a\t*\n( b ) ").is_equal(a * b));
}

TEST_F(Parse, DecimalsAreExact) {
  EXPECT_TRUE(read("0.1").is_equal(ex(1) / 10));
  EXPECT_TRUE(read("1e-9").is_equal(ex(1) / 1000000000));
  EXPECT_TRUE(read(".5").is_equal(ex(1) / 2));
  EXPECT_TRUE(read("5.").is_equal(5));
  EXPECT_TRUE(read("1.25E+2").is_equal(125));
  EXPECT_TRUE((read("0.1+0.1+0.1") - read("0.3")).is_zero());
}

TEST_F(Parse, EveryOtherNameIsAPlainSymbol) {
  for (const char* text : {"I",      "E",       "D1", "beta", "gamma", "zeta", "Q",   "N",    "S",    "O", "Pi",
                           "lambda", "Catalan", "_x", "x_1",  "φ",     "Gäin", "sin", "sqrt", "step", "Δ2"}) {
    EXPECT_TRUE(GiNaC::is_a<GiNaC::symbol>(read(text))) << text;
    EXPECT_TRUE(read(text).is_equal(name(text))) << text;
  }
  EXPECT_TRUE(read("I*I").is_equal(GiNaC::pow(name("I"), 2)));
  EXPECT_TRUE(read("pi").is_equal(GiNaC::Pi));
}

TEST_F(Parse, KnowsTheFunctions) {
  const ex x = name("x"), y = name("y");
  EXPECT_TRUE(read("sqrt(x)").is_equal(GiNaC::pow(x, ex(1) / 2)));
  EXPECT_TRUE(read("sin(x)^2").is_equal(GiNaC::pow(GiNaC::sin(x), 2)));
  EXPECT_TRUE(read("abs(-3)").is_equal(3));
  EXPECT_TRUE(read("sign(-3)").is_equal(-1));
  EXPECT_TRUE(read("step(0)").is_equal(1));
  EXPECT_TRUE(read("step(-1/2)").is_equal(0));
  EXPECT_TRUE(read("min(3, 1/2, 2)").is_equal(ex(1) / 2));
  EXPECT_TRUE(read("max(3, 1/2, 7)").is_equal(7));
  EXPECT_TRUE(read("atan2(y, x)").is_equal(GiNaC::atan2(y, x)));
  EXPECT_TRUE(read("cos(0)+exp(0)").is_equal(2));
}

TEST_F(Parse, FunctionsOfOursDifferentiateToRealOnes) {
  const auto x = GiNaC::ex_to<GiNaC::symbol>(name("x"));
  EXPECT_TRUE(read("abs(x)").diff(x).is_equal(read("sign(x)")));
  EXPECT_TRUE(read("x*abs(x)").diff(x).subs(GiNaC::ex(x) == -3).is_equal(6));
  EXPECT_TRUE(read("max(x^2, 1)").diff(x).subs(GiNaC::ex(x) == 3).is_equal(6));
  EXPECT_TRUE(read("min(x^2, 1)").diff(x).subs(GiNaC::ex(x) == 3).is_equal(0));
}

TEST_F(Parse, PointsAtTheOffendingCharacter) {
  EXPECT_EQ(column("K*(s+1"), 7u);
  EXPECT_EQ(column("K**"), 4u);
  EXPECT_EQ(column("1/0"), 3u);
  EXPECT_EQ(column("foo(s)"), 1u);
  EXPECT_EQ(column(""), 1u);
  EXPECT_EQ(column("a + φ·b"), 6u);  // characters, not bytes
  EXPECT_EQ(column("a)"), 2u);
  EXPECT_EQ(column("2x"), 2u);
  EXPECT_EQ(column("a,b"), 2u);
  EXPECT_EQ(column("sin(x,y)"), 1u);
  EXPECT_EQ(column("a+sin()"), 3u);
  EXPECT_EQ(column("a+1/(s-s)"), 5u);
  EXPECT_EQ(column("x=1"), 2u);
  EXPECT_EQ(column("1e"), 2u);
  EXPECT_EQ(column("a+log(0)"), 3u);
  const auto second_line = problem("a +\n b + )");
  ASSERT_TRUE(second_line);
  EXPECT_EQ(second_line->where.line, 2u);
  EXPECT_EQ(second_line->where.column, 6u);
}

TEST_F(Parse, CountsColumnsFromThePlaceInTheFile) {
  SymbolTable table;
  const auto file = std::make_shared<const std::string>("g.dot");
  try {
    parse("K*(s+1", table, SourceSpan{file, 3, 20, 0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("g.dot:3:26: error: a ')' is missing")) << error.what();
  }
}

TEST_F(Parse, HostileTextIsRefusedAtOnce) {
  const std::string deep(100'000, '('), deep_close(100'000, ')'), minus(100'000, '-');
  std::string calls;
  for (int i = 0; i < 20'000; ++i) calls += "sin(";
  for (const std::string& text : {deep + "s" + deep_close,
                                  minus + "s",
                                  calls,
                                  std::string("9^9^9^9^9"),
                                  std::string("s^1000000000"),
                                  std::string("1e999999999"),
                                  std::string("1e-99999999999999"),
                                  std::string("2^(10^10)"),
                                  std::string("3^(10^8)"),
                                  std::string("10^400^400"),
                                  std::string("(((x^1000)^1000)^1000)"),
                                  std::string("0^-1"),
                                  std::string("0^0"),
                                  std::string("1/(x-x)"),
                                  std::string("(x+1)/((x+1)*(x-1)-x^2+1)"),
                                  std::string("\0x", 2),
                                  std::string("\xff"),
                                  std::string("\xc0\xaf"),
                                  std::string("s/0s"),
                                  std::string("1/0^2"),
                                  std::string("x^^2"),
                                  std::string("()"),
                                  std::string("x'"),
                                  std::string("a # b"),
                                  std::string(2000, '9'),
                                  std::string("sin"),
                                  std::string("sin()"),
                                  std::string("factorial(10^7)"),
                                  std::string("zeta(-100001)"),
                                  std::string("tgamma(10^7)")}) {
    if (text == "sin") continue;
    const auto found = problem(text);
    ASSERT_TRUE(found) << text.substr(0, 50);
    EXPECT_NE(found->where.column, 0u) << text.substr(0, 50);
    EXPECT_FALSE(found->hint.empty()) << text.substr(0, 50);
  }
}

TEST_F(Parse, LargeButReasonableTextIsRead) {
  EXPECT_TRUE(read("2^1000").is_equal(GiNaC::pow(ex(2), 1000)));
  EXPECT_TRUE(read("x^1000").is_equal(GiNaC::pow(name("x"), 1000)));
  std::string sum = "0";
  for (int i = 1; i <= 20'000; ++i) sum += "+x" + std::to_string(i % 100);
  EXPECT_EQ(read(sum).nops(), 100u);
  EXPECT_FALSE(problem(std::string(190, '(') + "x" + std::string(190, ')')));
}

TEST_F(Parse, UnknownFunctionsAndNamesHaveANearOne) {
  EXPECT_NE(problem("sine(x)")->hint.text().find("'sin'"), std::string::npos);
  SymbolTable table;
  table.symbol("stiffness");
  try {
    parse_known("2*stifness", table);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.diagnostics()[0].where.column, 3u);
    EXPECT_NE(error.diagnostics()[0].hint.text().find("'stiffness'"), std::string::npos);
  }
}

TEST(ParseNumber, ReadsSuffixesAndFractionsExactly) {
  const auto is = [](std::string_view text, const GiNaC::numeric& value) { return parse_number(text) == value; };
  using GiNaC::numeric;
  EXPECT_TRUE(is("2.2k", 2200));
  EXPECT_TRUE(is("10u", numeric(1, 100000)));
  EXPECT_TRUE(is("10uF", numeric(1, 100000)));
  EXPECT_TRUE(is("10µ", numeric(1, 100000)));
  EXPECT_TRUE(is("4.7meg", 4700000));
  EXPECT_TRUE(is("4.7MEGohm", 4700000));
  EXPECT_TRUE(is("1M", numeric(1, 1000)));
  EXPECT_TRUE(is("3f", numeric(3) / numeric(10).power(15)));
  EXPECT_TRUE(is("3p", numeric(3) / numeric(10).power(12)));
  EXPECT_TRUE(is("3n", numeric(3) / numeric(10).power(9)));
  EXPECT_TRUE(is("3G", numeric(3) * numeric(10).power(9)));
  EXPECT_TRUE(is("3t", numeric(3) * numeric(10).power(12)));
  EXPECT_TRUE(is("-1/3", numeric(-1, 3)));
  EXPECT_TRUE(is(" 1e-9 ", numeric(1) / numeric(10).power(9)));
  EXPECT_TRUE(is("0.2", numeric(1, 5)));
}

TEST(ParseNumber, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "k", "1x", "1k5", "1/0", "1e9999", "x", "1 2", "--1", "0x10", "1k/2", "10 m", "1 k", "10 mm"})
    EXPECT_THROW(parse_number(text), Error) << text;
}

TEST(IsName, TakesLettersDigitsAndUnderscores) {
  for (const char* text : {"a", "_", "x1", "φx", "Gäin", "D1"}) EXPECT_TRUE(is_name(text)) << text;
  for (const char* text : {"", "1a", "a b", "a-b", "·", "a·", "x²", "\xff", "a\xff"}) EXPECT_FALSE(is_name(text)) << text;
}

TEST(Number, HabitsOfOthersAreNamed) {
  const auto message = [](const char* text) {
    const auto found = foreign_number(text);
    return found ? found->message : "";
  };
  EXPECT_EQ(message("0,5"), "number '0,5' has a decimal comma");
  EXPECT_EQ(message(" -1,25 "), "number '-1,25' has a decimal comma");
  EXPECT_EQ(foreign_number("0,5")->hint, "write decimals with a point: 0.5");
  for (const char* text : {"100 N/m", "100N/m", "5 kg*m^2", "20 °C", "3 %"}) EXPECT_NE(message(text), "") << text;
  for (const char* text : {"5", "1/3", "2k", "10uF", "1e-3", "2*x", "-3", "", "x", "2 - 1", "3*(a + 1)"})
    EXPECT_EQ(message(text), "") << text;
}

TEST(Number, AMegaThatIsReadAsMilliIsDoubtful) {
  for (const char* text : {"2M", "2MHz", "1.5MOhm", " 3M "}) EXPECT_TRUE(doubtful_number(text)) << text;
  for (const char* text : {"2m", "2meg", "2MEG", "2Meg", "1mil", "2k", "M", "2*M", "2M/s", "5mm"})
    EXPECT_FALSE(doubtful_number(text)) << text;
}

}  // namespace
}  // namespace sfg
