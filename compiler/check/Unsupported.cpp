// The table of what is refused by name; see Unsupported.h.
#include "compiler/check/Unsupported.h"

namespace sgl {

namespace {

struct Row {
  std::string_view feature; ///< as the checker names it
  std::string_view shown;   ///< as the user wrote it
  std::string_view instead; ///< what to do; may be empty
};

constexpr Row table[] = {
    {"type image", "image", ""},
    {"type video", "video", ""},
    {"call image", "image", ""},
    {"call video", "video", ""},
    {"call run", "run", ""},
    {"call signatures", "signatures", ""},
    {"call read_file", "read_file", "hand the text in as a parameter"},
    {"call render", "render", ""},
    {"tool", "tool", ""},
    {"module std.io", "std.io", "hand the input in as a parameter"},
    {"join into", "join … into", "join values and append them with `+=`"},
    {"parallel", "parallel", "independent calls overlap without it"},
    {"option stop_regex", "stop_regex", "`stop` takes a text or a list"},
    {"option json", "json:", "give the `gen` a record type"},
    {"option grammar", "grammar:", ""},
    {"option whitespace", "whitespace:", ""},
    {"option lenient", "lenient:", ""},
    {"option decode", "decode:", ""},
    {"option logit_bias", "logit_bias:", ""},
    {"option logprobs", "logprobs:", ""},
    {"option keep_stop", "keep_stop:", ""},
    {"option timeout", "timeout:", ""},
    {"option stream", "stream:", ""},
    {"option heal auto", "heal: auto", "what is written stays as it is"},
    {"option method greedy", "method: greedy", "use `normalized`"},
    {"option method unconditional", "method: unconditional",
     "use `normalized`"},
    {"option method exact", "method: exact", "use `normalized`"},
    {"option weights", "weights:", ""},
};

const Row *find(std::string_view feature) {
  for (const Row &row : table)
    if (row.feature == feature)
      return &row;
  return nullptr;
}

} // namespace

bool isUnsupported(std::string_view feature) { return find(feature); }

bool refuseUnsupported(Diagnostics &diagnostics, std::string_view feature,
                       Span span) {
  const Row *row = find(feature);
  if (!row)
    return false;
  Diagnostic &d = diagnostics.error(
      "E0901", span, "`" + std::string(row->shown) + "` is not supported yet");
  if (!row->instead.empty())
    d.note("instead: " + std::string(row->instead));
  return true;
}

} // namespace sgl
