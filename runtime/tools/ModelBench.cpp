// Each measure: a warm-up run, then the median of the timed ones.
#include "runtime/tools/ModelBench.h"

#include "runtime/tools/ModelSession.h"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <ostream>
#include <random>

namespace sgl {

namespace {

using Sequence = ModelSession::Sequence;

constexpr uint32_t decodeTokens = 128, depth = 1024;
constexpr uint32_t branches = 16, branchTokens = 64;

double secondsOf(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec);
}

/// Wall and processor time since it was made.
class Watch {
public:
  double wall() const { return secondsOf(CLOCK_MONOTONIC) - wallStart; }
  double cpu() const { return secondsOf(CLOCK_PROCESS_CPUTIME_ID) - cpuStart; }

private:
  double wallStart = secondsOf(CLOCK_MONOTONIC);
  double cpuStart = secondsOf(CLOCK_PROCESS_CPUTIME_ID);
};

/// Tokens for each second.
struct Rates {
  double wall = 0, cpu = 0;
};

class Bench {
public:
  explicit Bench(ModelSession &session) : session(session) {}

  Rates prefill(uint32_t count) {
    session.reset();
    Sequence sequence;
    std::vector<TokenId> tokens = randomTokens(count);
    Watch watch;
    session.append(sequence, tokens, 1);
    return ratesOf(count, watch);
  }

  Rates decode(uint32_t before) {
    session.reset();
    Sequence sequence;
    if (before)
      session.append(sequence, randomTokens(before), 1);
    std::vector<TokenId> tokens = randomTokens(decodeTokens);
    Watch watch;
    for (TokenId token : tokens)
      session.append(sequence, {&token, 1}, 1);
    return ratesOf(decodeTokens, watch);
  }

  Rates sharedPrefix() {
    session.reset();
    Sequence prefix;
    session.append(prefix, randomTokens(depth), 1);
    std::vector<Sequence> sequences;
    for (uint32_t i = 0; i < branches; ++i)
      sequences.push_back(session.branch(prefix, depth));
    Watch watch;
    for (uint32_t i = 0; i < branchTokens; ++i)
      session.step(sequences, randomTokens(branches));
    return ratesOf(branches * branchTokens, watch);
  }

private:
  std::vector<TokenId> randomTokens(uint32_t count) {
    std::vector<TokenId> tokens(count);
    for (TokenId &token : tokens)
      token = static_cast<TokenId>(random() % session.shape().vocabSize);
    return tokens;
  }

  static Rates ratesOf(uint32_t tokens, const Watch &watch) {
    return {tokens / watch.wall(), tokens / watch.cpu()};
  }

  ModelSession &session;
  std::mt19937 random{1};
};

struct Measure {
  const char *name;
  Rates (*run)(Bench &);
};

constexpr Measure measures[] = {
    {"prefill_512", [](Bench &b) { return b.prefill(512); }},
    {"prefill_1024", [](Bench &b) { return b.prefill(1024); }},
    {"decode_128_depth_0", [](Bench &b) { return b.decode(0); }},
    {"decode_128_depth_1024", [](Bench &b) { return b.decode(depth); }},
    {"shared_1024_x16_decode_64", [](Bench &b) { return b.sharedPrefix(); }},
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle]
                           : (values[middle - 1] + values[middle]) / 2;
}

Rates medianOf(const Measure &measure, Bench &bench, uint32_t repeat) {
  std::vector<double> wall, cpu;
  measure.run(bench);
  for (uint32_t i = 0; i < std::max(1u, repeat); ++i) {
    Rates rates = measure.run(bench);
    wall.push_back(rates.wall);
    cpu.push_back(rates.cpu);
  }
  return {median(wall), median(cpu)};
}

std::string fixed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

} // namespace

int runBench(const BenchOptions &options, std::ostream &out,
             std::ostream &err) {
  TransformerOptions how;
  how.threads = options.threads;
  uint64_t positions =
      depth + uint64_t{branches} * (branchTokens + pageSize) + decodeTokens;
  auto session = ModelSession::open(options.model, how, positions);
  if (!session) {
    err << "error: " << session.error().message << "\n";
    return 1;
  }
  Bench bench(*session);
  std::string rates, perCpu;
  for (const Measure &measure : measures) {
    std::string name = measure.name;
    if (name.find(options.only) == std::string::npos)
      continue;
    Rates result = medianOf(measure, bench, options.repeat);
    rates += "\"" + name + "\": " + fixed(result.wall) + ", ";
    perCpu +=
        (perCpu.empty() ? "\"" : ", \"") + name + "\": " + fixed(result.cpu);
    if (!options.json)
      out << name << std::string(28 - name.size(), ' ') << fixed(result.wall)
          << " tokens/s, " << fixed(result.cpu)
          << " each second of processor time" << std::endl;
  }
  if (options.json)
    out << "{" << rates << "\"per_cpu_s\": {" << perCpu
        << "}, \"threads\": " << options.threads << ", \"instruction_set\": \""
        << session->model().instructionSet()
        << "\", \"repeat\": " << options.repeat << "}" << std::endl;
  return 0;
}

} // namespace sgl
