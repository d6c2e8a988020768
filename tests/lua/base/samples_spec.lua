-- model.sample finds the models that come with the program by name.

it("finds models of equations and of processes", function()
  for name, ending in pairs {["robertson"] = ".ode", ["luo-rudy-1991.ode"] = "", ["philosophers"] = ".dve", ["philosophers.dve"] = "",
    ["server.mdve"] = "", ["server"] = ".mdve"} do
    local path = model.sample(name)
    equal(path:match "[^/]*$", name .. ending)
    assert(io.open(path)):close()
  end
  equal(explore(model.load(model.sample "philosophers")).deadlocks, 1)
end)

it("refuses a name that no model has, and lists those that there are", function()
  for _, name in ipairs {"filosophers", "", ".", "..", "../models/queue.dve", "philosophers.ode"} do
    raises(("no model is called '%s'; there are clients.mdve, "):format(name), model.sample, name)
    raises("philosophers.dve, queue.dve, robertson.ode", model.sample, name)
  end
end)
