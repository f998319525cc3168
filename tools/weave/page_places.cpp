#include "tools/weave/page_places.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "tools/frame/arguments.hpp"

namespace sfg::command {

namespace {

namespace fs = std::filesystem;

bool is_same(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  return fs::equivalent(a, b, ignored) && !ignored;
}

/// A hidden file beside it says that it is no source.
bool is_woven(const fs::path& page) {
  std::error_code ignored;
  return fs::exists(page.parent_path() / ("." + page.filename().string() + ".woven"), ignored);
}

[[noreturn]] void refuse(const std::string& path, const std::error_code& error) {
  throw Error(SourceSpan{std::make_shared<const std::string>(path)}, "cannot read: " + error.message(),
              "name a page or a folder");
}

std::vector<PagePlace> pages_in(const std::string& named, const std::string& folder) {
  std::vector<PagePlace> found;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(named, error); !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    const fs::path& path = at->path();
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      if (path.filename().string().starts_with('.') || is_same(path, folder)) at.disable_recursion_pending();
    } else if (page_kind_of(path.string()) != nullptr && at->is_regular_file(ignored) && !is_woven(path)) {
      const fs::path way = path.lexically_relative(named);
      found.push_back({named == "." ? way.string() : path.string(), (fs::path(folder) / way).string()});
    }
  }
  if (error) refuse(named, error);
  std::ranges::sort(found, {}, &PagePlace::source);
  return found;
}

void check(const std::vector<PagePlace>& places) {
  std::map<std::string, std::string> taken;
  for (const PagePlace& place : places) {
    if (is_same(place.source, place.target))
      throw UsageError("the woven page would take the place of " + place.source, "name another folder with -o");
    const auto [other, fresh] = taken.try_emplace(place.target, place.source);
    if (!fresh && is_same(other->second, place.source)) throw UsageError(place.source + " is named twice", "name it once");
    if (!fresh)
      throw UsageError(other->second + " and " + place.source + " would both be " + place.target,
                       "name the folder that holds both, or weave them into folders of their own");
  }
}

}  // namespace

std::vector<PagePlace> page_places(const std::vector<std::string>& named, const std::string& folder) {
  std::vector<PagePlace> places;
  for (std::string name : named) {
    while (name.size() > 1 && name.ends_with('/')) name.pop_back();
    std::error_code error;
    const fs::file_status status = fs::status(name, error);
    if (fs::is_directory(status)) {
      std::vector<PagePlace> pages = pages_in(name, folder);
      places.insert(places.end(), pages.begin(), pages.end());
      continue;
    }
    if (!fs::exists(status)) refuse(name, error ? error : std::make_error_code(std::errc::no_such_file_or_directory));
    if (page_kind_of(name) == nullptr)
      throw UsageError("'" + name + "' is no page", "end its name in " + listed_page_kinds() + ", or name a folder");
    places.push_back({name, (fs::path(folder) / fs::path(name).filename()).string()});
  }
  check(places);
  return places;
}

}  // namespace sfg::command
