-- Okuyama 2013: chapters 3 to 5, one file per chapter. The command `paper 004` runs all of them; paper(4, {chapter = 4}) one.
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 004", 0) end
if p.size == "full" and not p.options.chapter then print "# each chapter takes minutes; one of them: paper(4, {size = \"full\", chapter = 3})" end
for chapter = 3, 5 do
  if (p.options.chapter or chapter) == chapter then
    p:progress("chapter %d", chapter)
    assert(loadfile(("%s/okuyama-%d.lua"):format(p.scripts, chapter)))(p)
  end
end
