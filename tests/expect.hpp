#pragma once
#include <ginac/operators.h>
#include <gtest/gtest.h>

#include <string>

#include "sfg/expr/print.hpp"
#include "sfg/expr/rational.hpp"

namespace sfg::test {

inline testing::AssertionResult same_expression(const char* left, const char* right, const GiNaC::ex& a, const GiNaC::ex& b) {
  if (vanishes(a - b)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << left << " = " << print(a) << "\ndiffers from " << right << " = " << print(b) << "\nby "
                                     << print(normal_form(a - b));
}

}  // namespace sfg::test

/// Equal as rational functions; says both and their difference where they are not.
#define EXPECT_EXPRESSION(a, b) EXPECT_PRED_FORMAT2(::sfg::test::same_expression, a, b)
