#include "sandbox/html.h"

#include <fmt/format.h>

#include "base/text.h"

namespace guildhall::sandbox {
namespace {

constexpr std::string_view style =
    "body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f5f5f4;color:#1c1917}"
    "main{max-width:26rem;margin:10vh auto;padding:2rem;background:#fff;border-radius:12px;box-shadow:0 1px 8px #0002}"
    "h1{font-size:1.25rem;margin:0 0 1rem}button{display:block;width:100%;margin:.5rem 0;padding:.75rem;border:0;"
    "border-radius:8px;background:#4f46e5;color:#fff;font:inherit;cursor:pointer}button.quiet{background:none;"
    "color:inherit;border:1px solid #a8a29e}small{color:#78716c}"
    "@media(prefers-color-scheme:dark){body{background:#1c1917;color:#f5f5f4}main{background:#292524}}";

}  // namespace

http::Reply html_page(int status, std::string_view title, std::string_view content) {
  return http::Reply{
      .status = status,
      .content_type = "text/html; charset=utf-8",
      .body = fmt::format(R"(<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" )"
                          R"(content="width=device-width"><title>{0}</title><style>{1}</style><main><h1>{0}</h1>{2})"
                          R"(<p><small>Guildhall sandbox: no real account, no real money.</small></p></main></html>)",
                          html_escaped(title), style, content)}
      .with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .with("Cache-Control", "no-store");
}

}  // namespace guildhall::sandbox
