#include "tools/frame/version.hpp"

#include <CLI/Version.hpp>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sfg/about/build_information.hpp"
#include "sfg/version.hpp"
#include "tools/frame/dot_check.hpp"
#include "tools/frame/ranks.hpp"

namespace sfg::command {

namespace {

/// With the libraries that the command itself stands on, our own first.
BuildInformation whole_build() {
  BuildInformation build = build_information();
  build.libraries.insert(build.libraries.begin(), {"libsfg", std::string(version().text)});
  if (const std::string graphviz = graphviz_version(); !graphviz.empty()) build.libraries.push_back({"Graphviz", graphviz});
  build.libraries.push_back({"CLI11", CLI11_VERSION});
  return build;
}

}  // namespace

void write_version(std::ostream& out) {
  const BuildInformation build = whole_build();
  out << "sfg " SFG_VERSION "\nbuild      " << build.build_type << (build.shared ? ", shared library" : ", static library")
      << ", " << build.compiler << '\n';
  const std::string graphviz = graphviz_version();
  out << "options    SFG_GRAPHVIZ " << (graphviz.empty() ? "off" : "on") << ", SFG_MPI " << (knows_mpi() ? "on" : "off") << '\n';
  if (!build.revision.empty()) out << "revision   " << build.revision << '\n';
  out << "system     " << build.system << ", " << build.architecture << '\n';
  for (const UsedLibrary& library : build.libraries)
    out << (&library == &build.libraries.front() ? "libraries  " : "           ") << library.name << ' ' << library.version
        << '\n';
}

void write_version_json(std::ostream& out) {
  const BuildInformation build = whole_build();
  constexpr Version number = header_version;  // of the command: it is compiled with the headers
  nlohmann::ordered_json j{{"schema", "sfg/version/1"},
                           {"version", SFG_VERSION},
                           {"major", number.major},
                           {"minor", number.minor},
                           {"patch", number.patch},
                           {"build",
                            {{"type", build.build_type},
                             {"shared", build.shared},
                             {"compiler", build.compiler},
                             {"revision", nullptr},
                             {"graphviz", !graphviz_version().empty()},
                             {"mpi", knows_mpi()}}},
                           {"system", build.system},
                           {"architecture", build.architecture},
                           {"libraries", nlohmann::ordered_json::object()}};
  if (!build.revision.empty()) j["build"]["revision"] = build.revision;
  for (const UsedLibrary& library : build.libraries) j["libraries"][library.name] = library.version;
  out << j.dump() << '\n';
}

}  // namespace sfg::command
