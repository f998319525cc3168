// Programs in C, compiled and called: against the library's frequency responses, against closed forms of steps, and against
// the laws that whole numbers, states and files have to keep.
#include "sfg/export/c/c_program.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "export/subjects.hpp"
#include "sfg/draw/process.hpp"
#include "sfg/error.hpp"
#include "sfg/export/targets.hpp"
#include "sfg/response/frequency_response.hpp"

namespace sfg {
namespace {

namespace fs = std::filesystem;
using Complex = std::complex<double>;

const std::vector<std::string> strict{"-Wall",        "-Wextra",  "-Werror",           "-Wpedantic",
                                      "-Wconversion", "-Wshadow", "-Wdouble-promotion"};

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "sfg_c_XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

/// Compiles the text with all warnings as errors.
void compile(const std::string& text, std::vector<std::string> command, const fs::path& to,
             const std::vector<std::string>& flags = strict) {
  command.insert(command.end(), flags.begin(), flags.end());
  for (const char* word : {"-", "-o"}) command.emplace_back(word);
  command.push_back(to.string());
  command.emplace_back("-lm");
  const ProcessResult result = run_process(command, text);
  ASSERT_EQ(result.status, 0) << result.messages.substr(0, 2000) << text.substr(0, 3000);
}

/// A program as a library in this process.
class Loaded {
 public:
  explicit Loaded(const std::string& text) {
    compile(text, {"gcc", "-std=c11", "-O2", "-fPIC", "-shared", "-x", "c"}, folder_.path / "m.so");
    open();
  }
  explicit Loaded(const fs::path& library) : file_(library) { open(); }
  ~Loaded() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  template <class Function>
  Function* function(const std::string& name) const {
    void* found = dlsym(handle_, name.c_str());
    EXPECT_NE(found, nullptr) << name;
    return reinterpret_cast<Function*>(found);
  }
  int count(const std::string& name) const { return *static_cast<const int*>(dlsym(handle_, name.c_str())); }

 private:
  void open() {
    handle_ = dlopen((file_.empty() ? folder_.path / "m.so" : file_).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  Folder folder_;
  fs::path file_;
  void* handle_ = nullptr;
};

using Transfer = void(const double*, double, double, double*);
using Step = void(const double*, double, const double*, double*, double*);

std::string program_of(const ExportSubject& subject, const CProgramOptions& options = {}) {
  return c_program(subject, options).program;
}

CProgramOptions fixed(const char* format) {
  CProgramOptions options;
  options.fixed = FixedPoint::of(format);
  return options;
}

/// The library's own response, by another method, at these values of the parameters.
Complex response(const ExportSubject& subject, const std::vector<double>& values, double w, std::size_t question) {
  const SignalFlowGraph graph = exported::with_values(subject.graph, values);
  return frequency_responses(graph, subject.questions, {.frequency = {w}, .way = SweepOptions::Way::compiled})[question].value[0];
}

TEST(CProgram, TransferFunctionsAreThoseOfTheGraphAtAnyValues) {
  for (const char* text : {exported::loop, exported::two_port, exported::sampled}) {
    const ExportSubject subject = exported::subject(text);
    const Loaded code(program_of(subject));
    std::vector<double> p = values_of(valued_parameters(subject.graph));
    for (double& value : p) value *= 1.25;
    for (std::size_t k = 0; k < subject.questions.size(); ++k)
      for (const double w : {0.3, 2.0, 9.0}) {
        const bool z = subject.graph.op.discrete();
        const Complex s = z ? std::polar(1.0, w * 0.1) : Complex(0, w), want = response(subject, p, w, k);
        Complex got;
        code.function<Transfer>("model_transfer_" + std::to_string(k))(p.data(), s.real(), s.imag(),
                                                                       reinterpret_cast<double*>(&got));
        EXPECT_LT(std::abs(got - want), 1e-12 * std::abs(want)) << text << w;
      }
  }
}

TEST(CProgram, GradientsAreTheSlopesOfTransferFunctions) {
  for (const char* text : {exported::loop, exported::two_port, exported::sampled}) {
    const ExportSubject subject = exported::subject(text);
    const Loaded code(program_of(subject));
    const std::vector<double> p = values_of(valued_parameters(subject.graph));
    for (std::size_t k = 0; k < subject.questions.size(); ++k) {
      const auto& transfer = *code.function<Transfer>("model_transfer_" + std::to_string(k));
      std::vector<Complex> got(p.size() + 1);
      code.function<Transfer>("model_gradient_" + std::to_string(k))(p.data(), 0.4, 1.3, reinterpret_cast<double*>(got.data()));
      for (std::size_t i = 0; i < p.size(); ++i) {
        std::vector<double> above = p, below = p;
        above[i] += 1e-5;
        below[i] -= 1e-5;
        Complex a, b;
        transfer(above.data(), 0.4, 1.3, reinterpret_cast<double*>(&a));
        transfer(below.data(), 0.4, 1.3, reinterpret_cast<double*>(&b));
        EXPECT_LT(std::abs(got[i + 1] - (a - b) / (above[i] - below[i])), 1e-7 * (1 + std::abs(got[0]))) << text << i;
      }
    }
  }
}

TEST(CProgram, DeadTimeIsRefusedWithItsBranch) {
  try {
    program_of(exported::subject(
        "digraph { input=a; output=c; parameters=\"T=1/4\"; a -> b [gain=\"exp(-s*T)\"]; b -> c [gain=\"1/(s+1)\"]; }"));
    FAIL();
  } catch (const NoAnswer& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("'a' -> 'b'"), std::string::npos) << refusal.what();
  }
}

TEST(CProgram, StepsAreExactForAnyLength) {
  const Loaded code(program_of(exported::subject(exported::loop)));  // 10/(s² + 2s + 10)
  const std::vector<double> p{10, 2}, u{1};
  const auto closed = [](double t) { return 1 - std::exp(-t) * (std::cos(3 * t) + std::sin(3 * t) / 3); };
  for (const double dt : {1e-3, 0.1, 1.0, 2.5}) {
    std::vector<double> x(2, 0.0), y(1);
    for (int k = 1; k <= 4; ++k) {
      code.function<Step>("model_step")(p.data(), dt, u.data(), x.data(), y.data());
      EXPECT_NEAR(y[0], closed(k * dt), 1e-13) << dt;
    }
  }
}

TEST(CProgram, SlowMotionsKeepTheirDigitsBesideQuickOnes) {
  const Loaded code(
      program_of(exported::subject("digraph { input=r; output=y; parameters=\"a=1000000, b=1/1000\"; r -> q [gain=\"a/(s+a)\"]; "
                                   "q -> y [gain=\"b/(s+b)\"]; }")));
  const std::vector<double> p{1e6, 1e-3}, u{1};
  std::vector<double> x(static_cast<std::size_t>(code.count("model_states")), 0.0), y(1);
  code.function<Step>("model_step")(p.data(), 2.0, u.data(), x.data(), y.data());
  const double want = 1 - (1e6 * std::exp(-2e-3) - 1e-3 * std::exp(-2e6)) / (1e6 - 1e-3);
  EXPECT_NEAR(y[0] / want, 1, 1e-11);
}

TEST(CProgram, ASampledStepIsTheDifferenceEquation) {
  const Loaded code(program_of(exported::subject(
      "digraph { input=x; output=y; variable=z; sample_time=\"1/2\"; parameters=\"a=3/4\"; x -> y [gain=\"4*(1-a)/(z-a)\"]; }")));
  std::vector<double> x(1, 0.0), y(1);
  const std::vector<double> p{0.75}, u{1};
  for (int k = 0; k < 30; ++k) {  // y of the sample, before the state moves
    code.function<Step>("model_step")(p.data(), 0.0, u.data(), x.data(), y.data());
    EXPECT_NEAR(y[0], 4 * (1 - std::pow(0.75, k)), 1e-13);
  }
}

TEST(CProgram, DerivedParametersAreCalculatedAndNotSet) {
  const ExportSubject subject = exported::subject(
      "digraph { input=x; output=y; parameters=\"z=1/(2*w), w=sqrt(k/m), k=4, m=1\"; x -> y [gain=\"w^2/(s^2+2*z*w*s+w^2)\"]; }");
  const Loaded code(program_of(subject));
  ASSERT_EQ(code.count("model_parameter_count"), 2);
  ASSERT_EQ(code.count("model_derived_count"), 2);
  const std::vector<double> p{16, 1};  // w = 4, z = 1/8
  std::vector<double> derived(2);
  code.function<void(const double*, double*)>("model_derived")(p.data(), derived.data());
  EXPECT_DOUBLE_EQ(derived[0], 0.125);
  EXPECT_DOUBLE_EQ(derived[1], 4);
  std::vector<Complex> got(3);  // w²/(1 − w² …) = k/(k − 1 + j) at s = j
  code.function<Transfer>("model_gradient_0")(p.data(), 0, 1, reinterpret_cast<double*>(got.data()));
  const Complex below(15, 1);
  EXPECT_LT(std::abs(got[0] - 16.0 / below), 1e-14);
  EXPECT_LT(std::abs(got[1] - (1.0 / below - 16.0 / (below * below))), 1e-14);
}

TEST(CProgram, WholeNumbersSaturateAndNeverWrap) {
  const ExportSubject subject =
      exported::subject("digraph { input=x; output=y; variable=z; parameters=\"a=3/4\"; x -> y [gain=\"4*(1-a)/(z-a)\"]; }");
  const std::string text = program_of(subject, fixed("Q15.16"));
  EXPECT_NE(text.find("saturates"), std::string::npos);
  const Loaded code(text);
  using Fixed = void(const std::int32_t*, std::int32_t*, std::int32_t*);
  for (const std::int32_t input : {65536, -32768, INT32_MAX, INT32_MIN}) {
    std::int32_t x = 0, y = 0;
    for (int k = 0; k < 40; ++k) {
      code.function<Fixed>("model_step_fixed")(&input, &x, &y);
      const double want = std::clamp(4 * (1 - std::pow(0.75, k)) * input, -0x1p31, 0x1p31);
      EXPECT_NEAR(y, want, 12) << k;
    }
  }
}

TEST(CProgram, WholeNumbersOfAContinuousModelHoldTheirInputs) {
  ExportSubject subject = exported::subject(exported::loop);
  subject.sample_time = exact::Rational(1) / 20;
  const Loaded code(program_of(subject, fixed("Q7.24")));
  const std::int32_t one = 1 << 24;
  std::int32_t x[2] = {0, 0}, y = 0;
  using Fixed = void(const std::int32_t*, std::int32_t*, std::int32_t*);
  for (int k = 0; k < 200; ++k) {
    code.function<Fixed>("model_step_fixed")(&one, x, &y);
    const double t = k / 20.0, want = 1 - std::exp(-t) * (std::cos(3 * t) + std::sin(3 * t) / 3);
    EXPECT_NEAR(y * 0x1p-24, want, 1e-5) << k;
  }
  EXPECT_THROW(program_of(exported::subject(exported::loop), fixed("Q15.16")), NoAnswer);
  EXPECT_THROW(FixedPoint::of("Q15.15"), std::invalid_argument);
  EXPECT_THROW(FixedPoint::of("Q15.16 "), std::invalid_argument);
  EXPECT_THROW(FixedPoint::of("Q-1.32"), std::invalid_argument);
}

/// What main prints, compiled with the address and undefined-behaviour sanitizers.
std::string printed(const std::string& text, const std::vector<std::string>& compiler) {
  const Folder folder;
  compile(text, compiler, folder.path / "m");
  const ProcessResult result = run_process({(folder.path / "m").string()}, "", {.memory = std::size_t{1} << 46});
  EXPECT_EQ(result.status, 0) << result.messages;
  return result.output;
}

TEST(CProgram, CompilesWithoutWarningsAsCAndCppAndPrintsTheSame) {
  const char* hostile =
      "digraph { input=\"I\"; output=\"out \\\"1\\\" ?"
      "?/, double\"; parameters=\"i=2, e=3, double=5, I2=1, exp=7, v1=3, w=1, x=2, "
      "out=4, unused=1, v=2\"; title=\"a */ ?"
      "?/ \\\\\"; I -> \"err sum\"; \"err sum\" -> \"out \\\"1\\\" ?"
      "?/\" "
      "[gain=\"e/(i*s+double*exp)\"]; \"out \\\"1\\\" ?"
      "?/\" -> \"err sum\" [gain=\"-v1*w\"]; \"err sum\" -> double "
      "[gain=\"x/(s^2+v*s+3)+s/(s+1)\"]; }";
  for (const std::string& text :
       std::vector<std::string>{exported::two_port, exported::sampled, hostile, "digraph { a -> b [gain=\"3\"]; }",
                                "digraph { a -> b [gain=\"0\"]; }", "digraph { parameters=\"T=2\"; a -> b [gain=\"1+s*T\"]; }"}) {
    ExportSubject subject = exported::subject(text);
    subject.times = {0, 0.5, 1, 1.5};
    subject.frequencies = {0.1, 1, 3};
    const std::string program = program_of(subject);
    const std::vector<std::string> c{
        "gcc", "-std=c11", "-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DSFG_MAIN", "-x", "c"},
        cpp{"g++", "-std=c++20", "-O1", "-DSFG_MAIN", "-x", "c++"};
    const std::string as_c = printed(program, c);
    EXPECT_EQ(as_c, printed(program, cpp));
    EXPECT_NE(as_c.find("# frequency "), std::string::npos);
    CProgramOptions single;
    single.single = true;
    EXPECT_NE(printed(program_of(subject, single), c).find("# frequency "), std::string::npos);
  }
}

TEST(CProgram, ANonlinearGraphMovesAsItsEquation) {
  ExportSubject subject = exported::subject(
      "digraph { input=r; output=x; r -> e; e -> x [gain=\"1/s\"]; x -> q [nonlinear=\"u^2\"]; q -> e [gain=\"-1\"]; }");
  subject.times = {0, 0.25, 1, 3};
  std::istringstream lines(printed(program_of(subject), {"gcc", "-std=c11", "-DSFG_MAIN", "-x", "c"}));
  std::string label;
  std::getline(lines, label);
  EXPECT_EQ(label, "# response x");
  for (const double time : subject.times) {
    double t = -1, y = -1;
    lines >> t >> y;
    EXPECT_EQ(t, time);
    EXPECT_NEAR(y, std::tanh(time), 1e-10);
  }
}

/// What stands in a stored zip under a name.
std::string entry_of(const std::string& zip, const std::string& name) {
  const std::size_t at = zip.find(name);
  EXPECT_NE(at, std::string::npos);
  std::uint32_t size = 0;
  for (int k = 3; k >= 0; --k) size = size << 8 | static_cast<unsigned char>(zip[at - 12 + static_cast<std::size_t>(k)]);
  return zip.substr(at + name.size(), size);
}

TEST(FunctionalMockupUnit, RunsSavesAndRefuses) {
  ExportSubject subject = exported::subject(exported::loop);
  subject.times = {0, 0.1};
  std::ostringstream one, two;
  write_functional_mockup_unit(one, subject);
  write_functional_mockup_unit(two, subject);
  const std::string zip = one.str();
  EXPECT_EQ(zip, two.str());
  const std::string description = entry_of(zip, "modelDescription.xml");
  const std::size_t guid_at = description.find("guid=\"") + 6;
  const std::string guid = description.substr(guid_at, description.find('"', guid_at) - guid_at);
  const Folder folder;
  std::ofstream(folder.path / "m.so", std::ios::binary) << entry_of(zip, "binaries/linux64/model.so");
  const Loaded unit(folder.path / "m.so");
  const auto create = unit.function<void*(const char*, int, const char*, const char*, const void*, int, int)>("fmi2Instantiate");
  EXPECT_EQ(create("i", 1, "{another}", "", nullptr, 0, 0), nullptr);
  EXPECT_EQ(create("", 1, guid.c_str(), "", nullptr, 0, 0), nullptr);
  EXPECT_EQ(create("i", 0, guid.c_str(), "", nullptr, 0, 0), nullptr);
  void* c = create("i", 1, guid.c_str(), "", nullptr, 0, 0);
  ASSERT_NE(c, nullptr);
  const auto step = unit.function<int(void*, double, double, int)>("fmi2DoStep");
  const auto set = unit.function<int(void*, const unsigned*, std::size_t, const double*)>("fmi2SetReal");
  const auto get = unit.function<int(void*, const unsigned*, std::size_t, double*)>("fmi2GetReal");
  const unsigned input = 0, output = 1, nothing = 99;
  const double unit_step = 1;
  double y = -1;
  EXPECT_EQ(step(c, 0, 0.1, 1), 3);  // before the initialization
  EXPECT_EQ(unit.function<int(void*)>("fmi2EnterInitializationMode")(c), 0);
  EXPECT_EQ(unit.function<int(void*)>("fmi2ExitInitializationMode")(c), 0);
  EXPECT_EQ(set(c, &input, 1, &unit_step), 0);
  EXPECT_EQ(set(c, &output, 1, &unit_step), 3);
  EXPECT_EQ(get(c, &nothing, 1, &y), 3);
  EXPECT_EQ(step(c, 0, -1, 1), 3);
  EXPECT_EQ(step(c, 5, 0.1, 1), 3);  // another time than the one that is reached
  EXPECT_EQ(step(c, 0, 0.1, 1), 0);
  void* saved = nullptr;
  EXPECT_EQ(unit.function<int(void*, void**)>("fmi2GetFMUstate")(c, &saved), 0);
  const auto closed = [](double t) { return 1 - std::exp(-t) * (std::cos(3 * t) + std::sin(3 * t) / 3); };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(step(c, 0.1, 0.3, 1), 0);
    EXPECT_EQ(get(c, &output, 1, &y), 0);
    EXPECT_NEAR(y, closed(0.4), 1e-13);
    EXPECT_EQ(unit.function<int(void*, void*)>("fmi2SetFMUstate")(c, saved), 0);
  }
  EXPECT_EQ(unit.function<int(void*, void**)>("fmi2FreeFMUstate")(c, &saved), 0);
  EXPECT_EQ(saved, nullptr);
  unit.function<void(void*)>("fmi2FreeInstance")(c);
}

TEST(FunctionalMockupUnit, RefusesWhatIsImproperWithItsBranch) {
  const ExportSubject subject = exported::subject("digraph { parameters=\"T=2\"; a -> b; b -> c [gain=\"1+s*T\"]; }");
  std::ostringstream out;
  try {
    write_functional_mockup_unit(out, subject);
    FAIL();
  } catch (const NoAnswer& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("'b' -> 'c'"), std::string::npos) << refusal.what();
  }
}

}  // namespace
}  // namespace sfg
