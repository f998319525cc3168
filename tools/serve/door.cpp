#include "tools/serve/door.hpp"

#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "tools/serve/http.hpp"
#include "tools/serve/secret.hpp"

namespace sfg::command {

namespace {

constexpr std::size_t pages_kept = 12, longest_path = 200;

/// What a page from a model may do: run its own scripts, which its own policy names, and nothing beside.
const char* const page_policy =
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; "
    "font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

std::string refusal(const std::string& message, const std::string& hint) {
  return nlohmann::json{{"error", {{"message", message}, {"hint", hint}}}}.dump() + "\n";
}

}  // namespace

struct Door::Parts {
  Parts(int wanted, Answer answers) : answer(std::move(answers)), server(wanted) {
    server.start({.first = [this](const HttpRequest& request) { return refused(request); },
                  .then = [this](const HttpRequest& request) { return served(request); },
                  .refusal = refuse});
  }

  static HttpResponse made(int status, const std::string& type, std::string body, const std::string& policy) {
    return {status,
            type,
            std::move(body),
            {{"X-Content-Type-Options", "nosniff"},
             {"Referrer-Policy", "no-referrer"},
             {"Cache-Control", "no-store"},
             {"Cross-Origin-Resource-Policy", "same-origin"},
             {"Cross-Origin-Opener-Policy", "same-origin"},
             {"Content-Security-Policy", policy}}};
  }

  static HttpResponse refuse(int status, const std::string& message, const std::string& hint) {
    return made(status, json_type, refusal(message, hint), "default-src 'none'; frame-ancestors 'none'");
  }

  /// One of the two names of this server.
  bool is_ours(const std::string& host) const {
    const std::string suffix = ":" + std::to_string(server.port());
    return host == "127.0.0.1" + suffix || host == "localhost" + suffix;
  }

  bool comes_from_elsewhere(const HttpRequest& request) const {
    if (request.count("host") != 1 || !is_ours(request.header("host"))) return true;
    if (request.count("origin") != 0) {
      const std::string origin = request.header("origin"), scheme = "http://";
      if (request.count("origin") != 1 || !origin.starts_with(scheme) || !is_ours(origin.substr(scheme.size()))) return true;
    }
    const std::string site = request.header("sec-fetch-site");
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

  /// Nothing when the request is read further.
  std::optional<HttpResponse> refused(const HttpRequest& request) const {
    if (comes_from_elsewhere(request))
      return refuse(403, "the request comes from another page or to another name", "open the address that was printed");
    if (!knows_the_way(request.target)) return refuse(404, "there is no such page", "open the address that was printed");
    if (request.method != "GET" && request.method != "HEAD" && request.method != "POST") {
      HttpResponse response = refuse(405, "the method is not allowed", "use GET or POST");
      response.headers.emplace_back("Allow", "GET, HEAD, POST");
      return response;
    }
    if (request.count("range") != 0) return refuse(416, "parts are not sent", "ask for the whole");
    const std::string length = request.header("content-length");
    if (request.method != "POST") {
      if (request.count("transfer-encoding") != 0 || length.find_first_not_of('0') != std::string::npos)
        return refuse(400, "a question of this kind has no body", "use POST");
      return {};
    }
    if (const std::string type = request.header("content-type"); type != json_type && type != "application/json; charset=utf-8")
      return refuse(415, "the question is not of type application/json", "say so in Content-Type");
    if (request.count("content-encoding") != 0) return refuse(415, "the question is compressed", "send it as it is");
    if (request.count("transfer-encoding") != 0 || request.count("content-length") != 1 || length.empty() ||
        length.find_first_not_of("0123456789") != std::string::npos)
      return refuse(411, "the length of the question is not said", "send Content-Length");
    if (length.size() > 9 || std::stoul(length) > HttpServer::skipped_body)
      return refuse(413, "the question is larger than 1 MiB", "shorten the model");
    return {};
  }

  HttpResponse served(const HttpRequest& request) {
    if (request.target.starts_with("/pages/")) return page(request);
    Reply reply;
    try {
      reply = answer({.path = request.target.substr(token.size() + 1), .body = request.body, .posted = request.method == "POST"});
    } catch (const std::exception& error) {
      reply = {.status = 500, .type = json_type, .body = refusal(error.what(), "ask again")};
    }
    if (reply.status == 404 && reply.body.empty())
      return refuse(404, "there is no such page", "open the address that was printed");
    HttpResponse response = made(reply.status, reply.type, std::move(reply.body), reply.policy);
    if (!reply.file.empty()) response.headers.emplace_back("Content-Disposition", "attachment; filename=\"" + reply.file + "\"");
    return response;
  }

  HttpResponse page(const HttpRequest& request) {
    const std::lock_guard lock(mutex);
    for (const auto& [path, html] : pages)
      if (request.method != "POST" && same_secret(path, request.target))
        return made(200, "text/html; charset=utf-8", html, page_policy);
    return refuse(404, "there is no such page any more", "ask for it again");
  }

  const std::string token = random_secret();
  Answer answer;
  std::mutex mutex;
  std::deque<std::pair<std::string, std::string>> pages;
  HttpServer server;  ///< ends first: it asks the others
};

Door::Door(int port, Answer answer) : parts_(std::make_unique<Parts>(port, std::move(answer))) {}

Door::~Door() = default;

std::string Door::address() const {
  return "http://127.0.0.1:" + std::to_string(parts_->server.port()) + "/" + parts_->token + "/";
}

std::string Door::keep(std::string html) {
  const std::lock_guard lock(parts_->mutex);
  parts_->pages.emplace_back("/pages/" + random_secret(), std::move(html));
  if (parts_->pages.size() > pages_kept) parts_->pages.pop_front();
  return parts_->pages.back().first;
}

bool Door::close(double seconds) { return parts_->server.stop(seconds); }

}  // namespace sfg::command
