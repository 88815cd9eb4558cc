-- Places an order of BENCH_BODY, as create.lua does (but from one thread), then marks it as paid: two requests for each order.
function init()
  headers = { ["Cookie"] = os.getenv("BENCH_COOKIE"), ["Content-Type"] = "application/json" }
  counter = 100000000
  body = os.getenv("BENCH_BODY")
  mark = os.getenv("BENCH_RUN") .. "-"
  placed = {}
end
function request()
  local id = table.remove(placed)
  if id then return wrk.format("PATCH", wrk.path .. "/" .. id, headers, '{"status":"PAID"}') end
  counter = counter + 1
  return wrk.format("POST", wrk.path, headers, (body:gsub("{n}", mark .. counter)))
end
function response(status, _, text)
  if status == 201 then table.insert(placed, text:match('"id":"([^"]+)"')) end
end
