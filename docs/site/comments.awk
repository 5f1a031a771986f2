# SPDX-License-Identifier: Apache-2.0
#
# doxygen's filter of the public headers: turns their plain // comments into those that it reads.
#
#   at the head of a file    describes the file
#   before a declaration     describes it, and those that follow without a line between them
#   behind a declaration     describes it, also where it goes on in the next lines
#
# Indented lines of a comment are tables, formulas and code, and stay as they are.

function strip(s) { sub(/^ *\/\/ ?/, "", s); return s }

# what doxygen would take for markup, except in `code`
function plain(s,   part, k, i, out) {
  if (s == "&nbsp;") return s
  k = split(s, part, "`")
  for (i = 1; i <= k; i++) {
    if (i % 2) gsub(/[\\@#<>*&%|~]/, "\\\\&", part[i])
    out = out (i > 1 ? "`" : "") part[i]
  }
  return out
}

# the lines of a comment
function put_block(text, indent,   line, k, i, code, list) {
  k = split(text, line, "\n")
  for (i = 1; i < k; i++) {
    if (line[i] ~ /^ *(-|[0-9]+\.) /) list = 1
    else if (line[i] !~ /^ / || line[i] == "") list = line[i] == "" ? 0 : list
    if (line[i] ~ /^  / && !list) {
      if (!code && i > 1 && line[i - 1] != "") print indent "///"
      print indent "///     " line[i]
      code = 1
    } else {
      if (code && line[i] != "") print indent "///"
      print indent "/// " plain(line[i])
      code = 0
    }
  }
}

# "double a, *b, c[2];"
function put_members(code, text,   type, rest, k, i, member) {
  match(code, /^ *(const )?[a-z_0-9]+ /)
  type = substr(code, 1, RLENGTH)
  rest = substr(code, RLENGTH + 1)
  sub(/;$/, "", rest)
  k = split(rest, member, /, */)
  for (i = 1; i <= k; i++) print type member[i] "; ///< " text
}

function describe(text) {
  if (text == "") text = "&nbsp;\n"
  put_block(text, "")
}

# counts braces outside of strings and comments
function braces(s,   opened, closed) {
  gsub(/"[^"]*"/, "", s)
  sub(/\/\/.*/, "", s)
  gsub(/\/\*[^*]*\*\//, "", s)
  opened = gsub(/{/, "", s)
  closed = gsub(/}/, "", s)
  return opened - closed
}

BEGIN { head = 1 }

# a macro that goes on, or the body of a function: as it is
in_macro { print; in_macro = /\\$/; next }
in_body { print; depth += braces($0); if (depth <= 0) { in_body = 0; depth = 0; shared = "" } next }

# comments of their own lines
/^ *\/\/( |$)/ {
  column = index($0, "//")
  if (behind && column == behind) { print "///< " plain(strip($0)); next }
  behind = 0
  if (/SPDX-License/ || /^ *\/\/ ---/) { block = ""; print ""; next }
  block = block strip($0) "\n"
  next
}
/^$/ {
  if (head && block != "") { sub(/^\n/, "", block); print "/// @file"; put_block(block, ""); head = 0 }
  block = ""; shared = ""; behind = 0
  print
  next
}

/^#/ {
  if (/^#define [A-Z]/ && !/_H$/ && depth == 0) describe(block)
  block = ""; shared = ""; behind = 0
  print
  in_macro = /\\$/
  next
}
/^(SN_LAYOUT|SN_BEGIN_DECLS|SN_END_DECLS)/ || /^ *SN_[A-Z0-9_]+\(.*\);?$/ { print ""; block = ""; next }

/^struct [a-z_]+;$/ { print; next }   # announces a name; the comment belongs to what follows

{
  code = $0; text = ""
  if (match($0, / +\/\/ .*/)) {
    text = strip(substr($0, RSTART))
    behind = index($0, "//")
    code = substr($0, 1, RSTART - 1)
  } else {
    behind = 0
  }

  # what the comments before it say; of several declarations in a row, those before the first
  is_start = depth == 0 && !goes_on && code !~ /^}/
  opens = code ~ /{$/
  if (is_start) {
    if (block == "" && text != "" && opens) { block = text "\n"; text = "" }
    if (block == "" && match(code, /^typedef struct sn_[a-z_]+_def {/)) {
      name = substr(code, 19, RLENGTH - 24)
      block = "Definition of an element `" name "`. Its members have the meaning of the attributes in MJCF.\n"
    }
    if (block == "" && shared != "" && (!opens || code ~ /^struct/)) block = shared
    if (block == "" && code ~ /^enum/) block = "&nbsp;\n"
    if (block != "") put_block(block, "")
    shared = block
    block = ""
  } else if (block != "") {
    put_block(block, "  ")
    described = 1
    block = ""
  }

  # members, and what stands behind a declaration; a list of members is taken apart
  if (code ~ /^  SN_DEF_HEAD;/) {
    print "  uint32_t def_size; ///< sizeof this struct, set by sn_default_" name "()"
    print "  int32_t reserved0; ///< 0"
    next
  }
  if (depth > 0 && code ~ /^  [a-z].*,.*;$/ && code !~ /[(){}]/) {
    put_members(code, text == "" ? "&nbsp;" : plain(text))
    described = 0
    next
  }
  ends = code ~ /[;,]$/ || (depth > 0 && !opens)
  if (text != "") print code " ///< " plain(text)
  else if (depth > 0 && !goes_on && !described && ends && code !~ /^ *}/)
    print code " ///< &nbsp;"
  else print code

  goes_on = code !~ /[;{},]$/ || (code ~ /,$/ && depth == 0)
  if (depth > 0 && code ~ /,$/ && code ~ /\(/ && code !~ /\)/) goes_on = 1
  if (!goes_on) described = 0
  was = depth
  depth += braces(code)
  if (was == 0 && depth > 0 && code !~ /^(typedef )?(struct|union|enum)/) in_body = 1
}
