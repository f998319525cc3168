#pragma once
#include <string_view>

namespace sfg {

/// After Semantic Versioning; before 1.0 the interface of the library may change with the minor number.
struct Version {
  int major = 0;
  int minor = 0;
  int patch = 0;
  std::string_view text;  ///< "major.minor.patch"

  friend constexpr bool operator==(const Version&, const Version&) = default;
};

/// Of the headers that a program is compiled with. The build reads it from here.
inline constexpr Version header_version{.major = 0, .minor = 1, .patch = 0, .text = "0.1.0"};

/// Of the library that runs: another patch than that of the headers may have been installed since.
Version version() noexcept;

}  // namespace sfg
