#include "sfg/report/report.hpp"

#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "sfg/draw/process.hpp"
#include "sfg/error.hpp"
#include "sfg/text/escape.hpp"

namespace sfg {

namespace {

constexpr const char* installing = "install the packages texlive-latex-extra and texlive-pictures, or write .html, .md or .tex";

[[noreturn]] void refuse(const std::string& folder) {
  throw Error({}, "cannot write to the temporary folder " + folder + ": " + std::generic_category().message(errno),
              "name another one by the environment variable TMPDIR");
}

/// A folder that goes with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "sfg-report-XXXXXX").string();
    if (::mkdtemp(path.data()) == nullptr) refuse(path);
    path_ = path;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const noexcept { return path_; }
  std::string text_of(const char* name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
  }

 private:
  std::filesystem::path path_;
};

/// Nothing of the user's: no files of their home, no other program, no clock, long lines in what TeX says.
std::vector<std::string> surroundings(const std::string& folder) {
  const char* path = std::getenv("PATH");
  std::vector<std::string> all{"PATH=" + std::string(path == nullptr ? "/usr/bin:/bin" : path),
                               "LC_ALL=C",
                               "FORCE_SOURCE_DATE=1",
                               "openout_any=p",
                               "openin_any=p",
                               "shell_escape=f",
                               "max_print_line=1000"};
  for (const char* name : {"HOME", "TMPDIR", "TEXMFHOME", "TEXMFVAR", "TEXMFCONFIG"}) all.push_back(name + ("=" + folder));
  return all;
}

/// The first complaint: TeX's own begin with "!", those of its packages too.
std::string complaint(const std::string& said) {
  const std::size_t at = said.starts_with("!") ? 0 : said.find("\n!") + 1;
  const bool found = said.starts_with("!") || at != 0;
  const std::string line = found ? said.substr(at, said.find('\n', at) - at) : said.substr(0, said.find('\n'));
  return valid_utf8(line);
}

void run_once(const TemporaryFolder& folder, double seconds) {
  try {
    const ProcessResult result = run_process(
        {"pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "report.tex"}, "", {.seconds = seconds},
        {.folder = folder.path().string(), .environment = surroundings(folder.path().string())});
    if (result.status != 0)
      throw NoAnswer("pdflatex refuses the report: " + complaint(result.output + result.messages), installing);
  } catch (const NoAnswer& error) {
    if (!error.remedy().empty()) throw;
    throw NoAnswer(error.what(), installing);
  } catch (const LimitReached& error) {
    throw LimitReached(error.what(), "ask for fewer sections, or write .html or .tex");
  }
}

}  // namespace

std::string pdf_document(const Report& report, const Budget& budget) {
  constexpr double usual_seconds = 120;
  constexpr int most_runs = 4;
  const TemporaryFolder folder;
  {
    std::ofstream document(folder.path() / "report.tex", std::ios::binary);
    write_latex_document(document, report, budget);
    if (!document.flush()) refuse(folder.path().string());
  }
  std::string before = "none";  // the numbers of pages and widths of tables that a run leaves for the next
  for (int run = 0; run < most_runs; ++run) {
    budget.check("the report");
    run_once(folder, std::min(usual_seconds, budget.limits().seconds.value_or(usual_seconds)));
    std::string left = folder.text_of("report.aux") + folder.text_of("report.toc") + folder.text_of("report.out");
    if (left == before) break;
    before = std::move(left);
  }
  std::string pdf = folder.text_of("report.pdf");
  if (pdf.empty()) throw NoAnswer("pdflatex wrote nothing", installing);
  return pdf;
}

}  // namespace sfg
