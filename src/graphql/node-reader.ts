import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import { sql } from '../base/sql.ts'
import type { Field } from '../schema/field.ts'
import { NAME_ENTITY } from '../schema/name-entity.sql.ts'
import type { ObjectType } from '../schema/object-type.ts'
import { columnOf, selectOperand } from '../soql/operand.sql.ts'
import type { FieldRef, Source } from '../soql/plan.ts'
import type { Scope } from '../soql/scope.ts'
import { collectFields, namesType, type Reading, type Selected, setsOf } from './collect-fields.ts'
import type { Columns } from './columns.ts'
import { followParent } from './follow-parent.ts'
import { type Member, membersOf } from './members.ts'
import { constant, type Read, readObject } from './read-object.ts'
import { readValue } from './read-value.ts'
import { COMPOUND_TYPES, VALUE_TYPES } from './types/value-types.ts'
import { argumentsOf } from './variables.ts'

/** Makes the reader of child records that stand in a node. */
export type CompileChildren = (
  member: Member & { readonly kind: 'children' },
  selected: Selected,
  parent: Source,
) => Read

/** Where a selection of a record is turned into columns and a reader of them. */
export interface NodePlace {
  readonly reading: Reading
  readonly scope: Scope
  readonly columns: Columns
  readonly compileChildren: CompileChildren
}

/** The record type of records that are of none. */
const MASTER_RECORD_TYPE = '012000000000000AAA'
const typeOf = ({ reading: { schema } }: NodePlace, object: ObjectType): GraphQLObjectType =>
  schema.types.of(object, 'node')

/** Compiles selections of records of one statement. */
export class NodeCompiler {
  readonly #place: NodePlace

  constructor(place: NodePlace) {
    this.#place = place
  }

  /** A record of a source; null where the source has none. */
  read(source: Source, sets: readonly SelectionSetNode[]): Read {
    const { reading } = this.#place
    return this.#object(source, collectFields(reading, typeOf(this.#place, source.object), sets))
  }

  #object(source: Source, selected: readonly Selected[]): Read {
    const object = readObject(selected.map((field) => [field.key, this.#member(source, field)]))
    const id = this.#place.columns.place(sql.id(source.alias, 'id'))
    if (source.via === undefined) return object
    return (row, reading) => (row[id] === null ? null : object(row, reading))
  }

  #column(ref: FieldRef): number {
    return this.#place.columns.place(selectOperand({ kind: 'field', ...ref }, undefined))
  }

  #member(source: Source, selected: Selected): Read {
    const { object } = source
    if (selected.name === '__typename') return constant(object.name)
    const member = membersOf(object, this.#place.reading.schema.types.schema).get(selected.name)!
    switch (member.kind) {
      case 'id':
        return this.#plain(sql.id(source.alias, 'id'))
      case 'apiName':
        return this.#apiName(source)
      case 'etag':
        return this.#etag(source, member.field)
      case 'display':
        return member.field === undefined
          ? constant(null)
          : this.#plain(columnOf({ source, field: member.field }))
      case 'value':
        return this.#value(source, member, selected)
      case 'compound':
        return this.#compound(source, member, selected)
      case 'parent':
        return this.#parent(source, member.field, member.object, selected)
      case 'anyParent':
        return this.#anyParent(source, member, selected)
      case 'children':
        return this.#place.compileChildren(member, selected, source)
    }
  }

  #plain(column: Parameters<Columns['place']>[0]): Read {
    const place = this.#place.columns.place(column)
    return (row) => row[place]
  }

  /** Behind a reference to several objects the id tells. */
  #apiName({ object, alias }: Source): Read {
    if (object !== NAME_ENTITY) return constant(object.name)
    const id = this.#place.columns.place(sql.id(alias, 'id'))
    const { schema } = this.#place.reading.schema.types
    return (row) => schema.objectOfId(row[id] as string)?.name ?? object.name
  }

  #etag(source: Source, field: Field | undefined): Read {
    if (field === undefined) return constant(0)
    const place = this.#column({ source, field })
    return (row) => Date.parse(String(row[place]).replace(/([+-]\d\d)$/, '$1:00'))
  }

  #value(source: Source, { field, values }: Member & { kind: 'value' }, selected: Selected): Read {
    const { reading } = this.#place
    const inner = collectFields(reading, VALUE_TYPES[values], setsOf(selected))
    const column = field === undefined ? undefined : this.#column({ source, field })
    if (field?.type.graphql === 'Base64') return this.#address(source, field, inner)
    const read = readValue(inner, values, field, column)
    const fallback = argumentsOf(selected.nodes[0]!.arguments, reading.variables).fallback === true
    if (!fallback) return read
    const master = readValue(inner, values, field, 0)
    return (row, how) =>
      column === undefined || row[column] === null ? master([MASTER_RECORD_TYPE], how) : read(row, how)
  }

  /** Bytes are shown as the address where they are. */
  #address(source: Source, field: Field, selected: readonly Selected[]): Read {
    const [id, column] = [
      this.#place.columns.place(sql.id(source.alias, 'id')),
      this.#column({ source, field }),
    ]
    const read = readValue(selected, 'Base64', field, 0)
    return (row, how) => {
      const url = `${how.versionPath}/sobjects/${source.object.name}/${row[id]}`
      return read([field.type.read!(row[column]!, url, field) as string | null], how)
    }
  }

  #compound(source: Source, { field, type }: Member & { kind: 'compound' }, selected: Selected): Read {
    const { reading } = this.#place
    const compound = COMPOUND_TYPES[type]
    const members = collectFields(reading, compound, setsOf(selected)).map((part): [string, Read] => {
      if (part.name === '__typename') return [part.key, constant(compound.name)]
      const { kind, of } = partOf(field, part.name)
      const inner = collectFields(reading, VALUE_TYPES[kind], setsOf(part))
      return [part.key, readValue(inner, kind, of, of && this.#column({ source, field: of }))]
    })
    return readObject(members)
  }

  #parent(source: Source, field: Field, object: ObjectType, selected: Selected): Read {
    return this.read(followParent(this.#place.scope, { source, field }, object), setsOf(selected))
  }

  /**
   * The parent as the object that it is, where the selection names that one or asks for more than every Name has; else
   * as a Name. (contract/graphql 3.4)
   */
  #anyParent(source: Source, { field, targets }: Member & { kind: 'anyParent' }, selected: Selected): Read {
    const { reading, scope, columns } = this.#place
    const sets = setsOf(selected)
    const via = { source, field }
    const named = (object: ObjectType) => namesType(reading, sets, object.name)
    const asName = named(NAME_ENTITY)
    const readers = new Map<string, Read>()
    let names: Source | undefined
    for (const target of targets) {
      const fields = collectFields(reading, typeOf(this.#place, target), sets)
      const own = named(target) || (!asName && !fields.every(({ name }) => NAME_HAS.includes(name)))
      if (own && fields.length > 0) {
        readers.set(target.name, this.#object(followParent(scope, via, target), fields))
      } else if (!own) {
        names ??= scope.parentOf(via, 0)
        const seen = asName ? collectFields(reading, typeOf(this.#place, NAME_ENTITY), sets) : fields
        readers.set(target.name, this.#object(names, seen.map(asName ? (one) => one : typeNamed)))
      }
    }
    const reference = columns.place(columnOf(via))
    const { schema } = reading.schema.types
    return (row, how) => {
      const id = row[reference] as string | null
      const object = id === null ? undefined : schema.objectOfId(id)
      if (object === undefined) return null
      const read = readers.get(object.name)
      return read === undefined ? {} : read(row, how)
    }
  }
}

/** What the Name entity knows of every object. */
const NAME_HAS = ['__typename', 'Id', 'ApiName', 'DisplayValue']
/** Where the selection does not know the parent as a Name, it still has the type of what it is. */
const typeNamed = (selected: Selected): Selected =>
  selected.name === '__typename' ? { ...selected, name: 'ApiName' } : selected

/** A part of a compound field by the name that it is shown under. */
function partOf(field: Field, name: string): { kind: keyof typeof VALUE_TYPES; of: Field | undefined } {
  const of = field.parts.find((part) =>
    part.name.replace(/__s$/, '').toLowerCase().endsWith(name.toLowerCase()),
  )
  switch (name) {
    case 'latitude':
      return { kind: 'Latitude', of }
    case 'longitude':
      return { kind: 'Longitude', of }
    case 'street':
      return { kind: 'TextArea', of }
    case 'geocodeAccuracy':
      return { kind: 'Picklist', of }
    default:
      return { kind: 'String', of }
  }
}
