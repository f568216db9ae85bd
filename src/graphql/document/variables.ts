import {
  type ArgumentNode,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql'
import type { OrgSchema } from '../types/org-schema.ts'
import { DocumentRefused, findLocations, makeErrorItem } from '../values/graphql-error.ts'
import { checkVariables } from './check-nesting.ts'

/** Values of a document's variables by name, as sent: members of objects keep their order. */
export type Variables = Readonly<Record<string, unknown>>

const EXPECTED = 'Expected value of type "'
const UNKNOWN_MEMBER = /^Expected value of type "([\w![\]]+)" not to include unknown field "(\w+)"/

/** GraphQL's text about an unknown member of a variable, in the words that clients know. (docs/reference/api/graphql.md#errors) */
function variableMessage(message: string): string {
  const variable = /^Variable "\$(\w+)" /.exec(message)
  const unknown = UNKNOWN_MEMBER.exec(message.slice(Math.max(message.indexOf(EXPECTED), 0)))
  if (variable === null || unknown === null) return message
  const [, type, field] = unknown
  return `The variables input contains a field name '${field}' that is not defined for input object type '${type}' (variable '${variable[1]}')`
}

/** An object without a prototype, safe for names that clients choose. */
const makeEmptyObject = (): Record<string, unknown> => Object.create(null)

/**
 * Checks the values of an operation's variables, and adds defaults.
 * @throws DocumentRefused
 */
export function coerceVariables(
  schema: OrgSchema,
  operation: OperationDefinitionNode,
  given: Variables,
): Variables {
  const definitions = operation.variableDefinitions ?? []
  if (definitions.length === 0) return {}
  checkVariables(given)
  const { errors } = getVariableValues(schema, definitions, given, { maxErrors: 20, hideSuggestions: true })
  if (errors !== undefined) {
    throw new DocumentRefused(
      errors.map((error) =>
        makeErrorItem('ValidationError', variableMessage(error.message), { locations: findLocations(error) }),
      ),
    )
  }
  const values = makeEmptyObject()
  for (const { variable, defaultValue } of definitions) {
    const name = variable.name.value
    if (Object.hasOwn(given, name)) values[name] = given[name]
    else if (defaultValue !== undefined) values[name] = toPlainValue(defaultValue, {})
  }
  return values
}

/**
 * A value of a document as plain data, members in order. Validation has checked its
 * type. Members whose variable has no value are omitted.
 */
function toPlainValue(node: ValueNode, variables: Variables): unknown {
  switch (node.kind) {
    case Kind.VARIABLE:
      return variables[node.name.value]
    case Kind.NULL:
      return null
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value)
    case Kind.STRING:
    case Kind.ENUM:
    case Kind.BOOLEAN:
      return node.value
    case Kind.LIST:
      return node.values.map((value) => toPlainValue(value, variables) ?? null)
    case Kind.OBJECT: {
      const members = makeEmptyObject()
      for (const { name, value } of node.fields) {
        const plain = toPlainValue(value, variables)
        if (plain !== undefined) members[name.value] = plain
      }
      return members
    }
  }
}

/** True if a value depends on a variable. */
export function namesVariable(node: ValueNode): boolean {
  switch (node.kind) {
    case Kind.VARIABLE:
      return true
    case Kind.LIST:
      return node.values.some(namesVariable)
    case Kind.OBJECT:
      return node.fields.some(({ value }) => namesVariable(value))
    default:
      return false
  }
}

/** The arguments of a field by name, without nulls and missing variables. */
export function getArguments(nodes: readonly ArgumentNode[] | undefined, variables: Variables): Variables {
  const values = makeEmptyObject()
  for (const { name, value } of nodes ?? []) {
    const plain = toPlainValue(value, variables)
    if (plain !== undefined && plain !== null) values[name.value] = plain
  }
  return values
}

/** A list; GraphQL accepts a single value for a list of one. */
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
