import {
  DirectiveLocation,
  type GraphQLAbstractType,
  GraphQLDirective,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  isInterfaceType,
  isObjectType,
  specifiedDirectives,
} from 'graphql'
import { type ApiVersion, changesOf, hasChange } from '../../base/api-version.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { MAKERS } from './makers.ts'
import { mutationType } from './mutation-types.ts'
import { OrgTypes, TYPE_KINDS } from './org-types.ts'
import { queryType } from './query-type.ts'
import { sharedTypes } from './shared-types.ts'

/** A field that somebody may lack is left out instead of refusing the document. (docs/reference/api/graphql.md#errors) */
const OPTIONAL = new GraphQLDirective({
  name: 'optional',
  description: 'Leaves the field out where it is not there for whoever asks.',
  locations: [DirectiveLocation.FIELD],
})

/** The operations of a schema. */
function rootsOf(types: OrgTypes) {
  const mutation = hasChange(types.version, 'graphqlMutations') ? mutationType(types) : undefined
  return { query: queryType(types), mutation }
}

const fieldsOf = (type: GraphQLObjectType | GraphQLInputObjectType) => type.getFields()

/**
 * The schema of an org as somebody sees it. Its types come into being when a document names them; a whole schema, with
 * all of them, is made only for those who look at it as such.
 */
export class OrgSchema extends GraphQLSchema {
  readonly types: OrgTypes
  readonly #query: GraphQLObjectType
  readonly #mutation: GraphQLObjectType | undefined
  /** It is large and seldom asked for: it goes when the memory is needed. */
  #whole: WeakRef<GraphQLSchema> | undefined

  constructor(schema: SchemaSnapshot, version: ApiVersion) {
    const directives = hasChange(version, 'graphqlOptionalFields')
      ? [...specifiedDirectives, OPTIONAL]
      : specifiedDirectives
    super({ directives, types: sharedTypes(version), assumeValid: true })
    this.types = new OrgTypes(schema, version, MAKERS)
    const { query, mutation } = rootsOf(this.types)
    this.#query = query
    this.#mutation = mutation
  }

  /** The same, with all types in it, which are others than those of this one: for introspection. It pauses between objects. */
  *makeWhole(): Generator<void, GraphQLSchema> {
    const known = this.#whole?.deref()
    if (known !== undefined) return known
    const { schema, version } = this.types
    const types = new OrgTypes(schema, version, MAKERS)
    for (const object of this.#objects()) {
      for (const kind of TYPE_KINDS) fieldsOf(types.of(object, kind))
      yield
    }
    const made = new GraphQLSchema({
      ...rootsOf(types),
      types: sharedTypes(version),
      directives: this.getDirectives(),
      assumeValid: true,
    })
    this.#whole = new WeakRef(made)
    return made
  }

  override getQueryType(): GraphQLObjectType {
    return this.#query
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#mutation
  }

  override getType(name: string): GraphQLNamedType | undefined {
    return super.getType(name) ?? this.types.known(name) ?? this.#made(name)
  }

  override getPossibleTypes(abstract: GraphQLAbstractType): readonly GraphQLObjectType[] {
    if (abstract instanceof GraphQLUnionType) return abstract.getTypes()
    return abstract === this.types.record
      ? this.#objects().map((object) => this.types.of(object, 'node'))
      : super.getPossibleTypes(abstract)
  }

  override isSubType(abstract: GraphQLAbstractType, type: GraphQLNamedType): boolean {
    if (abstract instanceof GraphQLUnionType)
      return (abstract.getTypes() as readonly unknown[]).includes(type)
    return (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().includes(abstract)
  }

  #objects(): readonly ObjectType[] {
    return [...this.types.schema.objects, NAME_ENTITY]
  }

  /** A type that nobody asked for yet: those of the objects whose names it starts with are made. */
  #made(name: string): GraphQLNamedType | undefined {
    for (const object of this.#objects()) {
      // Those whose names are made of an object's and a relationship's come with its fields; scopes are in upper case.
      if (!name.toLowerCase().startsWith(object.name.toLowerCase())) continue
      for (const kind of TYPE_KINDS) fieldsOf(this.types.of(object, kind))
    }
    if (this.types.known(name) === undefined)
      for (const root of [this.#query, this.#mutation]) root?.getFields()
    return this.types.known(name)
  }
}

const schemas = new WeakMap<SchemaSnapshot, Map<string, OrgSchema>>()

/** @param visible what whoever asks may see: what it lacks does not exist */
export function orgSchema(visible: SchemaSnapshot, version: ApiVersion): OrgSchema {
  const known = getOrInsert(schemas, visible, () => new Map<string, OrgSchema>())
  return getOrInsert(known, changesOf(version), () => new OrgSchema(visible, version))
}
