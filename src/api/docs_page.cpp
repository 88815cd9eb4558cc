#include "api/openapi.h"
#include "base/text.h"

namespace guildhall::api {
namespace {

constexpr std::string_view page_start = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Guildhall API</title>
<style>
:root{color-scheme:light dark;--line:#8884;--soft:#8882}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:2rem 1rem}
h1{margin:0}h2{margin:2.5rem 0 .5rem;font-size:1.2rem}
details{border:1px solid var(--line);border-radius:.5rem;margin:.5rem 0}
summary{padding:.5rem .75rem;cursor:pointer;overflow-wrap:anywhere}
summary b{display:inline-block;min-width:4.5rem}
details>div{padding:0 .75rem .75rem}
code,pre{font:.9em/1.4 ui-monospace,monospace}pre{background:var(--soft);padding:.5rem;border-radius:.5rem;overflow:auto}
table{border-collapse:collapse}td,th{text-align:left;padding:.15rem .75rem .15rem 0;vertical-align:top}
.who{opacity:.75;font-size:.9em}
</style></head><body><main><h1>Guildhall API</h1>
<p>Made from the running server's own route table. The same as a document: <a href="/openapi.json">openapi.json</a>.</p>
)";

// The section of a path: /api/data/customer/:id → /api/data/customer
std::string section_of(std::string_view path) {
  int depth = path.starts_with("/api/data") || path.starts_with("/api/admin") ? 3 : 1;
  std::size_t end = 0;
  while (depth-- > 0 && end != std::string_view::npos) end = path.find('/', end + 1);
  return std::string(path.substr(0, end));
}

std::string fields_table(std::string_view title, std::span<const Field> fields) {
  std::string out = fmt::format("<p>{}</p><table><tr><th>name</th><th>rule</th></tr>", title);
  for (const Field& field : fields) {
    Schema schema;
    field.schema(schema);
    out +=
        fmt::format("<tr><td><code>{}</code></td><td><code>{}</code></td></tr>", field.key, html_escaped(schema.out));
  }
  return out + "</table>";
}

std::string schema_block(std::string_view title, SchemaOf schema_of) {
  Schema schema;
  schema_of(schema);
  std::string out = fmt::format("<p>{}</p><pre>{}</pre>", title, html_escaped(schema.out));
  for (const auto& [name, text] : schema.components) {
    out += fmt::format("<pre>{}: {}</pre>", name, html_escaped(text));
  }
  return out;
}

std::string route_block(const Route& route) {
  std::string out =
      fmt::format("<details><summary><b>{}</b> <code>{}</code> — {} <span class=\"who\">({})</span></summary><div>",
                  to_string(route.method), html_escaped(route.path), html_escaped(route.summary),
                  html_escaped(to_string(route.access)));
  if (!route.query.empty()) out += fields_table("Query", route.query);
  if (route.body != nullptr) out += schema_block("Body", route.body);
  for (const Outcome& outcome : route.outcomes) {
    const std::string title = fmt::format("{}: {}", outcome.status, html_escaped(outcome.meaning));
    out += outcome.schema != nullptr ? schema_block(title, outcome.schema) : fmt::format("<p>{}</p>", title);
  }
  return out + "</div></details>\n";
}

}  // namespace

std::string docs_page(const std::vector<Route>& routes) {
  std::map<std::string, std::string> sections;
  for (const Route& route : routes) sections[section_of(route.path)] += route_block(route);
  std::string page(page_start);
  for (const auto& [path, blocks] : sections) page += fmt::format("<h2>{}</h2>\n{}", html_escaped(path), blocks);
  return page + "</main></body></html>\n";
}

}  // namespace guildhall::api
