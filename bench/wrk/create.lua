-- POST of BENCH_BODY with the session cookie; {n} in the body is a number that no other request has.
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end
function init()
  wrk.method = "POST"
  wrk.headers["Cookie"] = os.getenv("BENCH_COOKIE")
  wrk.headers["Content-Type"] = "application/json"
  body = os.getenv("BENCH_BODY")
  run = os.getenv("BENCH_RUN")
  counter = 0
end
function request()
  counter = counter + 1
  return wrk.format(nil, nil, nil, (body:gsub("{n}", run .. "-" .. number .. "-" .. counter)))
end
