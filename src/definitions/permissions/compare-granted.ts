import { SYSTEM_PERMISSION_NAMES } from '../../access/system-permission.ts'
import type { FieldRight, Granted, Holder, ObjectRightList } from './holder.ts'

/** Rights of a permission set or profile to change; an absent right is revoked. */
export interface Difference {
  readonly wanted: Granted
  /** Undefined for a new one. */
  readonly holder: Holder | undefined
  /** True if its label, description or system permissions change. */
  readonly hasOther: boolean
  readonly custom: ReadonlyMap<string, 'granted' | undefined>
  readonly objects: ReadonlyMap<string, ObjectRightList | undefined>
  readonly fields: ReadonlyMap<string, FieldRight | undefined>
  /** In words: what changes, or what a new one has. */
  readonly what: string
}

const listed = (names: Iterable<string>) => [...names].join(', ') || 'none'

const quoted = (text: string | undefined) => (text === undefined ? 'none' : JSON.stringify(text))

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** The rights that differ, in the order in which the files name them. */
function findDifferences<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
): Map<string, T | undefined> {
  const found = new Map<string, T | undefined>()
  for (const [name, right] of after) if (String(before.get(name)) !== String(right)) found.set(name, right)
  for (const name of before.keys()) if (!after.has(name)) found.set(name, undefined)
  return found
}

/** `Account: read → read, edit` */
type Right = ObjectRightList | FieldRight | 'granted'

const describeRights = (
  before: ReadonlyMap<string, Right>,
  after: ReadonlyMap<string, Right | undefined>,
) => {
  const text = (right: Right | undefined) => listed([right ?? []].flat())
  return [...after].map(([name, right]) => `${name}: ${text(before.get(name))} → ${text(right)}`)
}

function describeOther(holder: Holder, wanted: Granted): string[] {
  const changes = []
  if (wanted.label !== holder.label) changes.push(`label ${quoted(holder.label)} → ${quoted(wanted.label)}`)
  if (wanted.description !== holder.description) {
    changes.push(`description ${quoted(holder.description)} → ${quoted(wanted.description)}`)
  }
  const ordered = ({ system }: Granted) => listed(SYSTEM_PERMISSION_NAMES.filter((name) => system.has(name)))
  if (ordered(holder) !== ordered(wanted)) changes.push(`system: ${ordered(holder)} → ${ordered(wanted)}`)
  return changes
}

function describeNew({ system, objects, fields }: Granted): string {
  const on = `rights on ${counted(objects.size, 'object')} and ${counted(fields.size, 'field')}`
  return `new, with ${system.size === 0 ? '' : `${listed(system)}, `}${on}`
}

/** Compares what is granted with what should be; undefined when it is the same. */
export function compareGranted(holder: Holder | undefined, wanted: Granted): Difference | undefined {
  if (holder === undefined) {
    const { custom, objects, fields } = wanted
    return { wanted, holder, hasOther: true, custom, objects, fields, what: describeNew(wanted) }
  }
  const other = describeOther(holder, wanted)
  const custom = findDifferences(holder.custom, wanted.custom)
  const objects = findDifferences(holder.objects, wanted.objects)
  const fields = findDifferences(holder.fields, wanted.fields)
  const changes = [
    ...other,
    ...describeRights(holder.custom, custom),
    ...describeRights(holder.objects, objects),
    ...describeRights(holder.fields, fields),
  ]
  if (changes.length === 0) return undefined
  return { wanted, holder, hasOther: other.length > 0, custom, objects, fields, what: changes.join('; ') }
}
