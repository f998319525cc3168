#include "sfg/export/targets.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ostream>
#include <set>
#include <sstream>

#include "sfg/draw/process.hpp"
#include "sfg/error.hpp"
#include "sfg/export/c/c_program.hpp"
#include "sfg/export/c/code_lines.hpp"
#include "sfg/export/exported_parameters.hpp"
#include "sfg/export/fmi/fmi2_code.hpp"
#include "sfg/export/fmi/zip_archive.hpp"
#include "sfg/export/proper_branches.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

constexpr std::string_view held_motion = R"(static void moved(Instance *i, double t, double h) {
  double next[STATES];
  int j, k;
  (void)t;
  if (!(fabs(h - i->held) <= 1e-12 * h)) {
    $N_hold(i->now.p, h, i->E, i->F);
    i->held = h;
  }
  for (j = 0; j < STATES; ++j) {
    next[j] = i->now.x[j];
    for (k = 0; k < STATES; ++k) next[j] += i->E[j * STATES + k] * i->now.x[k];
    for (k = 0; k < INPUTS; ++k) next[j] += i->F[j * INPUTS + k] * i->now.u[k];
  }
  for (j = 0; j < STATES; ++j) i->now.x[j] = next[j];
}
)";

constexpr std::string_view sampled_motion = R"(static void moved(Instance *i, double t, double h) {
  const double passed = floor((t + h - i->now.start) / $sample + 1e-6);
  double y[$outputs1];
  while ((double)i->now.samples < passed) {
    $N_step(i->now.p, $sample, i->now.u, i->now.x, y);
    ++i->now.samples;
  }
}
)";

constexpr std::string_view no_motion = R"(static void moved(Instance *i, double t, double h) {
  (void)i;
  (void)t;
  (void)h;
}
)";

constexpr std::string_view calculated_parameters = R"(    } else if (r[k] < INPUTS + OUTPUTS + PARAMETERS + $derived0) {
      double d[$derived1];
      $N_derived(i->now.p, d);
      v[k] = d[r[k] - INPUTS - OUTPUTS - PARAMETERS];
)";

std::string replaced(std::string_view text, const std::vector<std::pair<std::string, std::string>>& names) {
  std::string result;
  while (!text.empty()) {
    const auto found = std::ranges::find_if(names, [&](const auto& name) { return text.starts_with(name.first); });
    result += found == names.end() ? text.substr(0, 1) : std::string_view(found->second);
    text.remove_prefix(found == names.end() ? 1 : found->first.size());
  }
  return result;
}

/// 128 bits of the text as a GUID (two hashes of Fowler, Noll and Vo).
std::string guid_of(std::string_view text) {
  std::uint64_t a = 0xcbf29ce484222325U, b = 0x9ae16a3b2f90404fU;
  for (const char c : text) {
    a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    b = (b ^ (static_cast<unsigned char>(c) + 0x5bU)) * 0x100000001b3U;
  }
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", a >> 32, (a >> 16) & 0xffff, a & 0xffff, b >> 48,
                     b & 0xffffffffffffU);
}

/// The file modelDescription.xml.
class Description {
 public:
  Description(const ExportSubject& subject, const CProgram& program, const std::vector<ExportedParameter>& parameters)
      : subject_(subject), program_(program), parameters_(parameters) {}

  std::string text(const std::string& guid) {
    std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription\n  fmiVersion=\"2.0\"\n";
    const std::string& title = subject_.graph.title;
    xml += attribute("modelName", title.empty() ? subject_.name : title) + "\n" + attribute("guid", guid) + "\n" +
           attribute("description", program_.verified) +
           "\n  generationTool=\"sfg\"\n  variableNamingConvention=\"flat\"\n"
           "  numberOfEventIndicators=\"0\">\n";
    xml += "  <CoSimulation" + attribute("modelIdentifier", program_.name, " ") +
           " canHandleVariableCommunicationStepSize=\"true\" canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\""
           " providesDirectionalDerivative=\"true\">\n    <SourceFiles>\n      <File" +
           attribute("name", program_.name + ".c", " ") + "/>\n    </SourceFiles>\n  </CoSimulation>\n";
    xml += units() + experiment() + variables() + structure();
    return xml + "</fmiModelDescription>\n";
  }

 private:
  /// XML makes blanks of line ends in an attribute.
  static std::string attribute(const std::string& name, const std::string& value, const char* before = "  ") {
    return before + name + "=\"" + xml_text(value) + "\"";
  }

  std::string units() const {
    std::set<std::string> all;
    for (const ExportedParameter& parameter : parameters_)
      if (!parameter.unit.empty()) all.insert(parameter.unit);
    if (all.empty()) return "";
    std::string xml = "  <UnitDefinitions>\n";
    for (const std::string& unit : all) xml += "    <Unit" + attribute("name", unit, " ") + "/>\n";
    return xml + "  </UnitDefinitions>\n";
  }

  std::string experiment() const {
    if (subject_.times.size() < 2) return "";
    return fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" stepSize=\"{}\"/>\n",
                       code_number(subject_.times.back()), code_number(subject_.times[1] - subject_.times[0]));
  }

  /// Names are unique: a parameter that is called like a signal says that it is one.
  std::string unique(std::string name, const char* kind) {
    while (!names_.insert(name).second) name += std::string(" (") + kind + ")";
    return name;
  }

  void variable(std::string& xml, const std::string& name, const std::string& attributes, const std::string& real,
                const std::string& text = "") {
    xml += "    <ScalarVariable" + attribute("name", name, " ") + fmt::format(" valueReference=\"{}\"", references_++) +
           attributes + (text.empty() ? "" : attribute("description", text, " ")) + "><Real" + real + "/></ScalarVariable>\n";
  }

  std::string variables() {
    const std::string signal = subject_.graph.op.discrete() ? "discrete" : "continuous";
    std::string xml = "  <ModelVariables>\n";
    for (const std::string& name : program_.inputs)
      variable(xml, unique(name, "input"), " causality=\"input\" variability=\"" + signal + "\"", " start=\"0\"");
    for (const std::string& name : program_.outputs)
      variable(xml, unique(name, "output"), " causality=\"output\" variability=\"" + signal + "\" initial=\"calculated\"", "");
    const auto unit = [](const ExportedParameter& parameter) {
      return parameter.unit.empty() ? "" : attribute("unit", parameter.unit, " ");
    };
    for (const ExportedParameter& parameter : independent(parameters_))
      variable(xml, unique(parameter.name, "parameter"), " causality=\"parameter\" variability=\"tunable\" initial=\"exact\"",
               unit(parameter) + attribute("start", code_number(parameter.value), " "), parameter.text);
    for (const ExportedParameter& parameter : derived(parameters_))
      variable(xml, unique(parameter.name, "parameter"),
               " causality=\"calculatedParameter\" variability=\"tunable\" initial=\"calculated\"", unit(parameter),
               parameter.text);
    return xml + "  </ModelVariables>\n";
  }

  std::string structure() const {
    const auto unknowns = [](std::size_t first, std::size_t count) {
      std::string text;
      for (std::size_t k = 1; k <= count; ++k) text += fmt::format("      <Unknown index=\"{}\"/>\n", first + k);
      return text;
    };
    const std::size_t calculated = derived(parameters_).size(), all = references_;
    const std::string outputs = unknowns(program_.inputs.size(), program_.outputs.size());
    return "  <ModelStructure>\n    <Outputs>\n" + outputs + "    </Outputs>\n    <InitialUnknowns>\n" + outputs +
           unknowns(all - calculated, calculated) + "    </InitialUnknowns>\n  </ModelStructure>\n";
  }

  const ExportSubject& subject_;
  const CProgram& program_;
  const std::vector<ExportedParameter>& parameters_;
  std::set<std::string> names_;
  std::size_t references_ = 0;
};

std::string source_of(const ExportSubject& subject, const CProgram& program, const std::vector<ExportedParameter>& parameters,
                      const std::string& guid) {
  const std::size_t calculated = derived(parameters).size();
  const bool discrete = subject.graph.op.discrete();
  std::vector<std::pair<std::string, std::string>> names{
      {"$GUID", guid}, {"$N", program.name}, {"$sample", code_number(discrete ? subject.graph.op.period().to_double() : 0)}};
  for (const auto& [name, count] : {std::pair<std::string, std::size_t>{"inputs", program.inputs.size()},
                                    {"outputs", program.outputs.size()},
                                    {"parameters", parameters.size() - calculated},
                                    {"derived", calculated},
                                    {"states", program.states}}) {
    names.emplace_back("$" + name + "0", std::to_string(count));
    names.emplace_back("$" + name + "1", std::to_string(std::max<std::size_t>(1, count)));
  }
  names.emplace_back("$calculated", calculated == 0 ? "" : replaced(calculated_parameters, names));
  names.emplace_back("$moved", replaced(program.states == 0 ? no_motion : discrete ? sampled_motion : held_motion, names));
  return program.program + replaced(fmi2_code, names);
}

/// A folder that goes with what is in it.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sfg_fmu_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw NoAnswer("there is no folder for the compiler", "make room on the disk");
    path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

std::string compiled_library(const std::string& source) {
  const Folder folder;
  const std::string library = (folder.path() / "unit.so").string();
  ProcessResult result;
  try {
    result =
        run_process({"cc", "-std=c11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden", "-x", "c", "-", "-o", library, "-lm"},
                    source, {.seconds = 120});
  } catch (const NoAnswer&) {
    throw NoAnswer("an FMU has a binary, and there is no C compiler 'cc' to make it", "install gcc, or take the target c");
  }
  std::ifstream file(library, std::ios::binary);
  if (result.status != 0 || !file)
    throw NoAnswer("the C compiler refuses the source of the FMU: " + result.messages.substr(0, 500), "take the target c");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace

void write_functional_mockup_unit(std::ostream& out, const ExportSubject& subject, const Budget& budget) {
  refuse_laws(subject);
  const CProgram program = c_program(subject, {}, budget);
  if (!program.improper.empty()) refuse_improper(subject, program.improper.front());
  const std::vector<ExportedParameter> parameters = valued_parameters(subject.graph);
  const std::string guid =
      guid_of(source_of(subject, program, parameters, "") + Description(subject, program, parameters).text(""));
  const std::string source = source_of(subject, program, parameters, guid);
  budget.check("the binary of the FMU");
  out << zip_archive({{"modelDescription.xml", Description(subject, program, parameters).text(guid)},
                      {"sources/" + program.name + ".c", source},
                      {"binaries/linux64/" + program.name + ".so", compiled_library(source)}});
}

}  // namespace sfg
