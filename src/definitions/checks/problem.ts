/** A problem in definitions and its location: `['objects', 'Project__c', 'fields', 'Code__c', 'length']`. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Offset in the text at the location, where the problem is in a part of it. */
  readonly offset?: number
  /** That text, and the line and column there, both from 1. */
  readonly position?: { readonly line: number; readonly column: number }
}

/** `objects.Project__c.fields.Days__c.formula:1:5` */
export const nameLocation = ({ path, position }: Problem): string =>
  position === undefined ? path.join('.') : `${path.join('.')}:${position.line}:${position.column}`

/** Invalid definitions. The message has one line for each problem. */
export class DefinitionError extends Error {
  readonly problems: readonly Problem[]

  /** @param place how a place is told to the reader; a dotted path when absent */
  constructor(problems: readonly Problem[], location: (problem: Problem) => string = nameLocation) {
    super(problems.map((problem) => `${location(problem)}: ${problem.message}`).join('\n'))
    this.problems = problems
  }
}

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
