/**
 * Writes one session and its index entries, if the stored revision is the expected one.
 * KEYS: session, then the sorted sets to remove it from, then those to add it to. ARGV: expected revision ('' for none), new revision
 * ('' deletes), record, member, number of sets to remove from, then one score for each set to add to.
 */
export const WRITE_SCRIPT = `
local stored = redis.call('HGET', KEYS[1], 'revision') or ''
if stored ~= ARGV[1] then return 0 end
local leaving = tonumber(ARGV[5])
for index = 2, 1 + leaving do redis.call('ZREM', KEYS[index], ARGV[4]) end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
  return 1
end
redis.call('HSET', KEYS[1], 'revision', ARGV[2], 'record', ARGV[3])
for index = 2 + leaving, #KEYS do
  redis.call('ZADD', KEYS[index], ARGV[4 + index - leaving], ARGV[4])
end
return 1
`;

/**
 * Merges several sorted sets in the order of their scores and returns the records of the first members.
 * KEYS: for each state its sorted sets; the smallest is scanned, the others filter. ARGV: sets per state, lowest score,
 * highest score, limit, prefix of session keys, length of a member before its id.
 */
export const FIND_SCRIPT = `
local width, lowest, highest = tonumber(ARGV[1]), ARGV[2], ARGV[3]
local limit, skip = tonumber(ARGV[4]), tonumber(ARGV[6])
local function leadFirst(sets)
  local best = 1
  for index = 2, #sets do
    if redis.call('ZCARD', sets[index]) < redis.call('ZCARD', sets[best]) then best = index end
  end
  sets[1], sets[best] = sets[best], sets[1]
  return sets
end
local function isInAll(sets, member)
  for index = 2, #sets do
    if not redis.call('ZSCORE', sets[index], member) then return false end
  end
  return true
end
local found = {}
local function collect(sets)
  local offset, taken, step = 0, 0, math.min(limit, 500)
  while taken < limit do
    local page = redis.call('ZRANGEBYSCORE', sets[1], lowest, highest, 'WITHSCORES', 'LIMIT', offset, step)
    for index = 1, #page, 2 do
      if taken < limit and isInAll(sets, page[index]) then
        taken = taken + 1
        found[#found + 1] = { page[index], tonumber(page[index + 1]) }
      end
    end
    if #page < 2 * step then return end
    offset = offset + step
  end
end
if limit == 0 then return {} end
for first = 1, #KEYS, width do
  local sets = {}
  for index = first, first + width - 1 do sets[#sets + 1] = KEYS[index] end
  collect(leadFirst(sets))
end
-- Lua compares text by the server's locale; sorted sets compare bytes, and so does this.
local function isBytesBefore(left, right)
  for index = 1, math.min(#left, #right) do
    local difference = string.byte(left, index) - string.byte(right, index)
    if difference ~= 0 then return difference < 0 end
  end
  return #left < #right
end
table.sort(found, function(left, right)
  if left[2] ~= right[2] then return left[2] < right[2] end
  return isBytesBefore(left[1], right[1])
end)
local records = {}
for index = 1, math.min(limit, #found) do
  records[index] = redis.call('HGET', ARGV[5] .. string.sub(found[index][1], skip + 1), 'record')
end
return records
`;

/** KEYS: lease. ARGV: holder, milliseconds. */
export const TAKE_LEASE_SCRIPT = `
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`;

/** KEYS: lease. ARGV: holder. */
export const RELEASE_LEASE_SCRIPT = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`;
