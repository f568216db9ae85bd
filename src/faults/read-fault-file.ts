import { LineCounter, parseDocument } from 'yaml'
import { isObject } from '../base/json.ts'
import type { SchemaProblem } from '../base/schema-problems.ts'
import { offsetIn } from '../base/yaml-location.ts'
import { type FaultPlan, parseFaultPlan, problemsOfPlan } from './fault-plan.ts'

/**
 * Parses the plans in a YAML file, by name.
 * @param file its name in messages
 * @throws Error with file, line and column of every problem
 */
export function readFaultFile(text: string, file: string): ReadonlyMap<string, FaultPlan> {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const findLocation = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${line}:${col}`
  }
  const report = (said: readonly string[]) => {
    if (said.length > 0) throw new Error(said.join('\n'))
  }
  report(
    document.errors.map(({ message, pos }) => {
      const said = message.split('\n')[0]!.replace(/ at line \d.*/s, '')
      return `${findLocation(pos[0])}: ${said}`
    }),
  )
  const plans: unknown = document.toJS() ?? {}
  if (!isObject(plans)) throw new Error(`${file}: a file of faults is a map of names to plans`)
  const problems = Object.entries(plans).flatMap(([name, plan]) =>
    problemsOfPlan(plan).map(({ path, message }): SchemaProblem => ({ path: [name, ...path], message })),
  )
  report(
    problems.map(
      ({ path, message }) => `${findLocation(offsetIn(document, path))} ${path.join('.')}: ${message}`,
    ),
  )
  return new Map(Object.entries(plans).map(([name, plan]) => [name, parseFaultPlan(plan)]))
}
