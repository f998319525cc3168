#include "tools/serve/door.hpp"

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "sfg/error.hpp"
#include "tools/serve/secret.hpp"

namespace sfg::command {

namespace {

constexpr std::size_t connections = 32, pages_kept = 12, longest_path = 200;
constexpr std::size_t skipped_body = std::size_t{32} << 20;  ///< so much is read to be able to say that it was too much
constexpr int patience = 3;                                  ///< seconds for the next bytes

/// What a page from a model may do: run its own scripts, which its own policy names, and nothing beside.
const char* const page_policy =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/// Threads for a bounded number of connections: the next ones wait to be accepted.
class Connections : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> task) override {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock, [&] { return state_->open < connections || state_->closing; });
    ++state_->open;
    std::thread([state = state_, task = std::move(task)] {
      try {
        task();
      } catch (...) {  // the connection is lost, and nothing else
      }
      const std::lock_guard guard(state->mutex);
      --state->open;
      state->changed.notify_all();
    }).detach();
  }
  void shutdown() override {
    std::unique_lock lock(state_->mutex);
    state_->closing = true;
    state_->changed.notify_all();
    state_->changed.wait(lock, [&] { return state_->open == 0; });
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t open = 0;
    bool closing = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

std::string refusal(const std::string& message, const std::string& hint) {
  return nlohmann::json{{"error", {{"message", message}, {"hint", hint}}}}.dump() + "\n";
}

}  // namespace

struct Door::Parts {
  Parts(int wanted, Answer answers) : answer(std::move(answers)) {
    server.new_task_queue = [] { return new Connections; };
    server.set_payload_max_length(largest_body);
    server.set_keep_alive_max_count(1);
    server.set_read_timeout(patience);
    server.set_write_timeout(patience);
    // Without SO_REUSEPORT, which httplib would set: another program of the user must not share the port.
    server.set_socket_options([](socket_t socket) {
      const int yes = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    });
    server.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                                {"Referrer-Policy", "no-referrer"},
                                {"Cache-Control", "no-store"},
                                {"Cross-Origin-Resource-Policy", "same-origin"},
                                {"Cross-Origin-Opener-Policy", "same-origin"}});
    server.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      return let_in(request, response) ? httplib::Server::HandlerResponse::Unhandled : httplib::Server::HandlerResponse::Handled;
    });
    const auto handle = [this](const httplib::Request& request, httplib::Response& response) { serve(request, response); };
    server.Get(".*", handle);
    server.Post(".*", handle);
    const std::string host = "127.0.0.1";
    if (wanted == 0)
      port = server.bind_to_any_port(host);
    else if (server.bind_to_port(host, wanted))
      port = wanted;
    if (port <= 0)
      throw sfg::Error(SourceSpan{}, "port " + std::to_string(wanted) + " of 127.0.0.1 cannot be used: " + std::strerror(errno),
                       "choose another --port, or leave it out for a free one");
    thread = std::thread([this] {
      server.listen_after_bind();
      const std::lock_guard lock(mutex);
      ended = true;
      changed.notify_all();
    });
  }

  /// Sends text without a compression that would cost more than the way to the next process.
  static void send(httplib::Response& response, int status, std::string body, const std::string& type) {
    response.status = status;
    const auto text = std::make_shared<const std::string>(std::move(body));
    response.set_content_provider(text->size(), type, [text](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
      return sink.write(text->data() + offset, length);
    });
  }

  static bool refuse(httplib::Response& response, int status, const std::string& message, const std::string& hint) {
    response.set_header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    send(response, status, refusal(message, hint), "application/json");
    return false;
  }

  /// One of the two names of this server.
  bool is_ours(const std::string& host) const {
    const std::string suffix = ":" + std::to_string(port);
    return host == "127.0.0.1" + suffix || host == "localhost" + suffix;
  }

  bool comes_from_elsewhere(const httplib::Request& request) const {
    if (request.get_header_value_count("Host") != 1 || !is_ours(request.get_header_value("Host"))) return true;
    if (request.has_header("Origin")) {
      const std::string origin = request.get_header_value("Origin"), scheme = "http://";
      if (!origin.starts_with(scheme) || !is_ours(origin.substr(scheme.size()))) return true;
    }
    const std::string site = request.get_header_value("Sec-Fetch-Site");
    return !site.empty() && site != "same-origin" && site != "none";
  }

  bool knows_the_way(const std::string& target) const {
    if (target.size() > longest_path || target.find_first_of("%?#\\") != std::string::npos ||
        target.find("..") != std::string::npos)
      return false;
    if (target.starts_with("/pages/")) return true;
    return target.size() > token.size() + 1 && target[token.size() + 1] == '/' &&
           same_secret(target.substr(1, token.size()), token);
  }

  /// Whether a request is read further; otherwise it has been answered.
  bool let_in(const httplib::Request& request, httplib::Response& response) const {
    if (comes_from_elsewhere(request))
      return refuse(response, 403, "the request comes from another page or to another name", "open the address that was printed");
    if (!knows_the_way(request.target))
      return refuse(response, 404, "there is no such page", "open the address that was printed");
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST") {
      response.set_header("Allow", "GET, HEAD, POST");
      return refuse(response, 405, "the method is not allowed", "use GET or POST");
    }
    if (request.has_header("Range")) return refuse(response, 416, "parts are not sent", "ask for the whole");
    if (request.method != "POST") {
      if (request.has_header("Transfer-Encoding") ||
          request.get_header_value("Content-Length", 0).find_first_not_of('0') != std::string::npos)
        return refuse(response, 400, "a question of this kind has no body", "use POST");
      return true;
    }
    if (const std::string type = request.get_header_value("Content-Type");
        type != "application/json" && type != "application/json; charset=utf-8")
      return refuse(response, 415, "the question is not of type application/json", "say so in Content-Type");
    if (request.has_header("Content-Encoding")) return refuse(response, 415, "the question is compressed", "send it as it is");
    const std::string length = request.get_header_value("Content-Length");
    if (request.has_header("Transfer-Encoding") || length.empty() || length.find_first_not_of("0123456789") != std::string::npos)
      return refuse(response, 411, "the length of the question is not said", "send Content-Length");
    if (length.size() > 9 || std::stoul(length) > skipped_body) return too_large(response);
    return true;
  }

  static bool too_large(httplib::Response& response) {
    return refuse(response, 413, "the question is larger than 1 MiB", "shorten the model");
  }

  void serve(const httplib::Request& request, httplib::Response& response) {
    if (request.target.starts_with("/pages/")) return serve_page(request, response);
    Reply reply;
    try {
      reply = answer({.path = request.target.substr(token.size() + 1), .body = request.body, .posted = request.method == "POST"});
    } catch (const std::exception& error) {
      reply = {.status = 500, .type = "application/json", .body = refusal(error.what(), "ask again")};
    }
    if (reply.status == 404 && reply.body.empty()) {
      refuse(response, 404, "there is no such page", "open the address that was printed");
      return;
    }
    response.set_header("Content-Security-Policy", reply.policy);
    if (!reply.file.empty()) response.set_header("Content-Disposition", "attachment; filename=\"" + reply.file + "\"");
    send(response, reply.status, std::move(reply.body), reply.type);
  }

  void serve_page(const httplib::Request& request, httplib::Response& response) {
    const std::lock_guard lock(mutex);
    for (const auto& [path, html] : pages)
      if (request.method != "POST" && same_secret(path, request.target)) {
        response.set_header("Content-Security-Policy", page_policy);
        return send(response, 200, html, "text/html; charset=utf-8");
      }
    refuse(response, 404, "there is no such page any more", "ask for it again");
  }

  const std::string token = random_secret();
  int port = 0;
  Answer answer;
  httplib::Server server;
  std::mutex mutex;
  std::condition_variable changed;
  bool ended = false;
  std::deque<std::pair<std::string, std::string>> pages;
  std::thread thread;
};

Door::Door(int port, Answer answer) : parts_(std::make_unique<Parts>(port, std::move(answer))) {}

Door::~Door() {
  parts_->server.stop();
  if (parts_->thread.joinable()) parts_->thread.join();
}

std::string Door::address() const { return "http://127.0.0.1:" + std::to_string(parts_->port) + "/" + parts_->token + "/"; }

std::string Door::keep(std::string html) {
  const std::lock_guard lock(parts_->mutex);
  parts_->pages.emplace_back("/pages/" + random_secret(), std::move(html));
  if (parts_->pages.size() > pages_kept) parts_->pages.pop_front();
  return parts_->pages.back().first;
}

bool Door::close(double seconds) {
  parts_->server.stop();
  std::unique_lock lock(parts_->mutex);
  return parts_->changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return parts_->ended; });
}

}  // namespace sfg::command
