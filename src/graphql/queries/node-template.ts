import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import type { Field } from '../../schema/fields/field.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { Scope } from '../../soql/analyze/scope.ts'
import { maxOperandBytes } from '../../soql/plan/operand.ts'
import type { FieldRef, Operand, Source } from '../../soql/plan/plan.ts'
import { columnOf, selectOperand } from '../../soql/sql/operand.sql.ts'
import {
  collectFields,
  type DecodeContext,
  getSelectionSets,
  namesType,
  type Selected,
} from '../document/collect-fields.ts'
import { getArguments } from '../document/variables.ts'
import { COMPOUND_TYPES, VALUE_TYPES } from '../types/value-types.ts'
import { getMembers, type Member } from '../values/members.ts'
import { getValueKind } from '../values/value-kind.ts'
import type { Columns } from './columns.ts'
import { followParent } from './follow-parent.ts'
import { Template, writePlainText, writeQuoted } from './template.ts'
import { makeValueTemplate } from './write-value.ts'

/** Makes the template of child records in a node. */
type CompileChildren = (
  member: Member & { readonly kind: 'children' },
  selected: Selected,
  parent: Source,
) => Template

/** The context for compiling the selection of a record. */
interface NodeTemplateContext {
  readonly decodeContext: DecodeContext
  readonly scope: Scope
  readonly columns: Columns
  readonly compileChildren: CompileChildren
}

/** The id of the master record type, for records without a record type. */
const MASTER_RECORD_TYPE = '012000000000000AAA'

/** Of an id in an answer. */
export const ID_BYTES = 40

/** The column of a record's id. */
export const getIdColumn = (source: Source) => columnOf({ source, field: source.object.field('Id')! })

const getNodeType = (
  { decodeContext: { schema } }: NodeTemplateContext,
  object: ObjectType,
): GraphQLObjectType => schema.types.of(object, 'node')

/** Makes templates of the records of one statement, and adds the columns and sources that they need. */
export class NodeTemplates {
  readonly context: NodeTemplateContext

  constructor(location: NodeTemplateContext) {
    this.context = location
  }

  /** A record of a source; null for a missing parent. */
  record(source: Source, sets: readonly SelectionSetNode[]): Template {
    const { decodeContext } = this.context
    return this.#object(source, collectFields(decodeContext, getNodeType(this.context, source.object), sets))
  }

  #object(source: Source, selected: readonly Selected[]): Template {
    const object = Template.object(selected.map((field) => [field.key, this.#member(source, field)]))
    if (source.via === undefined) return object
    const id = this.#id(source)
    return object.nullable((row) => row[id] === null)
  }

  #id(source: Source): number {
    return this.context.columns.getIndex(getIdColumn(source), ID_BYTES)
  }

  #column(ref: FieldRef): number {
    const operand: Operand = { kind: 'field', ...ref }
    return this.context.columns.getIndex(selectOperand(operand, undefined), maxOperandBytes(operand))
  }

  #member(source: Source, selected: Selected): Template {
    const { object } = source
    if (selected.name === '__typename') return Template.constant(object.name)
    const member = getMembers(object, this.context.decodeContext.schema.types.schema).get(selected.name)!
    switch (member.kind) {
      case 'id':
        return Template.hole(writePlainText(this.#id(source)))
      case 'apiName':
        return this.#apiName(source)
      case 'etag':
        return this.#etag(source, member.field)
      case 'display':
        if (member.field === undefined) return Template.constant(null)
        return Template.hole(writeQuoted(this.#column({ source, field: member.field })))
      case 'value':
        return this.#value(source, member, selected)
      case 'compound':
        return this.#compound(source, member, selected)
      case 'parent':
        return this.#parent(source, member.field, member.object, selected)
      case 'anyParent':
        return this.#anyParent(source, member, selected)
      case 'children':
        return this.context.compileChildren(member, selected, source)
    }
  }

  /** For a Name, the id decides which object it is. */
  #apiName(source: Source): Template {
    const { object } = source
    if (object !== NAME_ENTITY) return Template.constant(object.name)
    const id = this.#id(source)
    const { schema } = this.context.decodeContext.schema.types
    return Template.hole((row) => `"${schema.objectOfId(row[id] as string)?.name ?? object.name}"`)
  }

  #etag(source: Source, field: Field | undefined): Template {
    if (field === undefined) return Template.constant(0)
    const location = this.#column({ source, field })
    return Template.hole((row) => String(Date.parse(String(row[location]).replace(/([+-]\d\d)$/, '$1:00'))))
  }

  #value(source: Source, { field, values }: Member & { kind: 'value' }, selected: Selected): Template {
    const { decodeContext } = this.context
    const inner = collectFields(decodeContext, VALUE_TYPES[values], getSelectionSets(selected))
    const column = field === undefined ? undefined : this.#column({ source, field })
    if (field?.type.readAsAddress === true) return this.#address(source, field, inner)
    if (field?.type.encrypted !== undefined) return this.#opened(source, field, inner)
    const template = makeValueTemplate(inner, values, field, column)
    const fallback = getArguments(selected.nodes[0]!.arguments, decodeContext.variables).fallback === true
    if (!fallback) return template
    const master = makeValueTemplate(inner, values, field, 0)
    return Template.hole((row, how) =>
      column === undefined || row[column] === null
        ? master.write([MASTER_RECORD_TYPE], how)
        : template.write(row, how),
    )
  }

  /** Binary values are returned as their address. */
  #address(source: Source, field: Field, selected: readonly Selected[]): Template {
    const id = this.#id(source)
    const column = this.#column({ source, field })
    const template = makeValueTemplate(selected, getValueKind(field)!, field, 0)
    return Template.hole((row, how) => {
      const url = `${how.versionPath}/sobjects/${source.object.name}/${row[id]}`
      return template.write([field.type.read!(row[column]!, url, field, how.origin) as string | null], how)
    })
  }

  /** Encrypted values are bound to their record's id. */
  #opened(source: Source, field: Field, selected: readonly Selected[]): Template {
    const id = this.#id(source)
    const column = this.#column({ source, field })
    const template = makeValueTemplate(selected, 'EncryptedString', field, 0)
    return Template.hole((row, how) => {
      const stored = row[column] as string | null
      const text = stored === null ? null : how.open(stored, source.object, field, row[id] as string)
      return template.write([text], how)
    })
  }

  #compound(source: Source, { field, type }: Member & { kind: 'compound' }, selected: Selected): Template {
    const { decodeContext } = this.context
    const compound = COMPOUND_TYPES[type]
    const members = collectFields(decodeContext, compound, getSelectionSets(selected)).map(
      (part): [string, Template] => {
        if (part.name === '__typename') return [part.key, Template.constant(compound.name)]
        const { kind, of } = findPart(field, part.name)
        const inner = collectFields(decodeContext, VALUE_TYPES[kind], getSelectionSets(part))
        return [part.key, makeValueTemplate(inner, kind, of, of && this.#column({ source, field: of }))]
      },
    )
    return Template.object(members)
  }

  #parent(source: Source, field: Field, object: ObjectType, selected: Selected): Template {
    return this.record(
      followParent(this.context.scope, { source, field }, object),
      getSelectionSets(selected),
    )
  }

  /**
   * The parent as its own object, if the selection names that or requests more members than the Name entity has; else
   * as a Name. (docs/reference/api/graphql.md#nodes)
   */
  #anyParent(
    source: Source,
    { field, targets }: Member & { kind: 'anyParent' },
    selected: Selected,
  ): Template {
    const { decodeContext, scope, columns } = this.context
    const sets = getSelectionSets(selected)
    const via = { source, field }
    const named = (object: ObjectType) => namesType(decodeContext, sets, object.name)
    const asName = named(NAME_ENTITY)
    const templates = new Map<string, Template>()
    let names: Source | undefined
    for (const target of targets) {
      const fields = collectFields(decodeContext, getNodeType(this.context, target), sets)
      const own = named(target) || (!asName && !fields.every(({ name }) => NAME_MEMBERS.includes(name)))
      if (own && fields.length > 0) {
        templates.set(target.name, this.#object(followParent(scope, via, target), fields))
      } else if (!own) {
        names ??= scope.joinParent(via, 0)
        const seen = asName
          ? collectFields(decodeContext, getNodeType(this.context, NAME_ENTITY), sets)
          : fields
        templates.set(target.name, this.#object(names, seen.map(asName ? (one) => one : replaceTypeName)))
      }
    }
    const reference = columns.getIndex(columnOf(via), ID_BYTES)
    const { schema } = decodeContext.schema.types
    return Template.hole((row, how) => {
      const id = row[reference] as string | null
      const object = id === null ? undefined : schema.objectOfId(id)
      if (object === undefined) return 'null'
      return templates.get(object.name)?.write(row, how) ?? '{}'
    })
  }
}

/** Members of the Name entity. */
const NAME_MEMBERS = ['__typename', 'Id', 'ApiName', 'DisplayValue']
/** `__typename` of a parent that is selected through the Name entity is still its own object's. */
const replaceTypeName = (selected: Selected): Selected =>
  selected.name === '__typename' ? { ...selected, name: 'ApiName' } : selected

/** A part of a compound field, by its member name. */
function findPart(field: Field, name: string): { kind: keyof typeof VALUE_TYPES; of: Field | undefined } {
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
