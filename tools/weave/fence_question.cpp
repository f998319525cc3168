#include "tools/weave/fence_question.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <utility>

#include "sfg/read/input.hpp"
#include "sfg/text/digest.hpp"
#include "sfg/text/scan.hpp"
#include "sfg/version.hpp"
#include "tools/frame/arguments.hpp"
#include "tools/frame/verb_table.hpp"

namespace sfg::command {

namespace {

/// Whether the word states the value of the one before it.
bool takes_value(const Verb& verb, const std::string& word) {
  const auto is_it = [&](const Option& option) {
    return !option.value.empty() && (word == option.name || (option.letter != 0 && word == std::string("-") + option.letter) ||
                                     std::ranges::find(option.formerly, word) != option.formerly.end());
  };
  return std::ranges::any_of(verb.options, is_it) || std::ranges::any_of(common_options(), is_it);
}

const Verb* verb_of(const std::string& name) {
  const auto verb = std::ranges::find(verb_table(), name, &Verb::name);
  return verb == verb_table().end() ? nullptr : &*verb;
}

/// The options that the page has for itself.
void refuse_words_of_page(const FenceQuestion& question) {
  constexpr std::array<std::string_view, 7> own{"-o", "--output", "--json", "--notation", "--type", "-h", "--help"};
  for (const std::string& word : question.options) {
    const std::string name = word.starts_with("-o") && !word.starts_with("--") ? "-o" : word.substr(0, word.find('='));
    if (std::ranges::find(own, name) != own.end())
      throw UsageError(name + " has no place in a fence: the page says where its answers stand, and how they are written",
                       "leave it out");
  }
}

const Verb& verb_that_answers(const FenceQuestion& question) {
  if (question.verb.empty()) throw UsageError("the fence names no verb", "write sfg tf, sfg draw, sfg bode …");
  const Verb& verb = verb_named({question.verb});
  const bool pages =
      std::ranges::any_of(verb.options, [](const Option& option) { return option.name == "--notation"; }) && !verb.many_inputs;
  if ((!draws(verb.name) && !pages) || verb.name == "export" || verb.name == "report")
    throw UsageError("'sfg " + verb.name + "' answers by no picture, formula or table of one input, as a fence does",
                     "ask for draw, bode, step, tf, poles, mason …");
  return verb;
}

}  // namespace

bool draws(const std::string& verb) {
  constexpr std::array<std::string_view, 8> all{"draw", "bode", "nyquist", "nichols", "rlocus", "step", "impulse", "simulate"};
  return std::ranges::find(all, verb) != all.end();
}

FenceQuestion question_of(const Fence& fence) {
  FenceQuestion question;
  const Verb* verb = nullptr;
  bool value = false;
  for (const std::string& word : fence.words) {
    const bool is_value = std::exchange(value, verb != nullptr && !value && takes_value(*verb, word));
    if (!is_value && word.starts_with("file=")) {
      question.file = word.substr(5);
    } else if (!is_value && word.starts_with("alt=")) {
      question.alt = word.substr(4);
    } else if (question.verb.empty()) {
      question.verb = word;
      verb = verb_of(word);
    } else {
      question.options.push_back(word);
    }
  }
  return question;
}

std::vector<std::string> words_of(const FenceQuestion& question, const Fence& fence, const PageKind& kind,
                                  const std::string& notation) {
  if (!fence.wrong.empty()) throw UsageError(fence.wrong, fence.hint);
  const Verb& verb = verb_that_answers(question);
  refuse_words_of_page(question);
  const bool has_body = !is_blank_line(fence.body.substr(0, fence.body.find_first_not_of(" \t\r\n") + 1));
  if (has_body && !question.file.empty())
    throw UsageError("file= takes the place of the input in the fence, and there is one", "leave one of them out");
  std::vector<std::string> words = question.options;
  if (!question.file.empty())
    words.insert(words.begin(), question.file);
  else if (has_body)
    words.insert(words.begin(), "-");
  else if (verb.needs_input)
    throw UsageError("the fence is empty", "write the input in it, or file=model.toml behind the verb");
  if (draws(verb.name))
    words.insert(words.end(), {"-o", "answer." + kind.picture});
  else
    words.insert(words.end(), {"--notation", notation});
  if (std::ranges::find(words, "--threads") == words.end()) words.insert(words.end(), {"--threads", "1"});
  return words;
}

std::string FenceKeys::of(const Fence& fence, const FenceQuestion& question, const std::string& notation,
                          const std::string& folder) {
  std::string all = std::string(version().text) + '\n' + notation;
  std::string words;
  for (const std::string& word : fence.words) {
    all += '\0' + word;
    words += '"' + word + "\" ";
  }
  all += '\0' + fence.body;
  std::vector<std::string> open = named_in(words, folder);
  if (!question.file.empty()) open.push_back((std::filesystem::path(folder) / question.file).string());
  std::set<std::string> seen;
  while (!open.empty()) {
    const std::string path = std::move(open.back());
    open.pop_back();
    if (!seen.insert(path).second) continue;
    const File& known = file(path);
    open.insert(open.end(), known.named.begin(), known.named.end());
  }
  for (const std::string& path : seen) all += '\0' + path + '\0' + file(path).digest;
  return base64(sha256(all));
}

/// What is not there, or too large, has no digest: it is an error once it is asked about.
const FenceKeys::File& FenceKeys::file(const std::string& path) {
  const auto [entry, fresh] = files_.try_emplace(path);
  if (!fresh || !is_file(path)) return entry->second;
  try {
    const std::string text = text_of_file(path);
    entry->second.digest = sha256(text);
    std::vector<std::string> named = named_in(text, std::filesystem::path(path).parent_path().string());
    entry->second.named = std::move(named);
  } catch (const Error&) {
    entry->second.digest = "unreadable";
  }
  return entry->second;
}

bool FenceKeys::is_file(const std::string& path) {
  const auto [entry, fresh] = known_.try_emplace(path, false);
  std::error_code ignored;
  if (fresh) entry->second = std::filesystem::is_regular_file(path, ignored);
  return entry->second;
}

/// Words and quoted texts that are names of files: one too many costs an answer made anew, one too few an old answer.
std::vector<std::string> FenceKeys::named_in(std::string_view text, const std::string& folder) {
  std::set<std::string, std::less<>> names;
  constexpr std::size_t longest = 255;
  const auto add = [&](std::string_view name) {
    const bool number = name.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
    if (!number && name.size() <= longest && name.find_first_of(std::string_view("\n\0", 2)) == std::string_view::npos)
      names.emplace(name);
  };
  const auto parts = [&](const char* ends) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find_first_of(ends, begin), text.size());
      if (end > begin) add(text.substr(begin, end - begin));
      begin = end + 1;
    }
  };
  parts(" \t\r\n\"'`,;()[]{}<>=:@");
  parts("\n\"'");
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (std::string path = (std::filesystem::path(folder) / name).string(); is_file(path)) found.push_back(std::move(path));
  return found;
}

}  // namespace sfg::command
