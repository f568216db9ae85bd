import { sql } from '../../base/sql.ts'
import type { Field } from '../../schema/fields/field.ts'
import { maxBytes } from '../../schema/fields/max-bytes.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import { RecordFormat, type ShapeMember } from '../../schema/snapshot/record-format.sql.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { maxOperandBytes } from '../plan/operand.ts'
import type {
  AccessSelection,
  ComputedSelection,
  FieldRef,
  ParentSelection,
  Selected,
  Selection,
  TypeofSelection,
} from '../plan/plan.ts'
import { makeChildrenMember } from '../sql/child-records.sql.ts'
import { columnOf, selectOperand } from '../sql/operand.sql.ts'
import { readAccess } from '../sql/record-access.sql.ts'
import { CHILD_PAGE_SIZE, type FormattedChildren } from '../sql/statement.sql.ts'
import { presentValue } from './present-value.ts'

/** Of one answer to what the caller may do, with its name. */
const ACCESS_BYTES = 40

/** The caller's access to a record. The statement puts a text in the place of the column. */
function makeAccessMember({ name, fields }: AccessSelection): ShapeMember {
  return {
    name,
    columns: [sql.raw('null')],
    bytes: fields.length * ACCESS_BYTES,
    read(row, at, { versionPath }, recordId) {
      const url = `${versionPath}/sobjects/${name}/${recordId}`
      const values = fields.map((field) => [field.name, readAccess(field.name, row[at] as string, recordId)])
      return { attributes: { type: name, url }, ...Object.fromEntries(values) }
    },
  }
}

/** How the rows of a selection become records, and the child queries of the selection. */
interface SelectionFormat {
  readonly format: RecordFormat
  readonly children: readonly FormattedChildren[]
  readonly access?: number | undefined
}

function makeParentMember({ name, selection }: ParentSelection, schema: SchemaSnapshot): ShapeMember {
  const { format } = formatSelection(selection, schema)
  return {
    name,
    columns: format.columns,
    bytes: format.width.bytes,
    read: (row, at, decodeContext) => format.read(row, at, decodeContext),
    write: (row, at, decodeContext) => format.write(row, at, decodeContext),
  }
}

/** The first branch whose outer join found a record. (docs/reference/api/queries.md#typeof) */
function makeTypeofMember(
  { name, branches, otherwise }: TypeofSelection,
  schema: SchemaSnapshot,
): ShapeMember {
  const all = otherwise === undefined ? branches : [...branches, otherwise]
  const formats = all.map((branch) => formatSelection(branch, schema).format)
  return {
    name,
    columns: formats.flatMap((format) => format.columns),
    bytes: Math.max(...formats.map((format) => format.width.bytes)),
    read(row, at, decodeContext) {
      let offset = at
      for (const format of formats) {
        const record = format.read(row, offset, decodeContext)
        if (record !== null) return record
        offset += format.columns.length
      }
      return null
    },
  }
}

/** An encrypted value has no format or label. It is bound to its record's id, which is selected with it: the record may be a parent. */
function makeDecryptedMember(name: string, { source, field }: FieldRef): ShapeMember {
  const id = columnOf({ source, field: source.object.field('Id')! })
  return {
    name,
    columns: [id, columnOf({ source, field })],
    bytes: name.length + maxBytes(field),
    read: (row, at, { open }) => {
      const [recordId, value] = [row[at] as string, (row[at + 1] ?? null) as string | null]
      return value === null ? null : open(value, source.object, field, recordId)
    },
  }
}

function makeComputedMember({ name, operand, presentation }: ComputedSelection): ShapeMember {
  if (operand.kind === 'field' && operand.field.type.encrypted !== undefined)
    return makeDecryptedMember(name, operand)
  return {
    name,
    columns: [selectOperand(operand, undefined)],
    bytes: name.length + maxOperandBytes(operand),
    read: (row, at, decodeContext) => presentValue(operand, presentation, row[at] ?? null, decodeContext),
  }
}

/** Makes the format of a selection. Only the queried object has child queries, not its parents or TYPEOF branches. */
export function formatSelection({ source, members }: Selection, schema: SchemaSnapshot): SelectionFormat {
  const children: (Omit<FormattedChildren, 'column'> & { member: ShapeMember })[] = []
  let access: ShapeMember | undefined
  const shapeMember = (member: Selected): Field | ShapeMember => {
    if (!('kind' in member)) return member
    switch (member.kind) {
      case 'parent':
        return makeParentMember(member, schema)
      case 'typeof':
        return makeTypeofMember(member, schema)
      case 'computed':
        return makeComputedMember(member)
      case 'access':
        access = makeAccessMember(member)
        return access
      case 'children': {
        const inner = formatSelection(member.plan.selection, schema)
        const shaped = makeChildrenMember(member.name, inner.format, children.length)
        children.push({
          plan: member.plan,
          ...inner,
          max: CHILD_PAGE_SIZE + 1,
          shows: 'rows',
          member: shaped,
        })
        return shaped
      }
    }
  }
  const formats = members.map(shapeMember)
  const named = source.object === NAME_ENTITY
  const format = new RecordFormat(source.object, formats, {
    table: source.alias,
    row: source,
    ...(named && { objectNameOf: (id) => schema.objectOfId(id)?.name ?? NAME_ENTITY.name }),
  })
  const position = (member: ShapeMember) => format.columns.indexOf(member.columns[0]!)
  return {
    format,
    ...(access !== undefined && { access: position(access) }),
    children: children.map(({ member, ...child }) => ({
      ...child,
      column: position(member),
    })),
  }
}
