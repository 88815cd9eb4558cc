-- GET with the session cookie of BENCH_COOKIE.
function init()
  wrk.headers["Cookie"] = os.getenv("BENCH_COOKIE")
end
