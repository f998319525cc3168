#include "sfg/about/build_information.hpp"

#include <arb.h>
#include <cln/version.h>
#include <flint/flint.h>
#include <fmt/core.h>
#include <ginac/version.h>
#include <gmp.h>
#include <mpfr.h>
#include <nlopt.h>
#include <sundials/sundials_version.h>
#include <sys/utsname.h>
#include <yaml.h>

#include <Eigen/Core>
#include <array>
#include <boost/version.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <pugixml.hpp>
#include <string_view>

extern "C" const char* calcium_version(void);  // its header is C that C++ does not take

namespace sfg {

namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string compiler() {
#if defined(__clang__)
  return "Clang " + dotted(__clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return "GCC " + dotted(__GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

/// The name of the distribution, else that of the kernel.
std::string system_name(const utsname& kernel) {
  constexpr std::string_view key = "PRETTY_NAME=";
  std::ifstream release("/etc/os-release");
  for (std::string line; std::getline(release, line);)
    if (line.starts_with(key)) {
      line.erase(0, key.size());
      std::erase(line, '"');
      return line;
    }
  return kernel.sysname;
}

std::string nlopt() {
  int major = 0, minor = 0, patch = 0;
  nlopt_version(&major, &minor, &patch);
  return dotted(major, minor, patch);
}

std::string sundials() {
  std::array<char, 64> text{};
  return SUNDIALSGetVersion(text.data(), static_cast<int>(text.size())) == 0 ? text.data() : "unknown";
}

}  // namespace

BuildInformation build_information() {
  utsname kernel{};
  uname(&kernel);
  return {.compiler = compiler(),
          .build_type = SFG_BUILD_TYPE,
          .shared = SFG_SHARED,
          .revision = SFG_REVISION,
          .system = system_name(kernel),
          .architecture = kernel.machine,
          .libraries = {
              {"GiNaC", dotted(GiNaC::version_major, GiNaC::version_minor, GiNaC::version_micro)},
              {"CLN", dotted(cln::version_major, cln::version_minor, cln::version_patchlevel)},
              {"FLINT", flint_version},
              {"Arb", arb_version},
              {"Calcium", calcium_version()},
              {"GMP", gmp_version},
              {"MPFR", mpfr_get_version()},
              {"SUNDIALS", sundials()},
              {"NLopt", nlopt()},
              {"libyaml", yaml_get_version_string()},
              {"pugixml", dotted(PUGIXML_VERSION / 1000, PUGIXML_VERSION / 10 % 100, PUGIXML_VERSION % 10)},
              {"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
              {"Boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
              {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
              {"nlohmann-json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)},
          }};
}

}  // namespace sfg
