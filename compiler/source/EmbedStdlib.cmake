# cmake -DOUT=Stdlib.cpp "-DFILES=a.sgl;b.sgl" -P EmbedStdlib.cmake
#
# Writes a C++ file that holds the bytes of the library's modules.
set(arrays "")
set(rows "")
foreach(file IN LISTS FILES)
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(APPEND arrays
    "constexpr unsigned char ${name}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"std.${name}\", ${name}, ${size}},\n")
endforeach()
file(WRITE ${OUT} "// Made by EmbedStdlib.cmake.
#include \"compiler/source/Stdlib.h\"

namespace sgl {
namespace {
${arrays}
struct Entry {
  std::string_view name;
  const unsigned char *bytes;
  size_t size;
};
const Entry entries[] = {
${rows}};
} // namespace

std::optional<std::string_view> embeddedModule(std::string_view dottedName) {
  for (const Entry &entry : entries)
    if (entry.name == dottedName)
      return std::string_view(reinterpret_cast<const char *>(entry.bytes),
                              entry.size);
  return std::nullopt;
}

} // namespace sgl
")
