#include "tools/serve/framed.hpp"

#include "tools/serve/secret.hpp"

namespace sfg::command {

namespace {

// The frame has no origin, so that the page around it knows it by its window; only numbers and one word pass.
const char* const script =
    "(() => {\n"
    "  const tell = () => parent.postMessage({ scroll: [scrollX, scrollY] }, '*');\n"
    "  addEventListener('scroll', tell, { passive: true });\n"
    "  addEventListener('message', event => {\n"
    "    if (event.source !== parent || !event.data || !Array.isArray(event.data.scroll)) return;\n"
    "    scrollTo({ left: Number(event.data.scroll[0]) || 0, top: Number(event.data.scroll[1]) || 0, behavior: 'instant' });\n"
    "    tell();\n"
    "  });\n"
    "  parent.postMessage({ ready: true }, '*');\n"
    "})();\n";

}  // namespace

std::string framed(std::string report) {
  const std::string policy = "Content-Security-Policy", sources = "script-src ", end = "</body>";
  const std::size_t head = report.find("</head>"), stated = report.find(policy), at = report.find(sources, stated),
                    body = report.rfind(end);
  if (stated == std::string::npos || at == std::string::npos || body == std::string::npos || head == std::string::npos ||
      at > head)
    return report;
  const std::string nonce = random_secret();
  report.insert(body, "<script nonce=\"" + nonce + "\">" + script + "</script>\n");
  report.insert(at + sources.size(), "'nonce-" + nonce + "' ");
  return report;
}

}  // namespace sfg::command
