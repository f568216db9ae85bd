import {
  DirectiveLocation,
  type GraphQLAbstractType,
  GraphQLDirective,
  type GraphQLFieldConfig,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLUnionType,
  isInterfaceType,
  isObjectType,
  specifiedDirectives,
} from 'graphql'
import { type ApiVersion, changesOf, hasChange } from '../../base/api-version.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { NAME_ENTITY } from '../../schema/name-entity.sql.ts'
import type { ObjectType } from '../../schema/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot.ts'
import { aggregateOrderType } from './aggregate-order-types.ts'
import { aggregateConnectionType, aggregateEdgeType, aggregateType, resultType } from './aggregate-types.ts'
import { aggregateArguments, connectionArguments } from './connection-arguments.ts'
import { connectionType, recordEdgeType } from './connection-types.ts'
import { filterType } from './filter-types.ts'
import { groupByType } from './group-by-types.ts'
import { nodeType } from './node-types.ts'
import { orderType } from './order-types.ts'
import { type Makers, OrgTypes, TYPE_KINDS } from './org-types.ts'
import { SCALARS } from './scalars.ts'
import { sharedTypes } from './shared-types.ts'

/** A field that somebody may lack is left out instead of refusing the document. (contract/graphql 9) */
const OPTIONAL = new GraphQLDirective({
  name: 'optional',
  description: 'Leaves the field out where it is not there for whoever asks.',
  locations: [DirectiveLocation.FIELD],
})

type Output = GraphQLFieldConfig<unknown, unknown>

/** A type with a field for each object. */
function familyType(types: OrgTypes, name: string, field: (object: ObjectType) => Output): GraphQLObjectType {
  const fields = () => Object.fromEntries(types.schema.objects.map((object) => [object.name, field(object)]))
  return types.once(name, () => new GraphQLObjectType({ name, fields }))
}

/** `uiapi { query { ... } }` */
const recordQuery = (types: OrgTypes) =>
  familyType(types, 'RecordQuery', (object) => ({
    type: types.of(object, 'connection'),
    args: connectionArguments(types, object),
  }))

/** `uiapi { aggregate { ... } }` */
const recordQueryAggregate = (types: OrgTypes) =>
  familyType(types, 'RecordQueryAggregate', (object) => ({
    type: types.of(object, 'aggregateConnection'),
    args: aggregateArguments(types, object),
  }))

function queryType(types: OrgTypes): GraphQLObjectType {
  const uiapi = types.once(
    'UIAPI',
    (name) =>
      new GraphQLObjectType({
        name,
        fields: {
          query: { type: new GraphQLNonNull(recordQuery(types)) },
          ...(hasChange(types.version, 'graphqlAggregates')
            ? { aggregate: { type: new GraphQLNonNull(recordQueryAggregate(types)) } }
            : {}),
        },
      }),
  )
  const fields = { uiapi: { type: new GraphQLNonNull(uiapi) } }
  return types.once('Query', (name) => new GraphQLObjectType({ name, fields }))
}

/**
 * The schema of an org as somebody sees it. Its types come into being when a document names them; a whole schema, with
 * all of them, is made only for those who look at it as such.
 */
export class OrgSchema extends GraphQLSchema {
  readonly types: OrgTypes
  readonly #query: GraphQLObjectType
  #whole: GraphQLSchema | undefined

  constructor(schema: SchemaSnapshot, version: ApiVersion) {
    const directives = hasChange(version, 'graphqlOptionalFields')
      ? [...specifiedDirectives, OPTIONAL]
      : specifiedDirectives
    super({ directives, types: sharedTypes(version), assumeValid: true })
    this.types = new OrgTypes(schema, version, MAKERS)
    this.#query = queryType(this.types)
  }

  /** The same with all types in it: for introspection. */
  get whole(): GraphQLSchema {
    this.#whole ??= new GraphQLSchema({
      query: this.#query,
      types: [...Object.values(SCALARS)],
      directives: this.getDirectives(),
      assumeValid: true,
    })
    return this.#whole
  }

  override getQueryType(): GraphQLObjectType {
    return this.#query
  }

  override getType(name: string): GraphQLNamedType | undefined {
    return super.getType(name) ?? this.types.known(name) ?? this.#made(name)
  }

  override getPossibleTypes(abstract: GraphQLAbstractType): readonly GraphQLObjectType[] {
    if (abstract instanceof GraphQLUnionType) return abstract.getTypes()
    return this.whole.getPossibleTypes(abstract)
  }

  override isSubType(abstract: GraphQLAbstractType, type: GraphQLNamedType): boolean {
    if (abstract instanceof GraphQLUnionType)
      return (abstract.getTypes() as readonly unknown[]).includes(type)
    return (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().includes(abstract)
  }

  /** A type that nobody asked for yet: those of the objects whose names it starts with are made. */
  #made(name: string): GraphQLNamedType | undefined {
    const objects = [...this.types.schema.objects, NAME_ENTITY]
    for (const object of objects) {
      // Those whose names are made of an object's and a relationship's come with its fields.
      if (name.startsWith(object.name)) for (const kind of TYPE_KINDS) fieldsOf(this.types.of(object, kind))
    }
    return this.types.known(name)
  }
}

const fieldsOf = (type: GraphQLObjectType | GraphQLInputObjectType) => type.getFields()

const MAKERS: Makers = {
  node: nodeType,
  connection: connectionType,
  edge: recordEdgeType,
  filter: filterType,
  order: orderType,
  aggregateConnection: aggregateConnectionType,
  aggregateEdge: aggregateEdgeType,
  result: resultType,
  aggregate: aggregateType,
  groupBy: groupByType,
  aggregateOrder: aggregateOrderType,
}

const schemas = new WeakMap<SchemaSnapshot, Map<string, OrgSchema>>()

/** @param visible what whoever asks may see: what it lacks does not exist */
export function orgSchema(visible: SchemaSnapshot, version: ApiVersion): OrgSchema {
  const known = getOrInsert(schemas, visible, () => new Map<string, OrgSchema>())
  return getOrInsert(known, changesOf(version), () => new OrgSchema(visible, version))
}
