#include "sfg/version.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sfg/about/build_information.hpp"

namespace {

TEST(Version, TextIsMadeOfItsNumbers) {
  const sfg::Version v = sfg::header_version;
  EXPECT_EQ(v.text, std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch));
  EXPECT_EQ(sfg::version(), v);
}

TEST(Version, OfTheBuildTellsWhatItRunsOnAndWith) {
  const sfg::BuildInformation build = sfg::build_information();
  for (const std::string& text : {build.compiler, build.build_type, build.system, build.architecture}) EXPECT_FALSE(text.empty());
  for (const char* name : {"GiNaC", "CLN", "FLINT", "SUNDIALS", "Eigen"}) {
    const auto it = std::ranges::find(build.libraries, name, &sfg::UsedLibrary::name);
    ASSERT_NE(it, build.libraries.end()) << name;
    EXPECT_NE(it->version.find('.'), std::string::npos) << name << ' ' << it->version;
  }
  EXPECT_EQ(build, sfg::build_information());
}

}  // namespace
