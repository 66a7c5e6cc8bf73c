// `sglmodel bench`: tokens a second of the model alone.
//
// Entry point: runBench. Token ids are random and nothing is sampled, as the
// benchmarks of other engines do it, so that figures can be compared.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>

namespace sgl {

struct BenchOptions {
  std::string model;    ///< path of the GGUF file
  uint32_t threads = 0; ///< 0: all cores
  bool json = false;    ///< one JSON object instead of a table
  std::string only;     ///< measures with this in their name; empty: all
  uint32_t repeat = 3;  ///< the median of so many runs is printed
};

/// Measures prefill_512, prefill_1024, decode_128_depth_0,
/// decode_128_depth_1024 and shared_1024_x16_decode_64. JSON: each name with
/// its tokens a second, "per_cpu_s" with tokens a second of processor time, and
/// what was measured. Returns 0, or 1 where the model is refused.
int runBench(const BenchOptions &options, std::ostream &out, std::ostream &err);

} // namespace sgl
