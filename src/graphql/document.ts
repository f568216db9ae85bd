import {
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  KnownTypeNamesRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  VariablesInAllowedPositionRule,
  validate,
  visit,
} from 'graphql'
import { Cache } from '../base/cache.ts'
import { getOrInsert } from '../base/get-or-insert.ts'
import { checkNesting } from './document/check-nesting.ts'
import { countFields } from './document/count-fields.ts'
import type { Part } from './parts/part.ts'
import { knownFields } from './rules/known-fields.ts'
import { knownTypes } from './rules/known-types.ts'
import { lenientIds } from './rules/lenient-ids.ts'
import type { OrgSchema } from './types/org-schema.ts'
import { DocumentRefused, errorItem, findLocations, refused } from './values/graphql-error.ts'

/** A document that is valid in a schema. */
export interface Document {
  readonly node: DocumentNode
  readonly operations: readonly OperationDefinitionNode[]
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Names of the variables that decide what is left out. */
  readonly switches: readonly string[]
  /** What has been made of it, by operation and what is left out. */
  readonly programs: Cache<Part>
}

/** Words and marks of a document; checking it costs more than as many times as it has. */
const MAX_TOKENS = 10_000
const MAX_ERRORS = 20
/** Fields of a document with those of its fragments at each place. */
const MAX_FIELDS = 10_000
/** The rules compare each of them with each other one. */
const MAX_FRAGMENTS = 300

const REPLACED = new Map([
  [FieldsOnCorrectTypeRule, knownFields],
  [KnownTypeNamesRule, knownTypes],
  [VariablesInAllowedPositionRule, lenientIds],
])

const RULES = specifiedRules.map((rule) => REPLACED.get(rule) ?? rule)

/** The word that a syntax error is about. */
function offendingToken(error: GraphQLError): string {
  const text = error.source?.body.slice(error.positions?.[0] ?? 0) ?? ''
  return (/^(\w+|\S)/.exec(text)?.[0] ?? '<EOF>').slice(0, 100)
}

function parseDocument(text: string): DocumentNode {
  try {
    checkNesting(text, MAX_TOKENS)
    return parse(text, { maxLexicalTokens: MAX_TOKENS, maxComments: MAX_TOKENS })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    const [location = { line: 1, column: 1 }] = findLocations(error)
    const { line, column } = location
    const where = `Invalid syntax with offending token '${offendingToken(error)}' at line ${line} column ${column}`
    throw refused('InvalidSyntax', `${where}: ${error.message}`, { locations: [location] })
  }
}

/** Arguments that decide what is made of a selection, not what is asked for. */
const SWITCHES = ['if', 'fallback']

/** The variables of `@skip(if: $x)`, `@include(if: $x)` and `RecordTypeId(fallback: $x)`. */
function switchesOf(node: DocumentNode): string[] {
  const names = new Set<string>()
  visit(node, {
    Argument({ name, value }) {
      if (SWITCHES.includes(name.value) && value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}

/** Whether the schema has operations of their kinds. */
function checkKinds(schema: OrgSchema, { definitions }: DocumentNode): void {
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    if (schema.getRootType(definition.operation)) continue
    throw refused('OperationNotSupported', `Schema is not configured for ${definition.operation}s.`)
  }
}

/** Checking gives up where one field is written very often. */
const messageOf = ({ message }: GraphQLError) =>
  message === 'Validation aborted.' ? 'The document is too complicated: write each field once' : message

function makeDocument(schema: OrgSchema, text: string): Document {
  const node = parseDocument(text)
  checkKinds(schema, node)
  const fragmentCount = node.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length
  if (fragmentCount > MAX_FRAGMENTS) {
    throw refused('ValidationError', `The document has more than ${MAX_FRAGMENTS} fragments`)
  }
  if (countFields(node) > MAX_FIELDS) {
    throw refused(
      'ValidationError',
      `The document asks for more than ${MAX_FIELDS} fields, counting those of a fragment wherever it is spread`,
    )
  }
  const errors = validate(schema, node, RULES, { maxErrors: MAX_ERRORS, hideSuggestions: true })
  if (errors.length > 0) {
    throw new DocumentRefused(
      errors.map((error) =>
        errorItem('ValidationError', messageOf(error), { locations: findLocations(error) }),
      ),
    )
  }
  const operations: OperationDefinitionNode[] = []
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of node.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  return { node, operations, fragments, switches: switchesOf(node), programs: new Cache(MAX_PROGRAMS) }
}

/** How many documents are remembered for one schema, how long their texts may be, and what is made of one of them. */
const MAX_CACHED = 200
const MAX_CACHED_LENGTH = 20_000
const MAX_PROGRAMS = 10

const cache = new WeakMap<OrgSchema, Cache<Document>>()

/**
 * A document, parsed and checked. A text that comes again is remembered for as long as the schema lives.
 * @throws DocumentRefused
 */
export function findDocument(schema: OrgSchema, text: string): Document {
  if (text.length > MAX_CACHED_LENGTH) return makeDocument(schema, text)
  const known = getOrInsert(cache, schema, () => new Cache<Document>(MAX_CACHED))
  return known.of(text, () => makeDocument(schema, text))
}

/**
 * The operation that is meant. (docs/reference/api/graphql.md#endpoint)
 * @throws DocumentRefused
 */
export function findOperation({ operations }: Document, name: string | undefined): OperationDefinitionNode {
  const operation = operations.find((one) => name === undefined || one.name?.value === name)
  if (name === undefined && operations.length > 1) {
    throw refused(
      'OperationNotSupported',
      'The document has several operations: operationName has to say which one',
    )
  }
  if (operation === undefined) {
    throw refused(
      'OperationNotSupported',
      name === undefined
        ? 'The document has no operation'
        : `Unknown operation named '${name.slice(0, 255)}'`,
    )
  }
  return operation
}
