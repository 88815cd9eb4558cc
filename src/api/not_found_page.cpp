#include "api/not_found_page.h"

#include "api/failure_reply.h"
#include "base/crypto.h"
#include "base/encoding.h"
#include "http/accept.h"

namespace guildhall::api {
namespace {

constexpr std::string_view style = R"(
:root{color-scheme:light dark;--text:#0f172a;--soft:#475569;--line:#cbd5e1;--back:#fff;--accent:#1d4ed8}
@media (prefers-color-scheme:dark){:root{--text:#e2e8f0;--soft:#a8b4c6;--line:#334155;--back:#0f172a;--accent:#93b4ff}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);color:var(--text);
font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:26rem;padding:32px 24px}
p{margin:0 0 16px;color:var(--soft)}
.number{margin:0 0 4px;font-size:14px;font-weight:600}
h1{margin:0 0 8px;font-size:28px;line-height:1.2}
nav{display:flex;flex-wrap:wrap;gap:8px;margin-top:24px}
a{padding:10px 16px;border:1px solid var(--line);border-radius:8px;color:var(--accent);font-weight:600;text-decoration:none}
a:hover{border-color:var(--accent)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
)";

constexpr std::string_view page_start = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>Page not found · Guildhall</title>
<style>)";

constexpr std::string_view page_end = R"(</style>
</head>
<body>
<main>
<p class="number">404</p>
<h1>Page not found</h1>
<p>The address may be misspelt, or the page may have moved. If you followed a link, please let the shop know.</p>
<nav aria-label="Other pages">
<a href="/console/">Open the console</a>
<a href="/docs">Read the reference</a>
</nav>
</main>
</body>
</html>
)";

Reply page() {
  static const std::string policy = [] {
    const Sha256 digest = sha256(style);
    return fmt::format(
        "default-src 'none'; style-src 'sha256-{}'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'",
        base64({reinterpret_cast<const char*>(digest.data()), digest.size()}));
  }();
  Reply reply{.status = 404, .content_type = "text/html; charset=utf-8"};
  reply.body.append(page_start).append(style).append(page_end);
  return std::move(reply).with("Content-Security-Policy", policy);
}

bool is_below(std::string_view path, std::string_view folder) {
  return path == folder || (path.starts_with(folder) && path[folder.size()] == '/');
}

}  // namespace

Reply unknown_address_reply(const http::Request& request) {
  const bool is_api = is_below(request.path, "/api") || is_below(request.path, "/auth");
  Reply reply = !is_api && http::prefers_html(request.header("accept"))
                    ? page()
                    : error_reply(404, "NOT_FOUND", "There is nothing at this address.");
  if (!is_api) reply.with("Vary", "Accept");
  return reply;
}

}  // namespace guildhall::api
