import type { DescribedObject } from '../reach/described-object.ts'
import type { ResultRecord } from '../reach/record-pages.ts'

/** A record as it stands in a file of trees. */
export interface TreeRecord {
  readonly attributes: { readonly type: string; readonly referenceId: string }
  readonly [name: string]: unknown
}

/** Counts of what a tree cannot hold, so that the report can name them. */
export interface LeftOut {
  /** Fields that an import may not write, by object. */
  readonly fields: Set<string>
  /** References to records that are not in the export, or come later in it: how many, by field. */
  readonly references: Map<string, number>
}

interface Attributes {
  readonly type: string
  readonly url: string
}

/** Child records, where the query asked for some. */
const recordsIn = (value: unknown): readonly ResultRecord[] | undefined =>
  typeof value === 'object' && value !== null && 'records' in value
    ? (value.records as readonly ResultRecord[])
    : undefined

const attributesOf = ({ attributes }: ResultRecord) => attributes as unknown as Attributes
const idOf = (record: ResultRecord) => attributesOf(record).url.split('/').at(-1)!

const findChildren = (record: ResultRecord) =>
  Object.values(record).flatMap((value) => recordsIn(value) ?? [])

/** A record and all below it. */
const family = (record: ResultRecord): ResultRecord[] => [record, ...findChildren(record).flatMap(family)]

/** Each record after those that it refers to, else in the order in which they came. A circle is cut somewhere. */
function afterParents(roots: readonly ResultRecord[]): ResultRecord[] {
  const rootOf = new Map(roots.flatMap((root) => family(root).map((record) => [idOf(record), root] as const)))
  const ordered = new Set<ResultRecord>()
  for (const root of roots) {
    // Not by recursion: a chain of parents may be long.
    const path = [root]
    const entered = new Set<ResultRecord>()
    while (path.length > 0) {
      const at = path.at(-1)!
      if (ordered.has(at) || entered.has(at)) {
        ordered.add(at)
        path.pop()
        continue
      }
      entered.add(at)
      for (const value of family(at).flatMap((record) => Object.values(record))) {
        const parent = typeof value === 'string' ? rootOf.get(value) : undefined
        if (parent !== undefined && !ordered.has(parent) && !entered.has(parent)) path.push(parent)
      }
    }
  }
  return [...ordered]
}

/** A child stands below its parent, so it may not name it once more. */
const isWayUp = ({ fields }: DescribedObject, name: string, wayUp: string | undefined) =>
  name === wayUp ||
  (wayUp !== undefined && fields.find((field) => field.name === wayUp)?.relationshipName === name)

/** A parent that a query shows by one of its fields, as an import takes it: `Account.Ext__c`. */
function parentByKey(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null || !('attributes' in value)) return undefined
  const { attributes, ...members } = value
  const [key, ...more] = Object.values(members)
  if (key === undefined || key === null || more.length > 0) return undefined
  return { attributes: { type: (attributes as Attributes).type }, ...members }
}

/** Makes trees of the records of queries: ids become names, and references to records that stand before them too. */
export class TreeMaker {
  readonly leftOut: LeftOut = { fields: new Set(), references: new Map() }
  readonly #describe: (object: string) => Promise<DescribedObject>
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  constructor(describe: (object: string) => Promise<DescribedObject>) {
    this.#describe = describe
  }

  /** The records of one query, each with those below it. Those of earlier calls may be referred to. */
  async make(roots: readonly ResultRecord[]): Promise<TreeRecord[]> {
    const trees: TreeRecord[] = []
    for (const root of afterParents(roots)) {
      // A tree is written as one: its records have no ids yet while others of it are made.
      const names = new Map<string, string>()
      trees.push(await this.#makeTree(root, undefined, names))
      for (const [id, name] of names) this.#names.set(id, name)
    }
    return trees
  }

  async #makeTree(
    record: ResultRecord,
    wayUp: string | undefined,
    names: Map<string, string>,
  ): Promise<TreeRecord> {
    const { type } = attributesOf(record)
    const object = await this.#describe(type)
    const number = (this.#counts.get(type) ?? 0) + 1
    this.#counts.set(type, number)
    const referenceId = `${type.replaceAll(/[^A-Za-z0-9]/g, '')}Ref${number}`
    names.set(idOf(record), referenceId)
    const tree: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(record)) {
      if (name === 'attributes' || value === null || isWayUp(object, name, wayUp)) continue
      const children = recordsIn(value)
      if (children === undefined) {
        const kept = this.#makeValue(object, name, value)
        if (kept !== undefined) tree[name] = kept
        continue
      }
      const { field } = object.childRelationships.find(({ relationshipName }) => relationshipName === name)!
      const below: TreeRecord[] = []
      for (const child of children) below.push(await this.#makeTree(child, field, names))
      if (below.length > 0) tree[name] = { records: below }
    }
    return { attributes: { type, referenceId }, ...tree }
  }

  #makeValue({ name: object, fields }: DescribedObject, name: string, value: unknown): unknown {
    const field = fields.find((candidate) => candidate.name === name)
    if (field?.name === 'Id') return undefined
    const parent = parentByKey(value)
    if (parent !== undefined) return parent
    if (field === undefined || !field.createable) {
      this.leftOut.fields.add(`${object}.${name}`)
      return undefined
    }
    if (field.referenceTo.length === 0) return value
    const referenceId = this.#names.get(value as string)
    if (referenceId !== undefined) return `@${referenceId}`
    const { references } = this.leftOut
    references.set(`${object}.${name}`, (references.get(`${object}.${name}`) ?? 0) + 1)
    return undefined
  }
}
