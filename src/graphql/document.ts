import {
  type ASTNode,
  type DocumentNode,
  FieldsOnCorrectTypeRule,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  KnownTypeNamesRule,
  type OperationDefinitionNode,
  parse,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  VariablesInAllowedPositionRule,
  validate,
  visit,
} from 'graphql'
import { Cache } from '../base/cache.ts'
import { oncePer } from '../base/get-or-insert.ts'
import { checkNesting } from './document/check-nesting.ts'
import { countFields } from './document/count-fields.ts'
import type { Part } from './parts/part.ts'
import type { OrgSchema } from './types/org-schema.ts'
import { DocumentRefused, documentError, findLocations, makeErrorItem } from './values/graphql-error.ts'

/** Path of field names to a node. */
function formatPath(ancestors: readonly (ASTNode | readonly ASTNode[])[], node: ASTNode): string {
  return [...ancestors, node]
    .flatMap((one) => ('kind' in one && one.kind === Kind.FIELD ? [(one.alias ?? one.name).value] : []))
    .join('/')
}

/** Rejects unknown fields, unless they are requested with `@optional`. (docs/reference/api/graphql.md#errors) */
const knownFieldsRule: ValidationRule = (context) => ({
  Field(node, _key, _parent, _path, ancestors) {
    const type = context.getParentType()
    if (!type || context.getFieldDef()) return undefined
    if (node.directives?.some(({ name }) => name.value === 'optional')) return false
    const name = node.name.value
    context.reportError(
      new GraphQLError(
        `Validation error (FieldUndefined@[${formatPath(ancestors, node)}]) : Field '${name}' in type '${type.name}' is undefined`,
        { nodes: node },
      ),
    )
    return undefined
  },
})

const ID_FOR_REFERENCE = /of type "ID!?" used in position expecting type "IdOrRef!?"/

/** Checks the types of variables, but accepts ID for `IdOrRef`, as clients use it. (docs/reference/api/graphql.md#mutations) */
const lenientIdsRule: ValidationRule = (context) => {
  const lenient: ValidationContext = Object.create(context, {
    reportError: {
      value: (error: Parameters<ValidationContext['reportError']>[0]) => {
        if (!ID_FOR_REFERENCE.test(error.message)) context.reportError(error)
      },
    },
  })
  return VariablesInAllowedPositionRule(lenient)
}

/** Rejects unknown types. */
const knownTypesRule: ValidationRule = (context) => ({
  NamedType(node) {
    const name = node.name.value
    if (context.getSchema().getType(name) !== undefined) return
    context.reportError(
      new GraphQLError(`Validation error (UnknownType) : Unknown type '${name}'`, { nodes: node }),
    )
  },
})

/** A document that is valid in a schema. */
export interface Document {
  readonly node: DocumentNode
  readonly operations: readonly OperationDefinitionNode[]
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>
  /** Names of the variables in `@skip`, `@include` and `fallback`. */
  readonly switches: readonly string[]
  /** Compiled operations, by operation and values of the switches. */
  readonly programs: Cache<Part>
}

/** Maximum characters of a document, as of a SOQL query: each error's place takes the time of all lines before it. */
const MAX_LENGTH = 100_000
/** Maximum tokens of a document: the cost of validation grows faster than linearly. */
const MAX_TOKENS = 10_000
const MAX_ERRORS = 20
/** Maximum fields of a document, with the fields of a fragment counted once per spread. */
const MAX_FIELDS = 10_000
/** Maximum fragments: validation compares them in pairs. */
const MAX_FRAGMENTS = 300

const REPLACED = new Map([
  [FieldsOnCorrectTypeRule, knownFieldsRule],
  [KnownTypeNamesRule, knownTypesRule],
  [VariablesInAllowedPositionRule, lenientIdsRule],
])

const RULES = specifiedRules.map((rule) => REPLACED.get(rule) ?? rule)

/** The token of a syntax error. */
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
    throw documentError('InvalidSyntax', `${where}: ${error.message}`, { locations: [location] })
  }
}

/** Arguments that change the compiled program, not the values that it runs with. */
const SWITCHES = ['if', 'fallback']

/** The variables of `@skip(if: $x)`, `@include(if: $x)` and `RecordTypeId(fallback: $x)`. */
function findSwitches(node: DocumentNode): string[] {
  const names = new Set<string>()
  visit(node, {
    Argument({ name, value }) {
      if (SWITCHES.includes(name.value) && value.kind === Kind.VARIABLE) names.add(value.name.value)
    },
  })
  return [...names]
}

/** Rejects operations of kinds that the schema does not have. */
function checkKinds(schema: OrgSchema, { definitions }: DocumentNode): void {
  for (const definition of definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    if (schema.getRootType(definition.operation)) continue
    throw documentError('OperationNotSupported', `Schema is not configured for ${definition.operation}s.`)
  }
}

/** graphql-js aborts validation where one field is repeated very often. */
const formatMessage = ({ message }: GraphQLError) =>
  message === 'Validation aborted.' ? 'The document is too complicated: write each field once' : message

function makeDocument(schema: OrgSchema, text: string): Document {
  if (text.length > MAX_LENGTH) {
    throw documentError('ValidationError', `The document is longer than ${MAX_LENGTH} characters`)
  }
  const node = parseDocument(text)
  checkKinds(schema, node)
  const fragmentCount = node.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION).length
  if (fragmentCount > MAX_FRAGMENTS) {
    throw documentError('ValidationError', `The document has more than ${MAX_FRAGMENTS} fragments`)
  }
  if (countFields(node) > MAX_FIELDS) {
    throw documentError(
      'ValidationError',
      `The document asks for more than ${MAX_FIELDS} fields, counting those of a fragment wherever it is spread`,
    )
  }
  const errors = validate(schema, node, RULES, { maxErrors: MAX_ERRORS, hideSuggestions: true })
  if (errors.length > 0) {
    throw new DocumentRefused(
      errors.map((error) =>
        makeErrorItem('ValidationError', formatMessage(error), { locations: findLocations(error) }),
      ),
    )
  }
  const operations: OperationDefinitionNode[] = []
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const definition of node.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
    else if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition)
  }
  return { node, operations, fragments, switches: findSwitches(node), programs: new Cache(MAX_PROGRAMS) }
}

/** Maximum cached documents per schema, and programs per document. */
const MAX_CACHED = 200
const MAX_PROGRAMS = 10

const documentsOf = oncePer<OrgSchema, Cache<Document>>(() => new Cache(MAX_CACHED))

/**
 * Parses and validates a document. Cached per schema.
 * @throws DocumentRefused
 */
export const getDocument = (schema: OrgSchema, text: string): Document =>
  documentsOf(schema).of(text, () => makeDocument(schema, text))

/**
 * The operation to run. (docs/reference/api/graphql.md#endpoint)
 * @throws DocumentRefused
 */
export function findOperation({ operations }: Document, name: string | undefined): OperationDefinitionNode {
  const operation = operations.find((one) => name === undefined || one.name?.value === name)
  if (name === undefined && operations.length > 1) {
    throw documentError(
      'OperationNotSupported',
      'The document has several operations: operationName has to say which one',
    )
  }
  if (operation === undefined) {
    throw documentError(
      'OperationNotSupported',
      name === undefined
        ? 'The document has no operation'
        : `Unknown operation named '${name.slice(0, 255)}'`,
    )
  }
  return operation
}
