/** A run of tests where there are none, with the names of the API. */
export const NO_TESTS = {
  numTestsRun: 0,
  numFailures: 0,
  totalTime: 0,
  successes: [],
  failures: [],
  codeCoverage: [],
  codeCoverageWarnings: [],
  flowCoverage: [],
  flowCoverageWarnings: [],
}
