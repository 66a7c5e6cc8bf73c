// `sglmodel info`: what a model file is, what it needs, whether it will run.
#pragma once

#include <ostream>
#include <string>

namespace sgl {

struct InfoOptions {
  std::string model;
  bool json = false;
};

/// Returns the exit status: 0 also for a model that will not run (the report
/// says why), 1 for a file that cannot be read.
int runInfo(const InfoOptions &options, std::ostream &out,
            std::ostream &errors);

} // namespace sgl
