#include "tools/batch/worker.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <map>
#include <system_error>

#include "tools/frame/output.hpp"
#include "tools/frame/watch.hpp"

namespace sfg::command {

namespace {

using Clock = std::chrono::steady_clock;

/// Before the text of a question and of an answer. Both ends are the same program.
struct QuestionHead {
  std::uint64_t line = 0, size = 0;
  bool too_long = false;
};
struct AnswerHead {
  std::uint64_t size = 0;
  int status = 0;
  bool last = false;  ///< the worker ends
};

template <class Head>
bool send(int channel, const Head& head, std::string_view text) {
  std::string message(sizeof head, '\0');
  std::memcpy(message.data(), &head, sizeof head);
  message += text;
  return write_all(channel, message) == 0;
}

bool receive(int channel, char* into, std::size_t size) {
  while (size > 0) {
    const ssize_t count = ::read(channel, into, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    into += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

/// The words of a question, read once for all questions that have the same.
class Readings {
 public:
  Arguments of(const Verb& verb, std::vector<std::string> words, const std::string& input) {
    words.insert(words.begin(), {verb.name, "-"});
    auto known = read_.find(words);
    if (known == read_.end()) {
      if (read_.size() >= 64) read_.clear();
      known = read_.emplace(words, Arguments(verb, std::span(words).subspan(1))).first;
    }
    return known->second.with_input(input);
  }

 private:
  std::map<std::vector<std::string>, Arguments> read_;
};

BatchAnswer answered(const AskedQuestion& asked, const BatchTerms& terms, Readings& readings) {
  BatchQuestion question;
  try {
    read_question(asked, terms, question);
    const Verb& verb = verb_asked(question.verb);
    const auto states = [&](const char* option) { return std::ranges::find(question.options, option) != question.options.end(); };
    std::vector<std::string> words = question.options;
    if (writes_json(verb) && !states("--json")) words.emplace_back("--json");
    if (!states("--threads")) words.insert(words.end(), {"--threads", "1"});
    const Arguments arguments = readings.of(verb, std::move(words), question.text ? "-" : question.file);
    if (verb.lasts != nullptr && verb.lasts(arguments))
      throw UsageError("it would never end", "leave the option out that watches");
    const Budget budget({.seconds = std::min(terms.seconds, arguments.number("time-limit").value_or(terms.seconds)),
                         .memory_bytes = static_cast<std::size_t>(terms.mebibytes * 1048576),
                         .terms = arguments.count("max-terms", 1'000'000)});
    return answer_of(question, arguments, reply(verb, arguments, budget, question.text ? &*question.text : nullptr), terms.least);
  } catch (...) {
    return answer_of(question, ending_of_failure(question.verb, question.file, terms.mebibytes));
  }
}

/// Memory that the process has, in KiB.
long resident() {
  long all = 0, pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &all, &pages) != 2) pages = 0;
    std::fclose(file);
  }
  return pages * (::sysconf(_SC_PAGESIZE) / 1024);
}

/// A worker that has met a limit or an error of ours may be damaged; one that has grown keeps what it does not need.
bool is_worn(const BatchAnswer& answer, long kibibytes_at_first) {
  constexpr long most_growth = 256L << 10;
  return answer.status == 4 || answer.status == 70 || resident() > kibibytes_at_first + most_growth;
}

/// Signals are the business of the process that asks, and so are its files. @returns the channel
int become_worker(pid_t parent, int channel) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  ::signal(SIGINT, SIG_IGN);
  for (const int signal : {SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::signal(signal, SIG_DFL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO}) ::dup2(nothing, standard);
  constexpr int kept = STDERR_FILENO + 1;
  ::dup2(channel, kept);
  ::close_range(kept + 1, ~0U, 0);
  return kept;
}

[[noreturn]] void work(int channel, const BatchTerms& terms) {
  Readings readings;
  const long at_first = resident();
  for (bool worn = false; !worn;) {
    QuestionHead head;
    std::array<char, sizeof head> bytes{};
    if (!receive(channel, bytes.data(), bytes.size())) break;
    std::memcpy(&head, bytes.data(), sizeof head);
    AskedQuestion asked{std::string(head.size, '\0'), head.line, head.too_long};
    if (!receive(channel, asked.text.data(), head.size)) break;
    limit_memory(terms.mebibytes);
    const BatchAnswer answer = terms.by ? terms.by(asked) : answered(asked, terms, readings);
    worn = is_worn(answer, at_first);
    if (!send(channel, AnswerHead{answer.line.size(), answer.status, worn}, answer.line)) break;
  }
  ::_exit(0);
}

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

Worker::Worker(const BatchTerms& terms) : terms_(&terms) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("socketpair");
  channel_ = Descriptor(ends[0]);
  Descriptor other(ends[1]);
  const pid_t parent = ::getpid();
  sigset_t interrupts, before;  // one that comes before the child has its own handlers is not the child's
  sigemptyset(&interrupts);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&interrupts, signal);
  ::pthread_sigmask(SIG_BLOCK, &interrupts, &before);
  process_ = ::fork();
  if (process_ == 0) {
    const int channel = become_worker(parent, other.number());
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    work(channel, *terms_);
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (process_ < 0) fail("fork");
}

bool Worker::wants(const AskedQuestion& question) const {
  constexpr std::size_t most = 4, longest = 4096;
  if (asked_.empty()) return true;
  return quick_ && asked_.size() < most && question.text.size() < longest;
}

bool Worker::ask(const Placed& asked) {
  const AskedQuestion& question = asked.question;
  if (ended() || !send(channel_.number(), QuestionHead{question.line, question.text.size(), question.too_long}, question.text)) {
    end();
    return false;
  }
  asked_.push_back(asked);
  if (asked_.size() == 1) begin();
  return true;
}

/// It works on its first question from now on. The verb ends at its own limit with a message; what does not end is ended.
void Worker::begin() {
  begun_ = Clock::now();
  latest_ = begun_ + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(std::min(1e8, terms_->seconds + std::max(0.05 * terms_->seconds, 0.2))));
}

std::vector<Worker::Taken> Worker::take() {
  std::array<char, 65536> buffer{};
  const ssize_t count = ::recv(channel_.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (count < 0 && (errno == EINTR || errno == EAGAIN)) return {};
  if (count <= 0) return {failure(end())};
  received_.append(buffer.data(), static_cast<std::size_t>(count));
  std::vector<Taken> taken;
  for (AnswerHead head; !ended() && received_.size() >= sizeof head;) {
    std::memcpy(&head, received_.data(), sizeof head);
    if (received_.size() < sizeof head + head.size) break;
    taken.push_back({asked_.front().place, {received_.substr(sizeof head, head.size), head.status}});
    received_.erase(0, sizeof head + head.size);
    asked_.pop_front();
    constexpr std::chrono::milliseconds at_once(20);
    quick_ = Clock::now() - begun_ < at_once;
    begin();
    if (head.last) end();
  }
  return taken;
}

Worker::Taken Worker::give_up() {
  end();
  return failure({});
}

/// @param status  of the process as waitpid tells it; none: it was ended at the limit of time
Worker::Taken Worker::failure(std::optional<int> status) {
  const Placed asked = std::move(asked_.front());
  asked_.pop_front();
  received_.clear();
  BatchQuestion question;
  try {
    read_question(asked.question, *terms_, question);
  } catch (const Failure&) {  // what is understood of it is enough to name it
  }
  const SourceSpan where{std::make_shared<const std::string>(question.text ? question.text->name : question.file)};
  if (!status)
    return {asked.place,
            answer_of(question, {4, "limit", {{where, time_message(terms_->seconds), "raise --time-limit, or ask for less"}}})};
  if (WIFSIGNALED(*status) && WTERMSIG(*status) == SIGKILL)
    return {asked.place,
            answer_of(question, {4,
                                 "limit",
                                 {{where, "its process was ended from outside: the machine has no more memory, most likely",
                                   "lower --threads or --memory-limit"}}})};
  return {asked.place, answer_of(question, {70,
                                            "internal",
                                            {{where, "an error of ours has ended the process that answered",
                                              "please report the command and its input"}}})};
}

/// @returns its status as waitpid tells it
int Worker::end() {
  int status = 0;
  if (process_ <= 0) return status;
  ::kill(process_, SIGKILL);
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  channel_.close();
  return status;
}

}  // namespace sfg::command
