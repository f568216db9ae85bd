import {
  DirectiveLocation,
  type GraphQLAbstractType,
  GraphQLDirective,
  type GraphQLFieldConfigMap,
  type GraphQLInputObjectType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isInterfaceType,
  isObjectType,
  specifiedDirectives,
} from 'graphql'
import { type ApiVersion, changesOf, hasChange } from '../../base/api-version.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { NAME_ENTITY } from '../../schema/name-entity.sql.ts'
import type { SchemaSnapshot } from '../../schema/snapshot.ts'
import {
  ObjectInfo,
  ObjectInfoInput,
  PicklistField,
  PlainField,
  RelatedListInfo,
} from '../metadata/object-info-types.ts'
import { connectionArguments } from './connection-arguments.ts'
import { connectionType, recordEdgeType } from './connection-types.ts'
import { filterType } from './filter-types.ts'
import {
  createInput,
  createPayload,
  createRepresentation,
  mutationType,
  updateInput,
  updatePayload,
  updateRepresentation,
} from './mutation-types.ts'
import { nodeType } from './node-types.ts'
import { orderType } from './order-types.ts'
import { type Makers, OrgTypes, TYPE_KINDS } from './org-types.ts'
import { SCALARS } from './scalars.ts'

/** Types that no other one leads to. */
const STATIC = [...Object.values(SCALARS), PicklistField, PlainField]

/** A field that somebody may lack is left out instead of refusing the document. (contract/graphql 9) */
const OPTIONAL = new GraphQLDirective({
  name: 'optional',
  description: 'Leaves the field out where it is not there for whoever asks.',
  locations: [DirectiveLocation.FIELD],
})

/** `uiapi { query { ... } }`: a connection for each object. */
function recordQuery(types: OrgTypes): GraphQLObjectType {
  return new GraphQLObjectType({
    name: 'RecordQuery',
    fields: () =>
      Object.fromEntries(
        types.schema.objects.map((object) => [
          object.name,
          {
            type: types.of(object, 'connection'),
            args: connectionArguments(types, object),
          },
        ]),
      ),
  })
}

function queryType(types: OrgTypes): GraphQLObjectType {
  const name = { type: new GraphQLNonNull(GraphQLString) }
  const uiapi = new GraphQLObjectType({
    name: 'UIAPI',
    fields: () => ({
      ...families(types),
      objectInfos: {
        type: new GraphQLList(ObjectInfo),
        args: {
          apiNames: { type: new GraphQLList(GraphQLString) },
          locale: { type: GraphQLString },
          ...(hasChange(types.version, 'graphqlPicklistValues')
            ? { objectInfoInputs: { type: INPUTS } }
            : {}),
        },
      },
      relatedListByName: { type: RelatedListInfo, args: { parentApiName: name, relatedListName: name } },
      ...currentUser(types),
    }),
  })
  return new GraphQLObjectType({
    name: 'Query',
    fields: { uiapi: { type: new GraphQLNonNull(uiapi) } },
  })
}

/** Somebody who sees no object at all has none to query. */
function families(types: OrgTypes): GraphQLFieldConfigMap<unknown, unknown> {
  if (types.schema.objects.length === 0) return {}
  return { query: { type: new GraphQLNonNull(recordQuery(types)) } }
}

const INPUTS = new GraphQLList(new GraphQLNonNull(ObjectInfoInput))

function currentUser(types: OrgTypes): GraphQLFieldConfigMap<unknown, unknown> {
  const user = types.schema.object('User')
  return user === undefined ? {} : { currentUser: { type: types.of(user, 'node') } }
}

/**
 * The schema of an org as somebody sees it. Its types come into being when a document names them; a whole schema, with
 * all of them, is made only for those who look at it as such.
 */
export class OrgSchema extends GraphQLSchema {
  readonly types: OrgTypes
  readonly #query: GraphQLObjectType
  readonly #mutation: GraphQLObjectType | undefined
  #whole: GraphQLSchema | undefined

  constructor(schema: SchemaSnapshot, version: ApiVersion) {
    const directives = hasChange(version, 'graphqlOptionalFields')
      ? [...specifiedDirectives, OPTIONAL]
      : specifiedDirectives
    super({ directives, types: STATIC, assumeValid: true })
    this.types = new OrgTypes(schema, version, MAKERS)
    this.#query = queryType(this.types)
    this.#mutation = hasChange(version, 'graphqlMutations') ? mutationType(this.types) : undefined
  }

  /** The same with all types in it: for introspection. */
  get whole(): GraphQLSchema {
    this.#whole ??= new GraphQLSchema({
      query: this.#query,
      mutation: this.#mutation,
      types: STATIC,
      directives: this.getDirectives(),
      assumeValid: true,
    })
    return this.#whole
  }

  override getQueryType(): GraphQLObjectType {
    return this.#query
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.#mutation
  }

  override getType(name: string): GraphQLNamedType | undefined {
    if (name === this.types.record.name) return this.types.record
    // A name that belongs to no object is rare: all types together know it.
    return super.getType(name) ?? this.types.known(name) ?? this.#made(name) ?? this.whole.getType(name)
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
  createInput,
  createRepresentation,
  createPayload,
  updateInput,
  updateRepresentation,
  updatePayload,
}

const schemas = new WeakMap<SchemaSnapshot, Map<string, OrgSchema>>()

/** @param visible what whoever asks may see: what it lacks does not exist */
export function orgSchema(visible: SchemaSnapshot, version: ApiVersion): OrgSchema {
  const known = getOrInsert(schemas, visible, () => new Map<string, OrgSchema>())
  return getOrInsert(known, changesOf(version), () => new OrgSchema(visible, version))
}
