#!/usr/bin/env bash
# include_direction.sh ROOT: rejects an include that points up the layers, or a library outside the files
# that wrap it. Prints each offence as file:line; exit 1 if there is any.
set -euo pipefail
[[ $# == 1 && -d $1/src ]] || { echo "usage: include_direction.sh ROOT (a folder that has src/)" >&2; exit 2; }
cd "$1"

folders=()
for folder in src include apps; do [[ -d $folder ]] && folders+=("$folder"); done

{ grep -rHnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"]' "${folders[@]}" \
    --include='*.h' --include='*.cpp' --include='*.cuh' --include='*.cu' || (($? == 1)); } | awk '
BEGIN {
  # What each folder may include besides itself and the public headers.
  sees["base"] = ""
  sees["exec"] = "base"
  sees["grid"] = "base exec"
  sees["particles"] = sees["geometry"] = sees["grid"] " grid"
  sees["io"] = sees["render"] = sees["linear"] = sees["geometry"] " particles geometry"
  sees["stages"] = sees["linear"] " linear"
  sees["solvers"] = sees["stages"] " stages"
  sees["cases"] = sees["scene"] = sees["solvers"] " solvers"
  sees["sim"] = sees["scene"] " scene io render"
  sees["validate"] = sees["sim"] " cases"
  sees["apps"] = sees["sim"] " sim validate"
  sees["include"] = ""
  split("base exec grid particles geometry linear stages solvers cases", names, " ")
  for (i in names) core[names[i]] = 1

  # Libraries by the start of their header paths.
  library["openvdb/"] = "OpenVDB";   library["nanovdb/"] = "NanoVDB"
  library["toml++/"] = "toml++";     library["toml.hpp"] = "toml++"
  library["muParser"] = "muParser";  library["fmt/"] = "fmt"
  library["CLI/"] = "CLI11";         library["tbb/"] = "TBB"
  library["oneapi/"] = "TBB";        library["assimp/"] = "Assimp"
  library["embree"] = "Embree";      library["btBullet"] = "Bullet"
  library["bullet/"] = "Bullet";     library["png.h"] = "libpng"
  library["OpenEXR/"] = library["Imath/"] = "OpenEXR";   library["boost/"] = "Boost"
}
function offence(why) { printf "%s:%s: %s: %s\n", file, line, why, $0; ++offences }
function library_of(path,   start) {
  for (start in library) if (index(path, start) == 1) return library[start]
  return ""
}
{
  # grep wrote file:line:text
  match($0, /^[^:]*:/); file = substr($0, 1, RLENGTH - 1); $0 = substr($0, RLENGTH + 1)
  match($0, /^[0-9]*:/); line = substr($0, 1, RLENGTH - 1); $0 = substr($0, RLENGTH + 1)
  quoted = ($0 ~ /include[ \t]*"/)
  path = $0
  sub(/^[^<"]*[<"]/, "", path); sub(/[>"].*$/, "", path)

  split(file, parts, "/")
  own = parts[1] == "src" ? parts[2] : parts[1]
  if (!(own in sees)) { offence("a folder that the table of layers does not name"); next }

  split(path, parts, "/")
  target = index(path, "/") ? parts[1] : ""
  if (path ~ /(^|\/)\.\.?\//) offence("a relative path; write it from src/")
  else if (target == "whorl" || own == "apps" && target == "") ;
  else if (target in sees && target != "include") {
    if (target != own && index(" " sees[own] " ", " " target " ") == 0) offence(own " may not include " target)
  }
  else if (quoted && !library_of(path)) offence("neither whorl/ nor a folder of src/")

  name = library_of(path)
  if (name == "TBB" && file != "src/exec/tbb_backend.cpp") offence("TBB outside src/exec/tbb_backend.cpp")
  else if ((name == "toml++" || name == "muParser") && own != "scene") offence(name " outside src/scene")
  else if (name != "" && name != "TBB" && (own in core || own == "include")) offence(name " in the core")
  if (path ~ /^(x86|[a-z]mm|avx[0-9a-z]*)intrin\.h$|^arm_neon\.h$/ && own != "exec") offence("intrinsics outside src/exec")
}
END { exit offences > 0 }'
