#pragma once
#include <string>
#include <vector>

#include "tools/weave/fence_answer.hpp"

namespace sfg::command {

/// Where a page comes from and where it goes.
struct PagePlace {
  std::string source;  ///< as the command names it
  std::string target;
};

/// What has become of a fence.
enum class FenceState { stale, made, kept, failed };

/// A page with its fences, and what stands of it in the folder of woven pages. A hidden file beside the woven page keeps of which
/// words, bodies and files its answers are made.
class WovenPage {
 public:
  /// Reads the page, and what was woven of it before.
  /// @param notation  of formulas and tables; "": that of the page
  WovenPage(PagePlace, FenceKeys&, const std::string& notation);

  const std::string& source() const { return place_.source; }
  const std::string& target() const { return place_.target; }
  const PageKind& kind() const { return *kind_; }
  const std::vector<Fence>& fences() const { return fences_; }
  const FenceQuestion& question(std::size_t i) const { return entries_[i].question; }
  FenceState state(std::size_t i) const { return entries_[i].state; }
  bool written() const { return written_; }
  /// What stands in the page in place of a fence, and the last line of it.
  const std::string& answer(std::size_t i) const { return entries_[i].text; }
  std::size_t last_line(std::size_t i) const;
  /// The file that holds the answer of a fence.
  std::string file_of(std::size_t i) const;
  /// Every file that a whole answer of the page consists of, beside the page.
  std::vector<std::string> files() const;

  bool stale() const;       ///< some fence is
  bool text_stale() const;  ///< what stands in the page is not what belongs there
  AskedFence asked(std::size_t i) const;
  void take(std::size_t i, FenceAnswer);
  /// Writes what has changed, unless a fence has no answer.
  void write();

 private:
  struct Entry {
    FenceQuestion question;
    std::string key, text, digest;  ///< of what it is made, what stands in the page, of its picture
    std::string picture = {};       ///< made now
    FenceState state = FenceState::stale;
  };
  std::string stamp() const;
  std::string picture_name(std::size_t i, const std::string& extension) const;
  std::string beside(const std::string& name) const;
  std::string stamp_path() const;
  std::string whole() const;
  std::string part(std::size_t i) const { return entries_[i].text + "\n"; }
  void read_stamp();
  bool stands(std::size_t i) const;

  PagePlace place_;
  const PageKind* kind_;
  std::string notation_;
  std::string text_, folder_, old_page_;
  bool has_old_page_ = false, written_ = false;
  std::string old_stamp_;
  std::vector<std::string> old_files_;  ///< that were made of it before
  std::vector<Fence> fences_;
  std::vector<Entry> entries_;
};

}  // namespace sfg::command
