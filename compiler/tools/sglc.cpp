// sglc: the compiler's command line.

#include "compiler/driver/CommandLine.h"

#include <cstdio>

int main(int argc, char **argv) {
  sgl::ParsedCommandLine parsed = sgl::parseCommandLine(argc, argv);
  if (parsed.command)
    return sgl::runCommand(*parsed.command);
  std::fputs(parsed.message.c_str(), parsed.status == 0 ? stdout : stderr);
  return parsed.status;
}
