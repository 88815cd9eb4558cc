-- Nine times GET of BENCH_PATH, then POST of BENCH_BODY as create.lua does (but from one thread).
function init()
  headers = { ["Cookie"] = os.getenv("BENCH_COOKIE"), ["Content-Type"] = "application/json" }
  read = wrk.format("GET", os.getenv("BENCH_PATH"), headers)
  body, mark, counter = os.getenv("BENCH_BODY"), os.getenv("BENCH_RUN") .. "-", 100000000
end
function request()
  counter = counter + 1
  if counter % 10 > 0 then return read end
  return wrk.format("POST", wrk.path, headers, (body:gsub("{n}", mark .. counter)))
end
