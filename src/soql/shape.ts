import type { Field } from '../schema/field.ts'
import { NAME_ENTITY } from '../schema/name-entity.sql.ts'
import { RecordShape, type ShapeMember } from '../schema/record-shape.sql.ts'
import type { SchemaSnapshot } from '../schema/snapshot.ts'
import { childrenMember } from './child-records.sql.ts'
import { columnOf, selectOperand } from './operand.sql.ts'
import type {
  ComputedSelection,
  FieldRef,
  ParentSelection,
  Selected,
  Selection,
  TypeofSelection,
} from './plan.ts'
import { presentValue } from './present-value.ts'
import { CHILD_PAGE, type ShapedChildren } from './statement.sql.ts'

/** How the rows of a selection become records, and the child queries that stand in it. */
export interface ShapedSelection {
  readonly shape: RecordShape
  readonly children: readonly ShapedChildren[]
}

function parentMember({ name, selection }: ParentSelection, schema: SchemaSnapshot): ShapeMember {
  const { shape } = shapeSelection(selection, schema)
  return { name, columns: shape.columns, read: (row, at, reading) => shape.read(row, at, reading) }
}

/** The first branch that the outer joins found something for. (docs/reference/api/queries.md#typeof) */
function typeofMember({ name, branches, otherwise }: TypeofSelection, schema: SchemaSnapshot): ShapeMember {
  const all = otherwise === undefined ? branches : [...branches, otherwise]
  const shapes = all.map((branch) => shapeSelection(branch, schema).shape)
  return {
    name,
    columns: shapes.flatMap((shape) => shape.columns),
    read(row, at, reading) {
      let offset = at
      for (const shape of shapes) {
        const record = shape.read(row, offset, reading)
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
    read: (row, at, reading) => presentValue(operand, presentation, row[at] ?? null, reading),
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
        children.push({ plan: member.plan, ...inner, most: CHILD_PAGE + 1, shows: 'rows', member: shaped })
        return shaped
      }
    }
  }
  const shapes = members.map(shapeMember)
  const named = source.object === NAME_ENTITY
  const shape = new RecordShape(source.object, shapes, {
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
