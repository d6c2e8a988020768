-- The same decay, written in CellML and in SBML, gives the same curve as plain text.
local function write(path, text)
  local f = assert(io.open(path, "w"))
  f:write(text)
  f:close()
end

write("decay.cellml", [[<?xml version="1.0"?>
<model xmlns="http://www.cellml.org/cellml/1.0#" xmlns:cellml="http://www.cellml.org/cellml/1.0#" name="decay">
<component name="pool"><variable name="time" units="second"/>
<variable name="x" units="dimensionless" initial_value="4"/><variable name="k" units="dimensionless" initial_value="0.5"/>
<math xmlns="http://www.w3.org/1998/Math/MathML"><apply><eq/><apply><diff/><bvar><ci>time</ci></bvar><ci>x</ci></apply>
<apply><times/><apply><minus/><ci>k</ci></apply><ci>x</ci></apply></apply></math></component>
</model>]])
write("decay.xml", [[<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="decay">
<listOfCompartments><compartment id="C" size="1" constant="true" spatialDimensions="3"/></listOfCompartments>
<listOfSpecies><species id="x" compartment="C" initialConcentration="4" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/></listOfSpecies>
<listOfParameters><parameter id="k" value="0.5" constant="true"/></listOfParameters>
<listOfReactions><reaction id="r" reversible="false"><listOfReactants><speciesReference species="x" stoichiometry="1" constant="true"/></listOfReactants>
<kineticLaw><math xmlns="http://www.w3.org/1998/Math/MathML"><apply><times/><ci>C</ci><ci>k</ci><ci>x</ci></apply></math></kineticLaw></reaction></listOfReactions>
</model></sbml>]])
write("decay.ode", "x' = -k*x\nk = 0.5\nx(0) = 4\n")

for _, name in ipairs{"decay.cellml", "decay.xml", "decay.ode"} do
  local m = model.load(name)
  local r = simulate(m, {stop = 2, steps = 4, rtol = 1e-10, atol = 1e-10, method = "dopri5", variables = {"x"}})
  local full = r.names[1]
  assert(math.abs(r[full][4] - 4 * math.exp(-1)) < 1e-8, name)
end
local loops = model.from_text("a = b + 1 \n b = a/2 \n x' = a \n x(0) = 0", {loops = true})
assert(scc(loops:graph()).sizes:max() == 2)

local t, x = buffer.new("f64", {0, 1, 2}), buffer.new("f64", {4, 2, 1})
model.write_table("data.csv", {"time", "x"}, {t, x})
assert(buffer.load("data.csv").rows == 3)
local s = model.stream("stream.csv", {"time", "x"})
s:put({"time", "x"}, {t, x})
assert(s:close() == 3)
