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
import { type ApiVersion, getChanges, hasChange } from '../../base/api-version.ts'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import { isQueryable } from '../../schema/describe/describe-object.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import { buildSnapshot, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { describeObjectType, describeOtherTypes } from './descriptions.ts'
import { MAKERS } from './makers.ts'
import { makeMutationType } from './mutation-types.ts'
import { OrgTypes, TYPE_KINDS } from './org-types.ts'
import { makeQueryType } from './query-type.ts'
import { getSharedTypes } from './shared-types.ts'

/** Omits a field that the user cannot see instead of rejecting the document. (docs/reference/api/graphql.md#errors) */
const OPTIONAL = new GraphQLDirective({
  name: 'optional',
  description: 'Omits the field where the user cannot see it.',
  locations: [DirectiveLocation.FIELD],
})

/** The root types of a schema. */
function makeRoots(types: OrgTypes) {
  const mutation = hasChange(types.version, 'graphqlMutations') ? makeMutationType(types) : undefined
  return { query: makeQueryType(types), mutation }
}

const buildFields = (type: GraphQLObjectType | GraphQLInputObjectType) => type.getFields()

/**
 * The schema of an org as a user sees it. Types are made when a document first names them; the full schema, with
 * all types, only for introspection.
 */
export class OrgSchema extends GraphQLSchema {
  readonly types: OrgTypes
  readonly #query: GraphQLObjectType
  readonly #mutation: GraphQLObjectType | undefined
  /** Weak, because it is large and seldom requested. */
  full: WeakRef<GraphQLSchema> | undefined

  constructor(schema: SchemaSnapshot, version: ApiVersion) {
    const directives = hasChange(version, 'graphqlOptionalFields')
      ? [...specifiedDirectives, OPTIONAL]
      : specifiedDirectives
    super({ directives, types: getSharedTypes(version), assumeValid: true })
    this.types = new OrgTypes(schema, version, MAKERS)
    const { query, mutation } = makeRoots(this.types)
    this.#query = query
    this.#mutation = mutation
  }

  /** The schema with all its types, for introspection; they are separate from the types of this one. Yields after each object. */
  *makeWhole(): Generator<void, GraphQLSchema> {
    const known = this.full?.deref()
    if (known !== undefined) return known
    const { schema, version } = this.types
    const types = new OrgTypes(schema, version, MAKERS)
    for (const object of this.#objects()) {
      for (const kind of TYPE_KINDS) describeObjectType(types, object, kind)
      yield
    }
    const made = new GraphQLSchema({
      ...makeRoots(types),
      types: getSharedTypes(version),
      directives: this.getDirectives(),
      assumeValid: true,
    })
    yield* describeOtherTypes(types, made)
    this.full = new WeakRef(made)
    return made
  }

  override getQueryType(): GraphQLObjectType {
    return this.#query
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#mutation
  }

  override getType(name: string): GraphQLNamedType | undefined {
    return super.getType(name) ?? this.types.find(name) ?? this.makeTypesOf(name)
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

  /** Makes a type on first use: all types of the objects whose names are a prefix of its name. */
  makeTypesOf(name: string): GraphQLNamedType | undefined {
    for (const object of this.#objects()) {
      // Types named after a relationship are made with the object's fields. Names of scopes are in upper case.
      if (!name.toLowerCase().startsWith(object.name.toLowerCase())) continue
      for (const kind of TYPE_KINDS) buildFields(this.types.of(object, kind))
    }
    if (this.types.find(name) === undefined)
      for (const root of [this.#query, this.#mutation]) root?.getFields()
    return this.types.find(name)
  }
}

/** A connection needs no filter. */
const withQueryable = ({ version, changedAt, objects }: SchemaSnapshot): SchemaSnapshot =>
  buildSnapshot(version, changedAt, objects.filter(isQueryable))

const schemasOf = oncePer<SchemaSnapshot, Map<string, OrgSchema>>(() => new Map())

/** @param visible the part of the schema that the user may see: the rest does not exist */
export function getOrgSchema(visible: SchemaSnapshot, version: ApiVersion): OrgSchema {
  return getOrInsert(
    schemasOf(visible),
    getChanges(version),
    () => new OrgSchema(withQueryable(visible), version),
  )
}
