-- POST of BENCH_BODY as an administrator of BENCH_TOKEN.
function init()
  wrk.method = "POST"
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("BENCH_TOKEN")
  wrk.headers["Content-Type"] = "application/json"
  wrk.body = os.getenv("BENCH_BODY")
end
