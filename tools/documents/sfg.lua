-- Pandoc filter: the fences ```sfg VERB OPTIONS of pages in Markdown become their answers.
--   pandoc -f gfm PAGE -o PAGE.html --lua-filter sfg.lua
-- What the readers of Markdown give to a filter has lost the words of a fence, or its lines: both are found in the input files, by
-- `sfg weave`. The command is the sfg of the PATH, or $SFG.

local command = os.getenv("SFG") or "sfg"

local function fail(message)
  io.stderr:write((message:gsub("%s+$", "")) .. "\n")
  os.exit(1)
end

local function text_of(path)
  local file = io.open(path, "rb")
  if not file then fail("sfg.lua: cannot read " .. path) end
  local text = file:read("a")
  file:close()
  return text
end

-- JSON as the command writes it.
local function json_at(text, at)
  at = text:find("%S", at)
  local c = text:sub(at, at)
  if c == '"' then
    local stop = at
    repeat
      stop = text:find('["\\]', stop + 1)
      local escape = text:sub(stop, stop) == "\\"
      if escape then stop = stop + 1 end
    until not escape
    local signs = {n = "\n", t = "\t", r = "\r", b = "\b", f = "\f"}
    local inside = text:sub(at + 1, stop - 1):gsub("\\u(%x%x%x%x)", function(hex) return utf8.char(tonumber(hex, 16)) end)
    return inside:gsub("\\(.)", function(sign) return signs[sign] or sign end), stop + 1
  elseif c == "{" or c == "[" then
    local all, key = {}, nil
    at = text:find("%S", at + 1)
    while not text:sub(at, at):find("[%]}]") do
      if c == "{" then
        key, at = json_at(text, at)
        at = text:find(":", at, true) + 1
      else
        key = #all + 1
      end
      all[key], at = json_at(text, at)
      at = text:find("%S", at)
      if text:sub(at, at) == "," then at = text:find("%S", at + 1) end
    end
    return all, at + 1
  end
  local word = text:match("^[%w.+-]+", at)
  return tonumber(word) or word == "true", at + #word
end

local function quoted(word) return "'" .. word:gsub("'", "'\\''") .. "'" end

-- What `sfg weave` tells of a page; what is wrong in it ends pandoc.
local function woven(page, folder)
  local out, err = folder .. "/answer.json", folder .. "/errors"
  local done = os.execute(quoted(command) .. " weave " .. quoted(page) .. " --json -o " .. quoted(folder .. "/woven") ..
    " >" .. quoted(out) .. " 2>" .. quoted(err))
  local said = text_of(err)
  if not done then fail(said ~= "" and said or "sfg.lua: '" .. command .. "' cannot be run") end
  io.stderr:write(said)
  return (json_at(text_of(out), 1)).pages[1].fences
end

local function lines_of(text)
  local lines = {}
  for line in (text .. "\n"):gmatch("(.-)\r?\n") do lines[#lines + 1] = line end
  return lines
end

-- The page with a code block sfganswer in place of every fence.
local function marked(page, fences, first)
  local lines, kept, at = lines_of(text_of(page)), {}, 1
  for i, fence in ipairs(fences) do
    for k = at, fence.line - 1 do kept[#kept + 1] = lines[k] end
    local line = lines[fence.line]
    local before = line:sub(1, utf8.offset(line, fence.column) - 1)
    local further = before:gsub("[^%s>]", " ")
    kept[#kept + 1] = before .. "```sfganswer"
    kept[#kept + 1] = further .. (first + i)
    kept[#kept + 1] = further .. "```"
    at = fence.last + 1
  end
  for k = at, #lines do kept[#kept + 1] = lines[k] end
  return table.concat(kept, "\n") .. "\n"
end

-- The name of a reader with those of the extensions in use that it knows.
local function with_extensions(base)
  local format, raw, fenced = base, false, false
  for _, extension in ipairs(PANDOC_READER_OPTIONS.extensions) do
    if pcall(pandoc.read, "", base .. "+" .. extension) then format = format .. "+" .. extension end
    raw = raw or extension == "raw_html"
    fenced = fenced or extension == "fenced_code_blocks"
  end
  return raw and format or format .. "-raw_html", fenced
end

-- The reader that has read the document, by what it makes of it; where none makes the same, the likeliest.
local function reader_of(doc, text)
  for _, base in ipairs({"gfm", "commonmark", "markdown_strict"}) do
    local format = with_extensions(base)
    if pandoc.read(text, format).blocks == doc.blocks then return format end
  end
  local format, fenced = with_extensions("markdown_strict")
  return fenced and format or (with_extensions("gfm"))
end

local function blocks_of(fence)
  if not fence.file:find("%.svg$") then return pandoc.read(fence.text, "markdown").blocks end
  local svg = text_of(fence.file)
  local source = fence.name
  if FORMAT:find("html") or FORMAT:find("slid") or FORMAT:find("reveal") or FORMAT == "s5" then
    source = "data:image/svg+xml," .. svg:gsub("[^%w]", function(c) return string.format("%%%02X", c:byte()) end)
  else
    pandoc.mediabag.insert(source, "image/svg+xml", svg)
  end
  local read = pandoc.read(fence.text, "markdown").blocks
  return read:walk({Image = function(image) image.src = source return image end})
end

function Pandoc(doc)
  local answers, page, whole = {}, "", ""
  pandoc.system.with_temporary_directory("sfg", function(folder)
    for i, input in ipairs(PANDOC_STATE.input_files) do
      if input == "-" then fail("sfg.lua: a page on standard input cannot be woven: name its file") end
      local fences = woven(input, folder)
      page = page .. marked(input, fences, #answers) .. "\n"
      whole = whole .. text_of(input) .. "\n"
      for _, fence in ipairs(fences) do
        fence.name = "sfg/" .. i .. "-" .. fence.file:match("[^/]*$")
        answers[#answers + 1] = blocks_of(fence)
      end
    end
  end)
  if #answers == 0 then return nil end
  local read = pandoc.read(page, reader_of(doc, whole)).blocks
  doc.blocks = read:walk({CodeBlock = function(block)
    if block.classes[1] == "sfganswer" then return answers[tonumber(block.text)] end
  end})
  return doc
end
