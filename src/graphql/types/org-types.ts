import {
  GraphQLBoolean,
  GraphQLID,
  type GraphQLInputObjectType,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  GraphQLString,
  GraphQLInputObjectType as InputObjectType,
} from 'graphql'
import type { ApiVersion } from '../../base/api-version.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { RECORD_FIELDS } from '../values/members.ts'
import { makeIdOperators } from './operator-types.ts'
import { SCALARS } from './scalars.ts'
import { VALUE_TYPES } from './value-types.ts'

type Make<T extends GraphQLNamedType> = (types: OrgTypes, object: ObjectType, name: string) => T

/** The functions that make each type of an object. */
export interface Makers {
  readonly node: Make<GraphQLObjectType>
  readonly connection: Make<GraphQLObjectType>
  readonly edge: Make<GraphQLObjectType>
  readonly filter: Make<GraphQLInputObjectType>
  readonly order: Make<GraphQLInputObjectType>
  readonly createInput: Make<GraphQLInputObjectType>
  readonly createRepresentation: Make<GraphQLInputObjectType>
  readonly createPayload: Make<GraphQLObjectType>
  readonly updateInput: Make<GraphQLInputObjectType>
  readonly updateRepresentation: Make<GraphQLInputObjectType>
  readonly updatePayload: Make<GraphQLObjectType>
  readonly aggregateConnection: Make<GraphQLObjectType>
  readonly aggregateEdge: Make<GraphQLObjectType>
  readonly result: Make<GraphQLObjectType>
  readonly aggregate: Make<GraphQLObjectType>
  readonly groupBy: Make<GraphQLInputObjectType>
  readonly aggregateOrder: Make<GraphQLInputObjectType>
}

export type TypeKind = keyof Makers

/** Suffixes of the names of an object's types. */
const SUFFIXES: Readonly<Record<TypeKind, string>> = {
  node: '',
  connection: 'Connection',
  edge: 'Edge',
  filter: '_Filter',
  order: '_OrderBy',
  createInput: 'CreateInput',
  createRepresentation: 'CreateRepresentation',
  createPayload: 'CreatePayload',
  updateInput: 'UpdateInput',
  updateRepresentation: 'UpdateRepresentation',
  updatePayload: 'UpdatePayload',
  aggregateConnection: 'AggregateConnection',
  aggregateEdge: 'AggregateEdge',
  result: 'Result',
  aggregate: 'Aggregate',
  groupBy: '_GroupBy',
  aggregateOrder: '_AggregateOrderBy',
}

export const TYPE_KINDS = Object.keys(SUFFIXES) as readonly TypeKind[]

/**
 * The types of an org as a user sees it, made on first use: a document uses few of them, and an org may
 * have thousands.
 */
export class OrgTypes {
  readonly schema: SchemaSnapshot
  readonly version: ApiVersion
  readonly #made = new Map<string, GraphQLNamedType>()

  readonly #makers: Makers

  constructor(schema: SchemaSnapshot, version: ApiVersion, makers: Makers) {
    this.schema = schema
    this.version = version
    this.#makers = makers
  }

  /** The type with a name, made at most once. */
  getOrMake<T extends GraphQLNamedType>(name: string, make: (name: string) => T): T {
    let type = this.#made.get(name)
    if (type === undefined) {
      type = make(name)
      this.#made.set(name, type)
    }
    return type as T
  }

  /** The type that an object has of a kind. */
  of<Kind extends TypeKind>(object: ObjectType, kind: Kind): ReturnType<Makers[Kind]> {
    const make = this.#makers[kind] as Make<ReturnType<Makers[Kind]>>
    return this.getOrMake(object.name + SUFFIXES[kind], (name) => make(this, object, name))
  }

  /** A type that is made already, or one without an object. */
  find(name: string): GraphQLNamedType | undefined {
    const made = this.#made.get(name)
    return made ?? [this.record, this.idOperators, this.join].find((type) => type.name === name)
  }

  /** The interface of all records. */
  get record(): GraphQLInterfaceType {
    return this.getOrMake('Record', (name) => {
      const wrapped = Object.entries(RECORD_FIELDS).map(([field, kind]) => [
        field,
        { type: VALUE_TYPES[kind] },
      ])
      return new GraphQLInterfaceType({
        name,
        fields: {
          Id: { type: new GraphQLNonNull(GraphQLID) },
          ApiName: { type: new GraphQLNonNull(GraphQLString) },
          WeakEtag: { type: new GraphQLNonNull(SCALARS.Long) },
          DisplayValue: { type: GraphQLString },
          ...Object.fromEntries(wrapped),
          RecordTypeId: { type: VALUE_TYPES.ID, args: { fallback: { type: GraphQLBoolean } } },
        },
      })
    })
  }

  get idOperators(): GraphQLInputObjectType {
    return this.getOrMake('IdOperators', () => makeIdOperators(this.join))
  }

  /** The inner side of a semi-join: one object with its filter, and the field's name. */
  get join(): GraphQLInputObjectType {
    return this.getOrMake(
      'JoinInput',
      (name) =>
        new InputObjectType({
          name,
          fields: () => ({
            ...Object.fromEntries(
              this.schema.objects.map((object) => [object.name, { type: this.of(object, 'filter') }]),
            ),
            ApiName: { type: GraphQLString },
          }),
        }),
    )
  }
}
