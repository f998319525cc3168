#include "tools/serve/named_files.hpp"

#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace sfg::command {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_text = std::uintmax_t{4} << 20;
constexpr std::size_t most_entries = 5000;

std::string text_in(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Regular files of a folder.
std::vector<fs::path> neighbours(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  std::size_t entries = 0;
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end; entry.increment(error)) {
    if (++entries > most_entries) break;
    std::error_code ignored;
    if (entry->is_regular_file(ignored)) found.push_back(folder / entry->path().filename());
  }
  return found;
}

}  // namespace

std::set<fs::path> files_named_by(const fs::path& input, const std::set<fs::path>& except) {
  const std::vector<fs::path> around = neighbours(input.parent_path());
  std::set<fs::path> found{input};
  std::vector<fs::path> open{input};
  while (!open.empty()) {
    const fs::path file = open.back();
    open.pop_back();
    std::error_code error;
    if (fs::file_size(file, error) > largest_text || error) continue;
    const std::string text = text_in(file);
    for (const fs::path& neighbour : around)
      if (!except.contains(neighbour) && text.find(neighbour.filename().string()) != std::string::npos &&
          found.insert(neighbour).second)
        open.push_back(neighbour);
  }
  return found;
}

FileContents FileContents::of(const std::set<fs::path>& files, const FileContents& before) {
  FileContents now;
  for (const fs::path& file : files) {
    std::error_code error;
    Content& content = now.contents_[file];
    content.time = fs::last_write_time(file, error);
    if (!error) content.size = fs::file_size(file, error);
    content.there = !error;
    if (error) continue;
    const auto last = before.contents_.find(file);
    const bool same = last != before.contents_.end() && last->second.there && last->second.time == content.time &&
                      last->second.size == content.size;
    content.hash = same ? last->second.hash : std::hash<std::string>()(text_in(file));
  }
  return now;
}

bool FileContents::operator==(const FileContents& other) const {
  if (contents_.size() != other.contents_.size()) return false;
  for (const auto& [path, content] : contents_) {
    const auto found = other.contents_.find(path);
    if (found == other.contents_.end() || found->second.there != content.there || found->second.hash != content.hash ||
        found->second.size != content.size)
      return false;
  }
  return true;
}

}  // namespace sfg::command
