#include "sfg/model/settings.hpp"

#include <gtest/gtest.h>

#include "expect.hpp"
#include "sfg/expr/parse.hpp"

namespace sfg {
namespace {

SymbolTable table() {
  SymbolTable symbols;
  for (const char* name : {"a", "b", "m"}) symbols.symbol(name);
  symbols.add({.name = "x", .kind = SymbolKind::signal});
  return symbols;
}

GiNaC::ex value(const GiNaC::exmap& values, const SymbolTable& symbols, const char* name) {
  return values.at(symbols.at(name).expr);
}

std::string refusal(const std::vector<std::string>& texts) {
  SymbolTable symbols = table();
  try {
    settings(texts, symbols);
  } catch (const Error& error) {
    return to_string(error.diagnostics().front());
  }
  return "nothing";
}

TEST(Settings, ANumberIsExactAndMayHaveASuffixOfSpice) {
  SymbolTable symbols = table();
  const GiNaC::exmap values = settings(std::vector<std::string>{"a=0.1", "b = 2.2k", "m=1/3"}, symbols);
  EXPECT_EXPRESSION(value(values, symbols, "a"), parse("1/10", symbols));
  EXPECT_EXPRESSION(value(values, symbols, "b"), GiNaC::ex(2200));
  EXPECT_EXPRESSION(value(values, symbols, "m"), parse("1/3", symbols));
}

TEST(Settings, ValuesUseEachOtherInAnyOrderAndMayBringNewNames) {
  SymbolTable symbols = table();
  const GiNaC::exmap values = settings(std::vector<std::string>{"a=2*b + c", "b=3"}, symbols);
  EXPECT_EXPRESSION(value(values, symbols, "a"), 6 + symbols.at("c").expr);
  EXPECT_EQ(symbols.at("c").kind, SymbolKind::parameter);
}

TEST(Settings, WhatCannotBeMeantIsRefusedWithWhatToDo) {
  EXPECT_NE(refusal({"a"}).find("write name=value"), std::string::npos);
  EXPECT_NE(refusal({"=1"}).find("has no name"), std::string::npos);
  EXPECT_NE(refusal({"a="}).find("has no value"), std::string::npos);
  EXPECT_NE(refusal({"mm=1"}).find("did you mean 'm'?"), std::string::npos);
  EXPECT_NE(refusal({"x=1"}).find("is a signal or the operator"), std::string::npos);
  EXPECT_NE(refusal({"a=1", "a=2"}).find("is set twice"), std::string::npos);
  EXPECT_NE(refusal({"a=b", "b=a"}).find("is set by itself"), std::string::npos);
  EXPECT_NE(refusal({"a=1+"}).find("character"), std::string::npos);
}

TEST(Settings, SubstitutedKeysAreGoneFromTheTable) {
  SymbolTable symbols = table();
  symbols.find("b")->value = 3 * symbols.at("a").expr;
  const GiNaC::exmap values = settings(std::vector<std::string>{"a=2"}, symbols);
  const SymbolTable rest = without(symbols, values);
  EXPECT_EQ(rest.find("a"), nullptr);
  EXPECT_EXPRESSION(*rest.at("b").value, GiNaC::ex(6));
}

TEST(Settings, AFormThatWouldDivideByZeroIsTakenInLowestTerms) {
  SymbolTable symbols = table();
  const GiNaC::ex e = parse("(a - 1)/(a^2 - 1)", symbols);
  EXPECT_EXPRESSION(substituted(e, {{symbols.at("a").expr, 1}}, {}), parse("1/2", symbols));
  EXPECT_THROW(substituted(parse("1/(a - 1)", symbols), {{symbols.at("a").expr, 1}}, {}), Error);
}

}  // namespace
}  // namespace sfg
