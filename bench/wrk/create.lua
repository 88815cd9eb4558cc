-- POST of BENCH_BODY with the session cookie; {n} in the body is a number that no other request has, always as long, so
-- that only it differs from request to request and the generator does next to nothing.
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end
function init()
  wrk.method = "POST"
  wrk.headers["Cookie"] = os.getenv("BENCH_COOKIE")
  wrk.headers["Content-Type"] = "application/json"
  counter = 100000000
  local mark = string.format("%s-%03d-%d", os.getenv("BENCH_RUN"), number, counter)
  local whole = wrk.format(nil, nil, nil, (os.getenv("BENCH_BODY"):gsub("{n}", mark)))
  local first, last = whole:find(mark, 1, true)
  before, after = whole:sub(1, last - 9), whole:sub(last + 1)
end
function request()
  counter = counter + 1
  return before .. counter .. after
end
