#include "tools/weave/woven_page.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "sfg/read/input.hpp"
#include "sfg/text/digest.hpp"
#include "tools/frame/output.hpp"

namespace sfg::command {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::optional<std::string> text_if_there(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return {};
  try {
    return text_of_file(path);
  } catch (const Error&) {
    return {};
  }
}

std::string digest_of(const std::string& bytes) { return base64(sha256(bytes)); }

/// As lines of the page, without a last end.
std::string as_lines(const std::string& text, const std::string& indent, const std::string& line_end) {
  std::string lines;
  const std::size_t last = text.find_last_not_of("\n");
  const std::string blank = indent.substr(0, indent.find_last_not_of(" \t") + 1);
  for (std::size_t i = 0; last != std::string::npos && i <= last; ++i)
    if (text[i] != '\n')
      lines += text[i];
    else
      lines += line_end + (text[i + 1] == '\n' ? blank : indent);
  return lines;
}

void make_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) refuse_output(folder.string(), error.value());
}

void write_if_new(const std::string& text, const std::string& path) {
  if (text_if_there(path) == text) return;
  make_folder_of(path);
  deliver(text, path);
}

}  // namespace

WovenPage::WovenPage(PagePlace place, FenceKeys& keys, const std::string& notation)
    : place_(std::move(place)),
      kind_(page_kind_of(place_.source)),
      notation_(notation.empty() ? kind_->notation : notation),
      text_(text_of_file(place_.source)),
      folder_(fs::absolute(place_.source).parent_path().string()) {
  fences_ = kind_->fences(text_);
  const std::string folder = fs::path(place_.source).parent_path().string();
  for (const Fence& fence : fences_) {
    FenceQuestion question = question_of(fence);
    std::string key = keys.of(fence, question, notation_, folder);
    entries_.push_back({std::move(question), std::move(key), {}, {}});
  }
  if (std::optional<std::string> old = text_if_there(place_.target)) {
    old_page_ = *std::move(old);
    has_old_page_ = true;
  }
  read_stamp();
}

std::string WovenPage::beside(const std::string& name) const { return (fs::path(place_.target).parent_path() / name).string(); }

/// "sfg/PAGE-N.svg"
std::string WovenPage::picture_name(std::size_t i, const std::string& extension) const {
  return "sfg/" + fs::path(place_.source).stem().string() + "-" + std::to_string(i + 1) + "." + extension;
}

std::string WovenPage::stamp_path() const { return beside("." + fs::path(place_.target).filename().string() + ".woven"); }

std::string WovenPage::file_of(std::size_t i) const {
  return draws(entries_[i].question.verb) ? beside(picture_name(i, kind_->picture)) : place_.target;
}

std::size_t WovenPage::last_line(std::size_t i) const {
  return 1 +
         static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(fences_[i].end), '\n'));
}

std::vector<std::string> WovenPage::files() const {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    if (draws(entries_[i].question.verb)) all.push_back(picture_name(i, kind_->picture));
    if (kind_->parts) all.push_back(picture_name(i, "tex"));
  }
  return all;
}

/// What it says was made; what is not as it says is made anew.
void WovenPage::read_stamp() {
  const std::optional<std::string> text = text_if_there(stamp_path());
  if (!text) return;
  old_stamp_ = *text;
  try {
    const Json stamp = Json::parse(*text);
    old_files_ = stamp.at("files").get<std::vector<std::string>>();
    const Json& made = stamp.at("fences");
    for (std::size_t i = 0; i < std::min(made.size(), entries_.size()); ++i) {
      Entry& entry = entries_[i];
      if (made[i].at("key").get<std::string>() != entry.key) continue;
      entry.text = made[i].at("text").get<std::string>();
      entry.digest = made[i].at("picture").get<std::string>();
      if (stands(i)) entry.state = FenceState::kept;
    }
  } catch (const Json::exception&) {  // another version's, or damaged
    old_files_.clear();
  }
}

bool WovenPage::stands(std::size_t i) const {
  if (!has_old_page_) return false;
  if (kind_->parts && text_if_there(beside(picture_name(i, "tex"))) != part(i)) return false;
  if (!draws(entries_[i].question.verb)) return true;
  const std::optional<std::string> picture = text_if_there(file_of(i));
  return picture && digest_of(*picture) == entries_[i].digest;
}

bool WovenPage::stale() const {
  return std::ranges::any_of(entries_, [](const Entry& entry) { return entry.state == FenceState::stale; });
}

bool WovenPage::text_stale() const { return stale() || !has_old_page_ || old_page_ != whole() || old_stamp_ != stamp(); }

AskedFence WovenPage::asked(std::size_t i) const {
  return {&fences_[i], kind_, notation_, entries_[i].question, place_.source, folder_};
}

void WovenPage::take(std::size_t i, FenceAnswer answer) {
  Entry& entry = entries_[i];
  entry.state = answer.status == 0 ? FenceState::made : FenceState::failed;
  if (answer.status != 0) return;
  if (!draws(entry.question.verb)) {
    const std::size_t last = answer.text.find_last_not_of(" \t\r\n");
    entry.text = answer.text.substr(0, last == std::string::npos ? 0 : last + 1);
    return;
  }
  entry.text = kind_->reference(picture_name(i, kind_->picture), entry.question.alt.empty() ? answer.title : entry.question.alt);
  entry.digest = digest_of(answer.text);
  entry.picture = std::move(answer.text);
}

/// The page with the answers in place of the fences.
std::string WovenPage::whole() const {
  const std::size_t first = text_.find('\n');
  const std::string line_end = first != std::string::npos && first > 0 && text_[first - 1] == '\r' ? "\r\n" : "\n";
  std::string all;
  std::size_t at = 0;
  for (std::size_t i = 0; i < fences_.size(); ++i) {
    const Fence& fence = fences_[i];
    all.append(text_, at, fence.begin - at);
    if (fence.joins_above) all += line_end + fence.indent;
    all += as_lines(entries_[i].text, fence.indent, line_end);
    if (fence.joins_below) all += line_end;
    at = fence.end;
  }
  return all.append(text_, at);
}

std::string WovenPage::stamp() const {
  Json made = Json::array();
  for (const Entry& entry : entries_) made.push_back({{"key", entry.key}, {"text", entry.text}, {"picture", entry.digest}});
  const Json stamp{{"files", files()}, {"fences", std::move(made)}};
  return stamp.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void WovenPage::write() {
  if (std::ranges::any_of(entries_, [](const Entry& entry) { return entry.state == FenceState::failed; })) {
    for (Entry& entry : entries_)
      if (entry.state == FenceState::made) entry.state = FenceState::kept;  // nothing of the page is written
    return;
  }
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    Entry& entry = entries_[i];
    if (!entry.picture.empty()) write_if_new(entry.picture, file_of(i));
    if (kind_->parts) write_if_new(part(i), beside(picture_name(i, "tex")));
  }
  std::string page = whole();
  written_ = !has_old_page_ || page != old_page_;
  if (written_) {
    make_folder_of(place_.target);
    deliver(page, place_.target);
  }
  const std::vector<std::string> now = files();
  for (const std::string& old : old_files_)
    if (std::error_code ignored; std::ranges::find(now, old) == now.end() && old.starts_with("sfg/"))
      fs::remove(beside(old), ignored);
  if (const std::string stamped = stamp(); stamped != old_stamp_) deliver(stamped, stamp_path());
  old_page_ = std::move(page);
  has_old_page_ = true;
}

}  // namespace sfg::command
