// The code is given to its clients: a C compiler with warnings as errors, and Octave.
#include "sfg/write/substitutions/substitutions.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sfg/read/input.hpp"
#include "sfg/read/substitutions.hpp"

namespace {

using namespace sfg;
namespace fs = std::filesystem;

/// A folder that goes away with the test.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "sfg-code-XXXXXX").string();
    path = ::mkdtemp(name.data()) == nullptr ? "" : name;
  }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void put(const std::string& name, const std::string& text) const { std::ofstream(path / name) << text; }
  fs::path path;
};

struct Outcome {
  int status = -1;
  std::string text;
};

Outcome run(const Folder& folder, const std::string& command) {
  const std::string all = "cd '" + folder.path.string() + "' && { " + command + "; } 2>&1";
  Outcome result;
  FILE* pipe = ::popen(all.c_str(), "r");
  if (pipe == nullptr) return result;
  std::array<char, 4096> part{};
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), pipe)) result.text.append(part.data(), count);
  const int status = ::pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

SubstitutionList double_pendulum() {
  const std::string file = std::string(SFG_TEST_DATA) + "/substitutions/double_pendulum.sub";
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return read_substitutions(text.str(), file);
}

/// Names that are words of C, of Octave and of the files themselves; rationals, roots, every kind of function.
SubstitutionList awkward() {
  return read_substitutions(
      "# title: /* no comment */ ends here */ \\\n# constants: int end p x sub gamma I π none\n# states: s1 s1d\n# inputs: u1 "
      "for\n"
      "sub4=1/3*int^2+end^(1/2)*x-p/(sub*gamma)+s1d^3;\n"
      "sub7=abs(sub4)+min(I,π,2)+max(s1,u1)+sign(-s1d)*step(for)+atan2(s1,sub4)+sub4^-2+exp(t)+1e-30;\n"
      "M(1,1)=sub4;\nM(2,2)=sub7*sqrt(I);\nJ(1,2)=2;\nF(1)=0;\nF(2)=-sub7;\nx(1)=3;\nint(2)=s1;\nall(1)=1;\nzeros(1,1)=2;\n",
      "awkward.sub");
}

SubstitutionPoint some_point(const SubstitutionList& list) {
  SubstitutionPoint point;
  double value = 0.37;
  for (auto [numbers, symbols] :
       {std::pair{&point.constants, &list.constants}, {&point.states, &list.states}, {&point.inputs, &list.inputs}})
    for (std::size_t i = 0; i < symbols->size(); ++i) numbers->push_back(value += 0.291);
  point.time = 0.5;
  return point;
}

SubstitutionCode code_of(const SubstitutionList& list) {
  SubstitutionCode code{.name = "model", .header = {"verified: against the tape"}, .point = some_point(list)};
  code.expected = values_at(list, code.point);
  return code;
}

constexpr const char* compiler =
    "cc -std=c99 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -DSFG_MAIN model.c -lm -o model";

std::string c_of(const SubstitutionList& list, const SubstitutionCode& code) {
  std::ostringstream out;
  write_c(out, list, code);
  return out.str();
}

std::string octave_of(const SubstitutionList& list, const SubstitutionCode& code) {
  std::ostringstream out;
  write_octave(out, list, code);
  return out.str();
}

TEST(SubstitutionCode, CIsCompiledWithoutWarningsAndAgreesWithTheTape) {
  for (const SubstitutionList& list : {double_pendulum(), awkward()}) {
    const Folder folder;
    folder.put("model.c", c_of(list, code_of(list)));
    const Outcome built = run(folder, compiler);
    ASSERT_EQ(built.status, 0) << built.text << c_of(list, code_of(list));
    const Outcome ran = run(folder, "./model");
    EXPECT_EQ(ran.status, 0) << ran.text;
    EXPECT_TRUE(ran.text.ends_with("# verified\n")) << ran.text;
  }
}

TEST(SubstitutionCode, ACheckThatShouldFailFails) {
  const SubstitutionList list = double_pendulum();
  SubstitutionCode code = code_of(list);
  code.expected[3] += 1e-6;
  const Folder folder;
  folder.put("model.c", c_of(list, code));
  ASSERT_EQ(run(folder, compiler).status, 0);
  EXPECT_EQ(run(folder, "./model").status, 1);
}

TEST(SubstitutionCode, ResultsNeedTheirOwnSubstitutionsAlone) {
  const std::string text = c_of(double_pendulum(), code_of(double_pendulum()));
  const std::string of_m = text.substr(text.find("double M[]) {"), text.find("double F[])") - text.find("double M[]) {"));
  EXPECT_EQ(of_m.find("sub[36]"), std::string::npos);  // of F alone
  EXPECT_NE(of_m.find("sub[33] ="), std::string::npos);
}

TEST(SubstitutionCode, OctaveAgreesWithTheTape) {
  if (std::system("octave-cli --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "octave-cli is not there";
  for (const SubstitutionList& list : {double_pendulum(), awkward()}) {
    const Folder folder;
    folder.put("model.m", octave_of(list, code_of(list)));
    const Outcome ran = run(folder, "octave-cli --norc --eval \"model('check');\"");
    EXPECT_EQ(ran.status, 0) << ran.text << octave_of(list, code_of(list));
    EXPECT_NE(ran.text.find("# verified\n"), std::string::npos) << ran.text;
  }
}

std::string python_of(const SubstitutionList& list, const SubstitutionCode& code) {
  std::ostringstream out;
  write_python(out, list, code);
  return out.str();
}

TEST(SubstitutionCode, PythonAgreesWithTheTape) {
  std::string python = "python3";
  if (std::system("python3 -c 'import numpy' > /dev/null 2>&1") != 0) python = "/usr/bin/python3";
  if (std::system((python + " -c 'import numpy' > /dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "NumPy is not there";
  for (const SubstitutionList& list : {double_pendulum(), awkward()}) {
    const Folder folder;
    SubstitutionCode code = code_of(list);
    folder.put("model.py", python_of(list, code));
    const Outcome ran = run(folder, python + " model.py");
    EXPECT_EQ(ran.status, 0) << ran.text << python_of(list, code);
    EXPECT_TRUE(ran.text.ends_with("# verified\n")) << ran.text;
    code.expected.back() += 1e-6;
    folder.put("model.py", python_of(list, code));
    EXPECT_EQ(run(folder, python + " model.py").status, 1);
  }
}

}  // namespace
