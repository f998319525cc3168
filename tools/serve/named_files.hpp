#pragma once
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace sfg::command {

/// The files that a model depends on: itself and those of its folder that it names (netlists, tables of a signal), and what these
/// name. Whatever names them: a file counts when its name occurs in the text, so that none is missed.
/// @param except  files that are written and not read
std::set<std::filesystem::path> files_named_by(const std::filesystem::path& input, const std::set<std::filesystem::path>& except);

/// What stands in files at one moment: equal where all have the same content.
class FileContents {
 public:
  /// Reads what may have changed since `before`: by time, size and place of a file.
  static FileContents of(const std::set<std::filesystem::path>& files, const FileContents& before);
  bool operator==(const FileContents& other) const;

 private:
  struct Content {
    std::filesystem::file_time_type time;
    std::uintmax_t size = 0;
    std::size_t hash = 0;
    bool there = false;
  };
  std::map<std::filesystem::path, Content> contents_;
};

}  // namespace sfg::command
