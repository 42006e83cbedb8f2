-- The door opens while somebody stands near it, and closes behind them. It
-- swings inwards about its hinge, gently at both ends.
local OPEN = math.rad(105)
local NEAR = 2.3      -- metres from the hinge
local SECONDS = 1.1   -- to swing all the way
local people = { "walker", "stroller", "runner" }
local swung = 0       -- 0 closed, 1 open

function update(dt)
  local near = false
  for _, name in ipairs(people) do
    local d = entity:distance(name)
    if d and d < NEAR then near = true end
  end
  local step = dt / SECONDS
  if near then
    swung = math.min(1, swung + step)
  else
    swung = math.max(0, swung - step)
  end
  local eased = swung * swung * (3 - 2 * swung)
  entity:set_yaw(OPEN * eased)
end
