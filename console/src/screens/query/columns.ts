/* The columns of a result: fields in the order of the select list, those of parents by their path, children as one column. */

export type Row = Readonly<Record<string, unknown>>

export interface Children {
  readonly totalSize: number
  readonly done: boolean
  readonly nextRecordsUrl?: string
  readonly records: readonly Row[]
}

export interface ResultColumn {
  readonly path: readonly string[]
  readonly kind: 'value' | 'children'
}

interface Node {
  kind: 'unknown' | 'value' | 'parent' | 'children'
  readonly members: Map<string, Node>
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isChildren = (value: unknown): value is Children =>
  isObject(value) && Array.isArray(value.records) && typeof value.totalSize === 'number'

function kindOf(value: unknown): Node['kind'] {
  if (value === null) return 'unknown'
  if (isChildren(value)) return 'children'
  return isObject(value) && 'attributes' in value ? 'parent' : 'value'
}

function learn(members: Map<string, Node>, row: Row): void {
  for (const [name, value] of Object.entries(row)) {
    if (name === 'attributes') continue
    let node = members.get(name)
    if (node === undefined) {
      node = { kind: 'unknown', members: new Map() }
      members.set(name, node)
    }
    // Null tells nothing: the value of another row says whether it is a field, a parent or children.
    const kind = kindOf(value)
    if (kind !== 'unknown') node.kind = kind
    if (kind === 'parent') learn(node.members, value as Row)
  }
}

function list(members: ReadonlyMap<string, Node>, above: readonly string[]): ResultColumn[] {
  return [...members].flatMap(([name, { kind, members: below }]): ResultColumn[] => {
    const path = [...above, name]
    if (kind === 'parent') return list(below, path)
    return [{ path, kind: kind === 'children' ? 'children' : 'value' }]
  })
}

export function columnsOf(rows: readonly Row[]): ResultColumn[] {
  const members = new Map<string, Node>()
  for (const row of rows) learn(members, row)
  return list(members, [])
}

/** The value of a row at the end of a path: null where a parent on the way is empty, undefined where it was not asked for. */
export function valueAt(row: Row, path: readonly string[]): unknown {
  let value: unknown = row
  for (const name of path) value = isObject(value) ? value[name] : value === undefined ? undefined : null
  return value
}

/** The object of a row, as its address says. */
export function objectOf(row: Row | undefined): string | undefined {
  const attributes = row?.attributes
  return isObject(attributes) && typeof attributes.type === 'string' ? attributes.type : undefined
}
