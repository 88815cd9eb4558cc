-- BENCH_METHOD of BENCH_PATH with BENCH_BODY, in which {id} stands for each of BENCH_IDS in turn.
function init()
  local headers = { ["Content-Type"] = "application/json", ["Cookie"] = os.getenv("BENCH_COOKIE"),
                    ["Authorization"] = os.getenv("BENCH_AUTHORIZATION") }
  requests, turn = {}, 0
  for id in os.getenv("BENCH_IDS"):gmatch("[^,]+") do
    local path, body = os.getenv("BENCH_PATH"):gsub("{id}", id), os.getenv("BENCH_BODY"):gsub("{id}", id)
    table.insert(requests, wrk.format(os.getenv("BENCH_METHOD"), path, headers, body))
  end
end
function request()
  turn = turn % #requests + 1
  return requests[turn]
end
