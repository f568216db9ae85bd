import { getOrInsert } from '../../base/get-or-insert.ts'
import type { DescribedField, DescribedObject } from '../reach/described-object.ts'
import type { SourceRow } from './source-row.ts'
import { findBranches, namesIn } from './tree-references.ts'

type TreeRecord = SourceRow['record']

/** A reference to a record by its name, and where it stands. */
interface Mention {
  readonly record: TreeRecord
  readonly member: string
  readonly name: string
  /** It may be set when both records are there. */
  readonly isLinkable: boolean
}

/** A tree that comes later than it stands in the files. */
interface Waiting {
  readonly row: SourceRow
  readonly mentions: readonly Mention[]
  /** Names of records that are not written before it. */
  readonly missing: Set<string>
}

/** An org, and the parts of the trees that it has already. */
export interface TreeOrderOptions {
  readonly describe: (object: string) => Promise<DescribedObject>
  /** Names of records that are written. */
  readonly known: Iterable<string>
  /** Rows that are written, but for references. */
  readonly unlinked: ReadonlySet<number>
}

const getAttributes = ({ attributes }: TreeRecord) =>
  (attributes ?? {}) as { readonly type?: unknown; readonly referenceId?: unknown }

class TreeOrder {
  readonly #options: TreeOrderOptions
  readonly #known: Set<string>
  readonly #waiting = new Set<Waiting>()
  readonly #byMissing = new Map<string, Waiting[]>()
  /** References that are set at last, by the name of the record that has them. */
  readonly #links = new Map<string, SourceRow>()

  constructor(options: TreeOrderOptions) {
    this.#options = options
    this.#known = new Set(options.known)
  }

  async *take(row: SourceRow): AsyncGenerator<SourceRow> {
    const mentions = await this.#findMentions(row.record)
    if (this.#options.unlinked.has(row.row)) {
      this.#link(row, mentions, 'earlier')
      return
    }
    const own = new Set(namesIn(row.record))
    this.#link(
      row,
      mentions.filter(({ name }) => own.has(name)),
    )
    const missing = new Set(
      mentions.map(({ name }) => name).filter((name) => !own.has(name) && !this.#known.has(name)),
    )
    if (missing.size === 0) {
      yield* this.#release(row)
      return
    }
    const waiting = { row, mentions, missing }
    this.#waiting.add(waiting)
    for (const name of missing) getOrInsert(this.#byMissing, name, () => []).push(waiting)
  }

  /** The trees that still wait, and what points records of a circle to each other. */
  *finish(): Generator<SourceRow> {
    const coming = new Set([...this.#waiting].flatMap(({ row }) => namesIn(row.record)))
    // The server judges references that name nothing.
    for (const name of [...this.#byMissing.keys()]) if (!coming.has(name)) yield* this.#arrive([name])
    while (this.#waiting.size > 0) {
      const next = this.#findLinkable()
      this.#waiting.delete(next)
      this.#link(
        next.row,
        next.mentions.filter(({ name }) => next.missing.has(name)),
      )
      next.missing.clear()
      yield* this.#release(next.row)
    }
    yield* [...this.#links.values()].sort((a, b) =>
      a.object! < b.object! ? -1 : Number(a.object! > b.object!),
    )
  }

  #findLinkable(): Waiting {
    const [first] = this.#waiting
    for (const one of this.#waiting) {
      if (one.mentions.every(({ name, isLinkable }) => isLinkable || !one.missing.has(name))) return one
    }
    return first!
  }

  *#release(row: SourceRow): Generator<SourceRow> {
    yield row
    yield* this.#arrive(namesIn(row.record))
  }

  /** The trees that waited for nothing but these names, and those that waited for them in turn. */
  *#arrive(names: readonly string[]): Generator<SourceRow> {
    const arrived = [...names]
    for (const name of arrived) {
      this.#known.add(name)
      for (const waiting of this.#byMissing.get(name) ?? []) {
        if (!waiting.missing.delete(name) || waiting.missing.size > 0) continue
        this.#waiting.delete(waiting)
        yield waiting.row
        arrived.push(...namesIn(waiting.row.record))
      }
      this.#byMissing.delete(name)
    }
  }

  /** Takes references out of a row, which are set at last. */
  #link(row: SourceRow, mentions: readonly Mention[], link: SourceRow['link'] = 'now'): void {
    const { referenceId } = getAttributes(row.record)
    for (const { record, member, name, isLinkable } of mentions) {
      if (!isLinkable) continue
      const { type, referenceId: own } = getAttributes(record) as { type: string; referenceId: string }
      const { record: before = { attributes: { type, referenceId }, Id: `@${own}` } } =
        this.#links.get(own) ?? {}
      this.#links.set(own, {
        row: row.row,
        object: type,
        link,
        record: { ...before, [member]: `@${name}` },
      })
      delete (record as Record<string, unknown>)[member]
    }
  }

  async #findMentions(record: TreeRecord): Promise<Mention[]> {
    const { type, referenceId } = getAttributes(record)
    const found: Mention[] = []
    for (const [member, value] of Object.entries(record)) {
      if (typeof type !== 'string' || typeof value !== 'string' || !value.startsWith('@')) continue
      const field = await this.#findReference(type, member)
      if (field === undefined) continue
      const isLinkable = field.updateable && field.nillable && typeof referenceId === 'string'
      found.push({ record, member, name: value.slice(1), isLinkable })
    }
    for (const branch of findBranches(record)) found.push(...(await this.#findMentions(branch)))
    return found
  }

  async #findReference(object: string, member: string): Promise<DescribedField | undefined> {
    const { fields } = await this.#options.describe(object)
    return fields.find(
      ({ name, referenceTo }) => referenceTo.length > 0 && name.toLowerCase() === member.toLowerCase(),
    )
  }
}

/**
 * Trees in an order in which each follows those that it refers to, else as they stand in the files. Records that refer to each
 * other in a circle come without one of the references; links that set it follow all trees. It is always the same order for the
 * same files.
 */
export async function* orderTrees(
  rows: AsyncIterable<SourceRow>,
  options: TreeOrderOptions,
): AsyncGenerator<SourceRow> {
  const order = new TreeOrder(options)
  for await (const row of rows) yield* order.take(row)
  yield* order.finish()
}
