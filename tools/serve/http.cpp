#include "tools/serve/http.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "sfg/error.hpp"
#include "sfg/text/scan.hpp"
#include "tools/frame/descriptor.hpp"

namespace sfg::command {

namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point in_seconds(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

int milliseconds_until(Clock::time_point time) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(time - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 60'000));
}

const char* reason_of(int status) {
  static const std::map<int, const char*> reasons{{200, "OK"},
                                                  {400, "Bad Request"},
                                                  {403, "Forbidden"},
                                                  {404, "Not Found"},
                                                  {405, "Method Not Allowed"},
                                                  {408, "Request Timeout"},
                                                  {411, "Length Required"},
                                                  {413, "Content Too Large"},
                                                  {414, "URI Too Long"},
                                                  {415, "Unsupported Media Type"},
                                                  {416, "Range Not Satisfiable"},
                                                  {422, "Unprocessable Content"},
                                                  {431, "Request Header Fields Too Large"},
                                                  {500, "Internal Server Error"},
                                                  {503, "Service Unavailable"}};
  const auto known = reasons.find(status);
  return known == reasons.end() ? "Answer" : known->second;
}

std::string text_of(const HttpResponse& response, bool head_alone) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " " + reason_of(response.status) +
                     "\r\nContent-Type: " + response.type + "\r\nContent-Length: " + std::to_string(response.body.size()) +
                     "\r\nConnection: close\r\n";
  for (const auto& [name, value] : response.headers) text.append(name).append(": ").append(value) += "\r\n";
  text += "\r\n";
  return head_alone ? text : text + response.body;
}

bool is_token_character(char c) {
  return is_word_character(c) || std::string_view("!#$%&'*+-.^`|~").find(c) != std::string_view::npos;
}

/// A connection whose request is not whole yet.
struct Asking {
  explicit Asking(Descriptor from) : socket(std::move(from)) {}
  Descriptor socket;
  std::string text = {};  ///< what has come: of the head, then of the body
  std::optional<HttpRequest> request = {};
  std::size_t length = 0, come = 0;  ///< of the body
  std::optional<HttpResponse> refused = {};
  Clock::time_point until = in_seconds(HttpServer::seconds_to_ask);

  bool whole() const { return refused || (request && come >= length); }
};

/// The end of the head: behind its empty line; npos where it has not come.
std::size_t end_of_head(const std::string& text) {
  const std::size_t strict = text.find("\r\n\r\n"), loose = text.find("\n\n");
  if (strict == std::string::npos && loose == std::string::npos) return std::string::npos;
  return strict < loose ? strict + 4 : loose + 2;
}

/// Sends what there is to send, then waits a little for the sender to close: one that still sends would not see the answer.
void send_and_part(const Descriptor& socket, std::string_view text) {
  const auto until = in_seconds(HttpServer::seconds_to_take);
  while (!text.empty()) {
    pollfd ready{socket.number(), POLLOUT, 0};
    if (::poll(&ready, 1, milliseconds_until(until)) <= 0) return;
    const ssize_t sent = ::send(socket.number(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return;
    if (sent > 0) text.remove_prefix(static_cast<std::size_t>(sent));
  }
  ::shutdown(socket.number(), SHUT_WR);
  const auto parted = in_seconds(1);
  std::array<char, 65536> ignored{};
  for (std::size_t read = 0; read < HttpServer::skipped_body;) {
    pollfd ready{socket.number(), POLLIN, 0};
    if (::poll(&ready, 1, milliseconds_until(parted)) <= 0) return;
    const ssize_t count = ::recv(socket.number(), ignored.data(), ignored.size(), MSG_DONTWAIT);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return;
    if (count > 0) read += static_cast<std::size_t>(count);
  }
}

Descriptor listening(int& port) {
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  // Without SO_REUSEPORT: another program of the user must not share the port.
  if (socket.number() < 0 || ::setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      ::bind(socket.number(), any, size) != 0 || ::listen(socket.number(), static_cast<int>(HttpServer::most_waiting)) != 0 ||
      ::getsockname(socket.number(), any, &size) != 0)
    throw sfg::Error(SourceSpan{}, "port " + std::to_string(port) + " of 127.0.0.1 cannot be used: " + std::strerror(errno),
                     "choose another --tcp-port, or leave it out for a free one");
  port = ntohs(address.sin_port);
  return socket;
}

}  // namespace

std::size_t HttpRequest::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count(headers, name, [](const auto& header) { return header.first; }));
}

std::string HttpRequest::header(std::string_view name) const {
  const auto found = std::ranges::find(headers, name, [](const auto& header) -> std::string_view { return header.first; });
  return found == headers.end() ? std::string() : found->second;
}

std::optional<HttpRequest> read_request_head(std::string_view head) {
  const auto line = [&] {
    const std::size_t end = std::min(head.find('\n'), head.size());
    std::string_view one = head.substr(0, end);
    head.remove_prefix(std::min(end + 1, head.size()));
    if (one.ends_with('\r')) one.remove_suffix(1);
    return one;
  };
  HttpRequest request;
  Scan first(line());
  request.method = first.run(is_token_character);
  const bool apart = first.take(' ');
  request.target = first.run([](char c) { return static_cast<unsigned char>(c) > 0x20 && c != 0x7F; });
  if (request.method.empty() || request.target.empty() || !apart || (first.rest() != " HTTP/1.1" && first.rest() != " HTTP/1.0"))
    return {};
  for (std::string_view one = line(); !one.empty(); one = line()) {
    Scan scan(one);
    std::string name(scan.run(is_token_character));
    if (name.empty() || !scan.take(':')) return {};
    std::ranges::transform(name, name.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    scan.blanks();
    std::string_view value = scan.rest();
    while (!value.empty() && is_blank_character(value.back())) value.remove_suffix(1);
    request.headers.emplace_back(std::move(name), value);
  }
  return request;
}

/// Shared with the threads that answer: one may outlive the server by what is left of its answer.
struct HttpServer::Parts {
  int port;
  Descriptor listener, wake{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  Answers answers = {};
  std::thread reader = {};
  std::vector<Asking> asking = {};  ///< of the reader alone

  std::mutex mutex = {};
  std::condition_variable changed = {};
  std::deque<Asking> waiting = {};
  std::size_t answered = 0;
  bool closing = false, read = true;

  explicit Parts(int wanted) : port(wanted), listener(listening(port)) {}

  void rouse() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(wake.number(), &one, sizeof one);
  }

  /// Of the reader: until the server is stopped.
  static void read_all(const std::shared_ptr<Parts>& parts) {
    while (parts->look()) parts->answer_some(parts);
    const std::lock_guard lock(parts->mutex);
    parts->asking.clear();
    parts->waiting.clear();
    parts->read = false;
    parts->changed.notify_all();
  }

  bool look() {
    std::vector<pollfd> watched{{wake.number(), POLLIN, 0}, {listener.number(), POLLIN, 0}};
    auto next = in_seconds(60);
    for (const Asking& one : asking) {
      watched.push_back({one.socket.number(), POLLIN, 0});
      next = std::min(next, one.until);
    }
    ::poll(watched.data(), watched.size(), milliseconds_until(next));
    std::uint64_t roused = 0;
    [[maybe_unused]] const ssize_t taken = ::read(wake.number(), &roused, sizeof roused);
    for (std::size_t k = asking.size(); k-- > 0;)
      if (watched[k + 2].revents != 0 && !hear(asking[k])) asking.erase(asking.begin() + static_cast<std::ptrdiff_t>(k));
    for (Asking& one : asking)
      if (!one.whole() && one.until <= Clock::now())
        one.refused = answers.refusal(408, "the request does not come to its end", "send it within 10 s");
    if (watched[1].revents != 0) accept_some();
    const std::lock_guard lock(mutex);
    return !closing;
  }

  void accept_some() {
    for (;;) {
      Descriptor socket(::accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (socket.number() < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return;
      }
      std::unique_lock lock(mutex);
      const bool room = asking.size() + waiting.size() < most_waiting;
      lock.unlock();
      if (room) {
        asking.emplace_back(std::move(socket));
        continue;
      }
      const std::string refusal = text_of(answers.refusal(503, "too many ask at the same time", "ask again later"), false);
      ::send(socket.number(), refusal.data(), refusal.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
  }

  /// Takes what has come. False: the sender is gone.
  bool hear(Asking& one) {
    std::array<char, 65536> buffer{};
    for (int part = 0; part < 16 && !one.whole(); ++part) {  // others ask, too
      const std::size_t most = one.request ? buffer.size() : std::min(buffer.size(), largest_head + 1 - one.text.size());
      const ssize_t count = ::recv(one.socket.number(), buffer.data(), most, MSG_DONTWAIT);
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) return true;
      if (count <= 0) return false;
      const std::string_view come(buffer.data(), static_cast<std::size_t>(count));
      one.request ? hear_body(one, come) : hear_head(one, come);
    }
    return true;
  }

  void hear_head(Asking& one, std::string_view come) {
    one.text += come;
    const std::size_t end = end_of_head(one.text);
    const auto lines = static_cast<std::size_t>(
        std::count(one.text.begin(), one.text.begin() + static_cast<std::ptrdiff_t>(std::min(end, one.text.size())), '\n'));
    if (end == std::string::npos && one.text.size() > largest_head && lines == 0) {
      one.refused = answers.refusal(414, "the address is too long", "open the address that was printed");
    } else if (lines > most_lines + 2 || (end == std::string::npos && one.text.size() > largest_head)) {
      one.refused = answers.refusal(431, "the request has more than 64 headers or 16 KiB of them", "send fewer");
    } else if (end != std::string::npos) {
      one.request = read_request_head(std::string_view(one.text).substr(0, end));
      if (!one.request) {
        one.refused = answers.refusal(400, "this is no request of HTTP/1", "open the address that was printed");
        return;
      }
      const std::string body = one.text.substr(end);
      one.text.clear();
      if ((one.refused = answers.first(*one.request))) return;
      if (one.request->method == "POST") expect_body(one);
      hear_body(one, body);
    }
  }

  /// The length has been looked at by the first answer.
  static void expect_body(Asking& one) {
    one.length = std::stoul(one.request->header("content-length"));
    if (one.request->header("expect") == "100-continue") {
      constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
      ::send(one.socket.number(), go_on.data(), go_on.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }
  }

  void hear_body(Asking& one, std::string_view come) {
    one.come += come.size();
    if (one.length <= largest_body) {
      one.request->body += come.substr(0, one.length - one.request->body.size());
    } else if (one.come >= one.length) {
      one.refused = answers.refusal(413, "the question is larger than 1 MiB", "shorten the model");
    }
  }

  /// Whole requests get threads, as many as there may be.
  static void answer_some(const std::shared_ptr<Parts>& parts) {
    std::vector<Asking>& asking = parts->asking;
    const std::lock_guard lock(parts->mutex);
    for (Asking& one : asking)
      if (one.whole()) parts->waiting.push_back(std::move(one));
    std::erase_if(asking, [](const Asking& one) { return one.socket.number() < 0; });
    while (!parts->waiting.empty() && parts->answered < most_answered) {
      ++parts->answered;
      try {
        begin(parts);
      } catch (...) {  // the system has no thread for it: the connection is lost
        --parts->answered;
      }
      parts->waiting.pop_front();
    }
  }

  static void begin(const std::shared_ptr<Parts>& parts) {
    std::thread([parts, one = std::make_shared<Asking>(std::move(parts->waiting.front()))] {
      try {
        answer(*parts, *one);
      } catch (...) {  // the connection is lost, and nothing else
      }
      one->socket.close();
      const std::lock_guard guard(parts->mutex);
      --parts->answered;
      parts->rouse();
      parts->changed.notify_all();
    }).detach();
  }

  static void answer(const Parts& parts, Asking& one) {
    const HttpResponse response = one.refused ? std::move(*one.refused) : parts.answers.then(*one.request);
    send_and_part(one.socket, text_of(response, one.request && one.request->method == "HEAD"));
  }
};

HttpServer::HttpServer(int port) : parts_(std::make_shared<Parts>(port)) {}

HttpServer::~HttpServer() {
  stop(0);
  if (parts_->reader.joinable()) parts_->reader.join();
  std::unique_lock lock(parts_->mutex);
  parts_->changed.wait(lock, [&] { return parts_->answered == 0; });
}

int HttpServer::port() const noexcept { return parts_->port; }

void HttpServer::start(Answers answers) {
  parts_->answers = std::move(answers);
  parts_->reader = std::thread([parts = parts_] { Parts::read_all(parts); });
}

bool HttpServer::stop(double seconds) {
  std::unique_lock lock(parts_->mutex);
  parts_->closing = true;
  parts_->rouse();
  return parts_->changed.wait_for(lock, std::chrono::duration<double>(seconds),
                                  [&] { return !parts_->read && parts_->answered == 0; });
}

}  // namespace sfg::command
