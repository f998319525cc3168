#include "tools/frame/checkpoint.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "sfg/error.hpp"

namespace sfg::command {

namespace {

constexpr std::string_view magic = "sfg checkpoint 1\n";

}  // namespace

std::string Checkpoint::text() const { return std::string(magic) + std::to_string(table) + '\n' + state; }

Checkpoint Checkpoint::of(const std::string& path) {
  const SourceSpan file{std::make_shared<const std::string>(path)};
  if (std::filesystem::is_directory(path)) throw Error(file, "this is a folder, no checkpoint", "name the file of --checkpoint");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(file, std::string("cannot read the checkpoint: ") + std::strerror(errno), "begin anew");
  return read(std::string{std::istreambuf_iterator<char>(in), {}}, path);
}

Checkpoint Checkpoint::read(std::string_view text, const std::string& path) {
  Checkpoint found;
  const char* end = text.data() + text.size();
  if (text.starts_with(magic)) {
    const auto [after, error] = std::from_chars(text.data() + magic.size(), end, found.table);
    if (error == std::errc() && after != end && *after == '\n') {
      found.state.assign(after + 1, end);
      return found;
    }
  }
  throw Error({std::make_shared<const std::string>(path)}, "this is no checkpoint", "name the file of --checkpoint");
}

}  // namespace sfg::command
