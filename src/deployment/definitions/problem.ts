/** A problem in definitions and its location: `['objects', 'Project__c', 'fields', 'Code__c', 'length']`. */
export interface Problem {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** Invalid definitions. The message has one line for each problem. */
export class DefinitionError extends Error {
  readonly problems: readonly Problem[]

  /** @param place how a place is told to the reader; a dotted path when absent */
  constructor(
    problems: readonly Problem[],
    location: (path: Problem['path']) => string = (path) => path.join('.'),
  ) {
    super(problems.map(({ path, message }) => `${location(path)}: ${message}`).join('\n'))
    this.problems = problems
  }
}
