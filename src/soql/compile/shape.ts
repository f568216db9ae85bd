import type { Field } from '../../schema/fields/field.ts'
import { NAME_ENTITY } from '../../schema/objects/name-entity.sql.ts'
import { RecordFormat, type ShapeMember } from '../../schema/snapshot/record-format.sql.ts'
import type { SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import type {
  ComputedSelection,
  FieldRef,
  ParentSelection,
  Selected,
  Selection,
  TypeofSelection,
} from '../plan/plan.ts'
import { childrenMember } from '../sql/child-records.sql.ts'
import { columnOf, selectOperand } from '../sql/operand.sql.ts'
import { CHILD_PAGE, type ShapedChildren } from '../sql/statement.sql.ts'
import { presentValue } from './present-value.ts'

/** How the rows of a selection become records, and the child queries that stand in it. */
export interface ShapedSelection {
  readonly shape: RecordFormat
  readonly children: readonly ShapedChildren[]
}

function parentMember({ name, selection }: ParentSelection, schema: SchemaSnapshot): ShapeMember {
  const { shape } = shapeSelection(selection, schema)
  return { name, columns: shape.columns, read: (row, at, decoding) => shape.read(row, at, decoding) }
}

/** The first branch that the outer joins found something for. (docs/reference/api/queries.md#typeof) */
function typeofMember({ name, branches, otherwise }: TypeofSelection, schema: SchemaSnapshot): ShapeMember {
  const all = otherwise === undefined ? branches : [...branches, otherwise]
  const shapes = all.map((branch) => shapeSelection(branch, schema).shape)
  return {
    name,
    columns: shapes.flatMap((shape) => shape.columns),
    read(row, at, decoding) {
      let offset = at
      for (const shape of shapes) {
        const record = shape.read(row, offset, decoding)
        if (record !== null) return record
        offset += shape.columns.length
      }
      return null
    },
  }
}

/** An encrypted value has no format and no label of its own. Its record may be a parent, so the id comes along. */
function openedMember(name: string, { source, field }: FieldRef): ShapeMember {
  const id = columnOf({ source, field: source.object.field('Id')! })
  return {
    name,
    columns: [id, columnOf({ source, field })],
    read: (row, at, { open }) => {
      const [recordId, value] = [row[at] as string, (row[at + 1] ?? null) as string | null]
      return value === null ? null : open(value, source.object, field, recordId)
    },
  }
}

function computedMember({ name, operand, presentation }: ComputedSelection): ShapeMember {
  if (operand.kind === 'field' && operand.field.type.encrypted !== undefined)
    return openedMember(name, operand)
  return {
    name,
    columns: [selectOperand(operand, undefined)],
    read: (row, at, decoding) => presentValue(operand, presentation, row[at] ?? null, decoding),
  }
}

/** The shape of a selection. Parents and branches have none of the children: those belong to the queried object. */
export function shapeSelection({ source, members }: Selection, schema: SchemaSnapshot): ShapedSelection {
  const children: (Omit<ShapedChildren, 'column'> & { member: ShapeMember })[] = []
  const shapeMember = (member: Selected): Field | ShapeMember => {
    if (!('kind' in member)) return member
    switch (member.kind) {
      case 'parent':
        return parentMember(member, schema)
      case 'typeof':
        return typeofMember(member, schema)
      case 'computed':
        return computedMember(member)
      case 'children': {
        const inner = shapeSelection(member.plan.selection, schema)
        const shaped = childrenMember(member.name, inner.shape, children.length)
        children.push({ plan: member.plan, ...inner, max: CHILD_PAGE + 1, shows: 'rows', member: shaped })
        return shaped
      }
    }
  }
  const shapes = members.map(shapeMember)
  const named = source.object === NAME_ENTITY
  const shape = new RecordFormat(source.object, shapes, {
    table: source.alias,
    objectNameOf: named ? (id) => schema.objectOfId(id)?.name ?? NAME_ENTITY.name : undefined,
  })
  return {
    shape,
    children: children.map(({ member, ...child }) => ({
      ...child,
      column: shape.columns.indexOf(member.columns[0]!),
    })),
  }
}
