-- What a replica has that is down is taken from it, so that HAProxy asks it of another: once a second, of each replica that was
-- down a second ago too.
--
-- `on-marked-down shutdown-sessions` does so in the moment in which a replica is marked down, and ends requests that are just being
-- connected to it, which then fail. A second later there are none of these: who is down is sent no more.

local down = {}

core.register_task(function()
  while true do
    for name, server in pairs(core.backends["replicas"].servers) do
      local now = server:get_stats().status == "DOWN"
      if now and down[name] then server:shut_sess() end
      down[name] = now
    end
    core.sleep(1)
  end
end)
