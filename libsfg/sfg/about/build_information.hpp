#pragma once
#include <string>
#include <vector>

namespace sfg {

/// A library that answers are computed with.
struct UsedLibrary {
  std::string name;     ///< as its authors write it
  std::string version;  ///< of the library that runs; of one that is headers alone, of those it was compiled with

  friend bool operator==(const UsedLibrary&, const UsedLibrary&) = default;
};

/// How the library was built and what it runs on: what a report of an error needs. The same for every build of the same sources
/// with the same tools: no date, no path.
struct BuildInformation {
  std::string compiler;      ///< with its version: "GCC 12.2.0"
  std::string build_type;    ///< "Release"
  bool shared = false;       ///< a shared library
  std::string revision;      ///< of the sources, where the build was told; else ""
  std::string system;        ///< that runs it: "Linux"
  std::string architecture;  ///< "x86_64"
  std::vector<UsedLibrary> libraries;

  friend bool operator==(const BuildInformation&, const BuildInformation&) = default;
};

BuildInformation build_information();

}  // namespace sfg
