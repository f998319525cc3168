// The corpora of the fuzz targets, in the ordinary build: what was found once, and what reaches far; and random changes of
// them, SFG_TEST_MULTIPLIER=1000 a thousand times as many. tools/fuzz does the same guided by coverage.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "fuzz/targets.hpp"

namespace sfg::fuzz {
namespace {

namespace fs = std::filesystem;

/// Its corpus; and what SFG_FUZZ_SEEDS holds for it, a folder in which tools/fuzz lays what the project's models offer.
std::vector<std::string> corpus_of(const Target& target) {
  std::vector<fs::path> folders{fs::path(SFG_SOURCE_DIR) / "tests" / "fuzz" / "corpus"}, files;
  if (const char* seeds = std::getenv("SFG_FUZZ_SEEDS")) folders.emplace_back(seeds);
  for (const fs::path& folder : folders)
    if (fs::exists(folder / target.name))
      for (const auto& entry : fs::directory_iterator(folder / target.name)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<std::string> texts;
  for (const fs::path& path : files) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return texts;
}

/// Changes of texts: what stands in one goes, comes twice, comes from another, is another character or another number.
class Mutator {
 public:
  Mutator(const std::vector<std::string>& corpus, std::size_t longest, std::uint64_t seed)
      : corpus_(corpus), longest_(longest), engine_(seed) {}

  std::string next() {
    std::string text = corpus_[below(corpus_.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text.substr(0, longest_);
  }

 private:
  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_); }
  std::string_view piece(std::string_view text) {
    const std::size_t begin = below(text.size() + 1), longest = below(2) == 0 ? 8 : 80;
    return text.substr(begin, below(longest) + 1);
  }
  void change(std::string& text) {
    static constexpr std::array<std::string_view, 24> odd{"0",    "-1",   "1e999", "2147483648", "9223372036854775808",
                                                          "nan",  "(",    ")",     "[",          "]",
                                                          "{",    "}",    "\"",    "'",          "\\",
                                                          "\n",   "\t",   ",",     "=",          "^",
                                                          "\xC3", "\x01", "é",     "1e-400"};
    const std::size_t at = below(text.size() + 1);
    switch (below(6)) {
      case 0: text.erase(at, piece(text).size()); return;
      case 1: text.insert(at, std::string(piece(text))); return;
      case 2: text.insert(at, piece(corpus_[below(corpus_.size())])); return;
      case 3: text.insert(at, odd[below(odd.size())]); return;
      case 4: text.replace(at, below(4), odd[below(odd.size())]); return;
      default:
        if (at < text.size()) text[at] = static_cast<char>(below(3) == 0 ? below(256) : 0x20 + below(0x5F));
    }
  }

  const std::vector<std::string>& corpus_;
  std::size_t longest_;
  std::mt19937_64 engine_;
};

std::uint64_t stated(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? 1 : std::max(1LL, std::atoll(text));
}

/// What is being run, so that a crash leaves it.
std::string running, kept;

void keep() {
  const int file = ::open(kept.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  [[maybe_unused]] const ssize_t written = ::write(file, running.data(), running.size());
  ::close(file);
}
void on_crash(int signal) {
  keep();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void run(const Target& target, const std::string& bytes) {
  running = bytes;
  kept = (fs::temp_directory_path() / ("fuzz_" + std::string(target.name))).string();
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) ::signal(signal, on_crash);
  try {
    EXPECT_EQ(target.run(bytes), 0);
  } catch (const std::exception& broken) {
    keep();
    ADD_FAILURE() << broken.what() << "\nof these bytes, which " << kept << " has:\n" << bytes;
  }
}

class Fuzz : public testing::TestWithParam<Target> {};

TEST_P(Fuzz, ReplaysItsCorpus) {
  const std::vector<std::string> corpus = corpus_of(GetParam());
  EXPECT_FALSE(corpus.empty()) << "tests/fuzz/corpus/" << GetParam().name << " has nothing to begin with";
  run(GetParam(), "");
  for (const std::string& bytes : corpus) run(GetParam(), bytes);
}

TEST_P(Fuzz, TakesWhatIsNearItsCorpus) {
  const std::vector<std::string> corpus = corpus_of(GetParam());
  ASSERT_FALSE(corpus.empty());
  Mutator mutator(corpus, GetParam().longest, stated("SFG_TEST_SEED"));
  for (std::uint64_t left = GetParam().tries * stated("SFG_TEST_MULTIPLIER"); left > 0 && !HasFailure(); --left)
    run(GetParam(), mutator.next());
}

INSTANTIATE_TEST_SUITE_P(Targets, Fuzz, testing::ValuesIn(targets),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace sfg::fuzz
