-- Okuyama 2013: chapters 3 to 5, one file per chapter. The command `paper 004` runs all of them; paper(4, {chapter = 4}) one.
local p = ...
if type(p) ~= "table" then error("this script is run by the command: paper 004", 0) end
for chapter = 3, 5 do
  if (p.options.chapter or chapter) == chapter then
    p:progress("chapter %d", chapter)
    assert(loadfile(("%s/okuyama-%d.lua"):format(p.scripts, chapter)))(p)
  end
end
