// sglrun: runs a plan on a model.
//
// Exit status: 0 done, 1 refused before the first call, 2 wrong usage, 3 the
// run began and failed. The stats line, if asked for, is the last on stderr.
#include "ir/constraint/Regex.h"
#include "runtime/tools/RunCommand.h"
#include "runtime/tools/RunReport.h"

#include <iostream>

int main(int argc, char **argv) {
  sgl::useRegexForTypes(); // before any value of the plan or a flag is read
  sgl::RunFlags flags;
  sgl::RunStats stats;
  int exitStatus = 2;
  if (sgl::Status usage = sgl::parseRunFlags(argc, argv, flags); !usage)
    std::cerr << "error: " << usage.error().message << " (see sglrun --help)\n";
  else
    exitStatus = sgl::runCommand(flags, stats);
  if (flags.stats != sgl::StatsForm::None)
    std::cerr << sgl::statsLine(stats, flags.stats) << '\n';
  return exitStatus;
}
