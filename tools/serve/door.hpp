#pragma once
#include <functional>
#include <memory>
#include <string>

namespace sfg::command {

/// A request that has been let in.
struct Visit {
  std::string path;  ///< behind the token: "/", "/ask"
  std::string body;  ///< JSON; of GET ""
  bool posted = false;
};

/// The type of what is JSON.
inline constexpr const char* json_type = "application/json";

struct Reply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body = {};
  std::string policy = "default-src 'none'; frame-ancestors 'none'";  ///< Content-Security-Policy
  std::string file = {};                                              ///< the name of a download, plain characters
};

/// A server for the browser of this machine's user, and for nobody else. It listens on 127.0.0.1 alone; who does not know the
/// random token finds nothing. Pages of other sites are refused by Host (names that point here), Origin and Sec-Fetch-Site;
/// requests are GET or POST of JSON of at most 1 MiB; what a sender may cost is bounded (tools/serve/http.hpp).
class Door {
 public:
  using Answer = std::function<Reply(const Visit&)>;

  /// @param port  0: a free one
  /// @param answer  called from several threads at once; an empty `status` of 404 is its answer to what it does not know
  /// @throws Error when the port is taken.
  Door(int port, Answer answer);
  Door(const Door&) = delete;
  Door& operator=(const Door&) = delete;
  ~Door();  ///< what is being answered must be able to end: see Questions::end

  std::string address() const;  ///< http://127.0.0.1:PORT/TOKEN/
  /// A page of its own, without the token in its address: it is framed, may run its own scripts and reach nothing. The last few
  /// are kept. @returns "/pages/…"
  std::string keep(std::string html);

  /// Stops listening; false when a connection is still open after `seconds`.
  bool close(double seconds);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace sfg::command
