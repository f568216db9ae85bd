import type { Problem } from './problem.ts'

/** Maximum number of problems that are reported; the rest is not looked for. */
const MAX_PROBLEMS = 200

/** Problems as they are found, part by part. */
export type Findings = Iterable<readonly Problem[]>

/** The first problems of all that are found; takes a pause after each part. */
export function* gatherProblems(findings: Findings): Generator<void, Problem[]> {
  const problems: Problem[] = []
  for (const found of findings) {
    for (const problem of found.slice(0, MAX_PROBLEMS - problems.length)) problems.push(problem)
    if (problems.length === MAX_PROBLEMS) break
    yield
  }
  return problems
}
