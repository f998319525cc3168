#include "sfg/draw/convert.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "sfg/error.hpp"

namespace sfg {
namespace {

const std::string svg =
    R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" width="30" height="20"><rect width="30" height="20"/></svg>)";

/// A number of four bytes, the greatest first, as PNG has them.
unsigned number_at(const std::string& bytes, std::size_t at) {
  unsigned value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = 256 * value + static_cast<unsigned char>(bytes.at(i));
  return value;
}

TEST(Convert, SvgStaysAsItIs) { EXPECT_EQ(converted("<svg/>", PictureFormat::svg), "<svg/>"); }

TEST(Convert, PngHasTwiceTheSize) {
  const std::string png = converted(svg, PictureFormat::png);
  ASSERT_TRUE(png.starts_with("\x89PNG\r\n"));
  EXPECT_EQ(number_at(png, 16), 60U);
  EXPECT_EQ(number_at(png, 20), 40U);
}

TEST(Convert, PdfIsPdf) { EXPECT_TRUE(converted(svg, PictureFormat::pdf).starts_with("%PDF-")); }

TEST(Convert, EpsSaysNotWhenItWasMade) {
  const std::string eps = converted(svg, PictureFormat::eps);
  EXPECT_TRUE(eps.starts_with("%!PS-Adobe"));
  for (const char* word : {"Date", "202", "203"}) EXPECT_EQ(eps.find(word), std::string::npos) << word;
  EXPECT_NE(eps.find("%%BoundingBox"), std::string::npos);
}

TEST(Convert, PaperIsTheSameBytesASecondLater) {
  const std::string pdf = converted(svg, PictureFormat::pdf), eps = converted(svg, PictureFormat::eps);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // dates of files count seconds
  EXPECT_EQ(converted(svg, PictureFormat::pdf), pdf);
  EXPECT_EQ(converted(svg, PictureFormat::eps), eps);
}

TEST(Convert, WhatIsNoPictureIsRefused) {
  EXPECT_THROW(converted("<svg", PictureFormat::png), NoAnswer);
  EXPECT_THROW(converted("", PictureFormat::pdf), NoAnswer);
}

TEST(Convert, AProgramReadsItsInputWhole) {
  const std::string much(3'000'000, 'x');
  EXPECT_EQ(picture_by({"cat"}, much, {}), much);
}

TEST(Convert, AProgramThatFailsIsNamedWithWhatItSays) {
  try {
    picture_by({"sh", "-c", "echo no ink >&2; exit 3"}, "", {});
    FAIL();
  } catch (const NoAnswer& error) {
    EXPECT_NE(std::string(error.what()).find("sh could not draw the picture: no ink"), std::string::npos) << error.what();
  }
}

TEST(Convert, AMissingProgramIsNamedWithItsPackage) {
  try {
    picture_by({"no-such-program-of-pictures"}, "", {.package = "its-package", .seconds = 5});
    FAIL();
  } catch (const NoAnswer& error) {
    EXPECT_NE(std::string(error.what()).find("no-such-program-of-pictures"), std::string::npos) << error.what();
    EXPECT_NE(error.remedy().text().find("its-package"), std::string::npos) << error.remedy().text();
  }
}

TEST(Convert, AProgramThatTakesTooLongIsEnded) {
  EXPECT_THROW(picture_by({"sleep", "60"}, "", {.package = "", .seconds = 0.2}), LimitReached);
}

}  // namespace
}  // namespace sfg
