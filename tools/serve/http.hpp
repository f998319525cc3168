#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sfg::command {

struct HttpRequest {
  std::string method, target;
  std::vector<std::pair<std::string, std::string>> headers;  ///< names in small letters
  std::string body = {};

  std::size_t count(std::string_view name) const;
  std::string header(std::string_view name) const;  ///< the first of that name, "" where there is none
};

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
};

/// The head of a request: its line and its headers. Nothing where it is none of HTTP/1.
std::optional<HttpRequest> read_request_head(std::string_view head);

/// HTTP/1.1 for few and simple requests on 127.0.0.1. One thread reads them all, so that a slow sender costs a descriptor and
/// nobody's time; complete ones are answered by threads of their own, some at a time. What a sender may cost is bounded: the size
/// and the lines of a head, the time until a request is whole, the number of connections (503 beyond). Every connection is closed
/// after its answer.
class HttpServer {
 public:
  static constexpr std::size_t most_lines = 64, largest_head = std::size_t{16} << 10, most_waiting = 128, most_answered = 32;
  static constexpr std::size_t largest_body = std::size_t{1} << 20;
  static constexpr std::size_t skipped_body = std::size_t{32} << 20;  ///< so much is read to be able to say that it was too much
  static constexpr double seconds_to_ask = 10, seconds_to_take = 30;  ///< for a request to be whole, for an answer to be taken

  struct Answers {
    /// Looks at the head alone; an answer ends the request.
    std::function<std::optional<HttpResponse>(const HttpRequest&)> first;
    std::function<HttpResponse(const HttpRequest&)> then;
    /// What is no request, or too much of one.
    std::function<HttpResponse(int status, const std::string& message, const std::string& hint)> refusal;
  };

  /// @param port  0: a free one
  /// @throws Error when it is taken.
  explicit HttpServer(int port);
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;
  ~HttpServer();  ///< waits for what is being answered

  int port() const noexcept;
  void start(Answers);
  /// No more requests; false when an answer is still under way after `seconds`.
  bool stop(double seconds);

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace sfg::command
