import { ApiError } from '../../base/api-error.ts'
import { makeApiVersion, VERSION_CHANGES } from '../../base/api-version.ts'
import { didYouMean } from '../../base/nearest.ts'
import type { ListView, ObjectDefinition } from '../../schema/definitions/definition.ts'
import { requireObject, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { compileQuery } from '../../soql/compile/compile.ts'
import { findViewColumn } from '../../soql/compile/list-view-query.ts'
import { isPath, parseViewCondition, parseViewOrder } from '../../soql/parse/parse-view.ts'
import type { Problem } from './problem.ts'

/** The version in which every query feature is available. */
const NEWEST = makeApiVersion(Math.max(...Object.values(VERSION_CHANGES)))

/** Explains a query error in the terms of definition files. */
function explain(error: ApiError, schema: SchemaSnapshot): string {
  const explanation = error.message.split('\n').at(-1)!
  const [, field, object] = /^No such column '([^']+)' on entity '([^']+)'/.exec(explanation) ?? []
  const names = schema.object(object ?? '')?.fields.map(({ name }) => name)
  if (names !== undefined) return `${object} has no field ${field}${didYouMean(field!, names)}`
  const [, relationship] = /relationship '([^']+)' in field path/.exec(explanation) ?? []
  if (relationship !== undefined) return `there is no relationship ${relationship} to a parent`
  return explanation
}

function collectProblems(path: Problem['path'], schema: SchemaSnapshot, look: () => void): Problem[] {
  try {
    look()
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [{ path, message: explain(error, schema) }]
  }
}

function checkColumns(
  object: ObjectDefinition,
  { columns = [] }: ListView,
  at: Problem['path'],
  schema: SchemaSnapshot,
) {
  const seen = new Set<string>()
  return columns.flatMap((column, index): Problem[] => {
    const path = [...at, 'columns', index]
    const before = seen.size
    if (seen.add(column.toLowerCase()).size === before) {
      return [{ path, message: `${column} stands here twice` }]
    }
    const type = requireObject(schema, object.name)
    return collectProblems(path, schema, () => findViewColumn(type, column, schema, NEWEST))
  })
}

function checkView(object: ObjectDefinition, view: ListView, schema: SchemaSnapshot): Problem[] {
  const at = ['objects', object.name, 'listViews', view.name]
  const { where, orderBy, scope } = view
  const run = (clause: string) => compileQuery(`SELECT Id FROM ${object.name} ${clause}`, schema, NEWEST)
  const problems = checkColumns(object, view, at, schema)
  if (!/^[A-Za-z]\w*$/.test(view.name) || view.name.length > 80) {
    problems.push({ path: at, message: `"${view.name}" is no name: letters, digits and _, 80 at most` })
  }
  if (view.label.length > 80)
    problems.push({ path: [...at, 'label'], message: 'is longer than 80 characters' })
  if (scope === 'mine' && object.ownerless === true) {
    problems.push({ path: [...at, 'scope'], message: `records of ${object.name} have no owner` })
  }
  if (where !== undefined) {
    problems.push(
      ...collectProblems([...at, 'where'], schema, () => {
        parseViewCondition(where)
        run(`WHERE ${where}`)
      }),
    )
  }
  if (orderBy !== undefined) {
    problems.push(
      ...collectProblems([...at, 'orderBy'], schema, () => {
        const calls = parseViewOrder(orderBy).filter(({ by }) => !isPath(by))
        if (calls.length > 0) throw new ApiError('MALFORMED_QUERY', 'a list view is sorted by fields')
        run(`ORDER BY ${orderBy}`)
      }),
    )
  }
  return problems
}

/** Finds problems in the list views of objects that are otherwise valid, a view at a time. */
export function* checkListViews(
  objects: readonly ObjectDefinition[],
  schema: SchemaSnapshot,
  named: ReadonlySet<string>,
): Generator<Problem[]> {
  for (const object of objects) {
    if (!named.has(object.name.toLowerCase())) continue
    const seen = new Set<string>()
    for (const view of object.listViews ?? []) {
      const before = seen.size
      if (seen.add(view.name.toLowerCase()).size === before) {
        const message = 'there are two list views of this name: case makes no difference'
        yield [{ path: ['objects', object.name, 'listViews', view.name], message }]
      }
      yield checkView(object, view, schema)
    }
  }
}
