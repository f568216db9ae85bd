import fc from 'fast-check'
import {
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
} from 'graphql'

/** A document that is valid in a schema. */
interface RandomDocument {
  readonly text: string
  /** Connections in it, those inside records too: it may be sent no more statements than these. */
  readonly connections: number
}

type Generate = fc.GeneratorValue

/** How deep selections and values go. */
const DEEPEST = 7
const DEEPEST_VALUE = 4

const TEXTS = [
  '',
  'a',
  'A%',
  "O'Neil",
  '%_\\',
  '001000000000001',
  '005000000000001AAA',
  'ÅÆ漢字🙂',
  '--',
  '1e3',
]

/** A text of the kind that a scalar takes. */
const SCALARS: Readonly<Record<string, readonly string[]>> = {
  Int: ['0', '1', '2', '-5', '2147483647'],
  Float: ['0', '59.9', '-1.5', '1e10'],
  Boolean: ['true', 'false'],
  Long: ['0', '12', '999999999999'],
  Double: ['0', '-1.5', '"2.25"', '1e300'],
  Currency: ['0', '100.50', '"7"'],
  Percent: ['50', '"0.1"'],
  Latitude: ['59.9'],
  Longitude: ['-10.7'],
  Date: ['"2026-11-20"', '"1700-01-01"'],
  DateTime: ['"2026-11-20T10:00:00Z"', '"2024-02-29T23:59:59.999+02:00"'],
  Time: ['"10:15:00.000Z"'],
}

/** Arguments whose values mean more than their types say. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  first: ['1', '2', '5', '50', '100', '200', '200', '0'],
  after: ['"djE6MA=="', '"djE6MQ=="', '"djE6OTk5"', '"junk"'],
  upperBound: ['3', '5000'],
  ApiName: ['"AccountId"', '"Id"', '"OwnerId"', '"Nope"'],
}

/** Makes documents from the types of a schema, as a client would that knows nothing but them. */
export class RandomDocuments {
  readonly #schema: GraphQLSchema
  readonly #generate: Generate
  #connections = 0

  constructor(schema: GraphQLSchema, generate: Generate) {
    this.#schema = schema
    this.#generate = generate
  }

  /** Selections below one member of `uiapi`. */
  make(member: 'query' | 'aggregate'): RandomDocument {
    const uiapi = this.#schema.getType('UIAPI')
    if (!isObjectType(uiapi)) throw new Error('there is no UIAPI')
    const family = getNamedType(uiapi.getFields()[member]!.type)
    const text = `query { uiapi { ${member} ${this.#selection(family, 0)} } }`
    return { text, connections: this.#connections }
  }

  #one<T>(values: readonly T[]): T {
    return values[this.#generate(fc.integer, { min: 0, max: values.length - 1 })]!
  }

  #chance(percent: number): boolean {
    return this.#generate(fc.integer, { min: 0, max: 99 }) < percent
  }

  #selection(type: GraphQLNamedType, depth: number): string {
    const members: string[] = []
    if (isUnionType(type)) {
      const one = this.#one(type.getTypes())
      members.push(`... on ${one.name} ${this.#selection(one, depth)}`)
      if (this.#chance(30)) members.push('__typename')
      return `{ ${members.join(' ')} }`
    }
    if (!isObjectType(type) && !isInterfaceType(type)) return ''
    const fields = Object.values(type.getFields()).filter((field) => depth < DEEPEST || isLeaf(field.type))
    const count = this.#generate(fc.integer, { min: 1, max: 3 })
    for (let n = 0; n < count && fields.length > 0; n++) {
      const field = this.#one(fields)
      const inner = getNamedType(field.type)
      if (/Connection$/.test(inner.name)) this.#connections++
      // Each under a key of its own: two of one name could ask for different things.
      const key = `k${depth}_${n}`
      members.push(
        `${key}: ${field.name}${this.#arguments(field.args)}${this.#directive()} ${this.#selection(inner, depth + 1)}`,
      )
    }
    return `{ ${members.length === 0 ? '__typename' : members.join(' ')} }`
  }

  #directive(): string {
    return this.#chance(5) ? this.#one([' @include(if: true)', ' @skip(if: false)', ' @optional']) : ''
  }

  #arguments(args: readonly GraphQLArgument[]): string {
    const given = args.filter(({ type }) => isNonNullType(type) || this.#chance(25))
    if (given.length === 0) return ''
    return `(${given.map(({ name, type }) => `${name}: ${this.#value(name, type, 0)}`).join(', ')})`
  }

  #value(name: string, type: GraphQLInputType, depth: number, filled = false): string {
    if (isNonNullType(type)) return this.#value(name, type.ofType, depth, true)
    if (ARGUMENTS[name] !== undefined) return this.#one(ARGUMENTS[name])
    if (!filled && this.#chance(3)) return 'null'
    if (isListType(type)) {
      const count = this.#generate(fc.integer, { min: 0, max: 2 })
      return `[${Array.from({ length: count }, () => this.#value(name, type.ofType, depth + 1)).join(', ')}]`
    }
    if (isEnumType(type)) return this.#one(type.getValues()).name
    if (!isInputObjectType(type)) {
      const known = SCALARS[type.name]
      return known === undefined ? JSON.stringify(this.#one(TEXTS)) : this.#one(known)
    }
    const all = Object.values(type.getFields())
    const required = all.filter((field) => isNonNullType(field.type))
    const open = depth < DEEPEST_VALUE && all.length > required.length
    const more = open ? [this.#one(all.filter((field) => !isNonNullType(field.type)))] : []
    const members = [...required, ...more]
    return `{${members.map((field) => `${field.name}: ${this.#value(field.name, field.type, depth + 1)}`).join(', ')}}`
  }
}

const isLeaf = (type: GraphQLOutputType) => {
  const named = getNamedType(type)
  return !isObjectType(named) && !isInterfaceType(named) && !isUnionType(named)
}
