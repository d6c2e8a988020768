-- The command line: lockstep judge KIND [OPTIONS] -- PROGRAM WORD ...

local algorithm = import "base/algorithm"
local judge = import "judge/judge"

local USAGE = [[
usage: lockstep judge KIND [options] -- PROGRAM WORDS...
  in WORDS {graph.gr} {graph.mtx} {graph.egr} {graph.tsv} {graph.csv} {graph.graph} {out} {source} {source1} {n} {m} are filled in
  --size N          adds graphs of about N vertices     --graphs FOLDER   judges on the graphs of a folder instead
  --symmetric       each edge both ways                 --weights TYPE    none, i32 (default) or f64
  --seconds S       time for one run (10)               --memory SIZE     address space of one run, as 4GiB
  --shrink S        time for a small counterexample     --first           stops at the first graph that is not right
  --seed N  --source V  --base 0|1  --unreached X  --max  --damping X  --tolerance X: see lockstep -e 'help judging'
exit code: 0 right on all graphs, 1 not right on some, 2 usage]]

local FLAGS = {symmetric = true, max = true, first = true}
local TEXTS = {graphs = true, weights = true, memory = true}

local function wrong(form, ...)
  io.stderr:write("lockstep judge: ", form:format(...), "\n(lockstep judge --help lists the options)\n")
  os.exit(2)
end

-- Runs the command with these words, and ends the program unless all answers are right.
return function(words)
  local options, i = {}, 2
  if #words == 0 or words[1] == "--help" then
    print(USAGE)
    os.exit(#words == 0 and 2 or 0)
  end
  while words[i] and words[i] ~= "--" do
    local name, value = words[i]:match("^%-%-(%w+)=?(.*)$")
    if not name then wrong("expected an option or --, got %s", words[i]) end
    if FLAGS[name] then
      options[name] = true
    else
      if value == "" then
        i = i + 1
        value = words[i]
      end
      if value == nil or value == "--" then wrong("--%s needs a value", name) end
      options[name] = TEXTS[name] and (value:gsub("^(%d+)(%a+)$", "%1 %2")) or tonumber(value) or value
    end
    i = i + 1
  end
  local command = table.move(words, i + 1, #words, 1, {})
  if #command == 0 then wrong("expected -- and a program") end
  local good, r = pcall(judge, words[1], command, options)
  if not good then wrong("%s", (algorithm.without_place(r):gsub("^judge: ", ""))) end
  print(r)
  io.stdout:flush()
  if r.refused > 0 then os.exit(1) end
end
