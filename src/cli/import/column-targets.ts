import { nearest } from '../../base/nearest.ts'
import type { DescribedField, DescribedObject } from '../reach/described-object.ts'
import { namesRecordType } from './record-types.ts'

export type Operation = 'insert' | 'update' | 'upsert'

interface Target {
  /** The member of the record that it is. */
  readonly member: string
  /** Of the field that its values are for. */
  readonly type?: string
  put(record: Record<string, unknown>, value: unknown): void
}

/** Problem of a column. */
interface Unfit {
  readonly column: string
  readonly why: string
}

const same = (a: string, b: string | null) => a.toLowerCase() === b?.toLowerCase()

const direct = (name: string, type?: string): Target => ({
  member: name,
  ...(type !== undefined && { type }),
  put(record, value) {
    record[name] = value
  },
})

/** A parent that is named by one of its keys; of several kinds of parents the type tells which. */
const parent = (relationship: string, key: DescribedField, type: string | undefined): Target => ({
  member: relationship,
  type: key.type,
  put(record, value) {
    if (value === null) record[relationship] = null
    else record[relationship] = { ...(type !== undefined && { attributes: { type } }), [key.name]: value }
  },
})

/** The mark between names that were taken for one, as the flag takes it. */
function guessDelimiter(header: string): string | undefined {
  const marks = [
    ['\t', 'tab'],
    [';', "';'"],
    ['|', "'|'"],
  ] as const
  return marks.find(([mark]) => header.includes(mark))?.[1]
}

/** Which field or parent each column of a file is for. */
export class ColumnTargets {
  readonly #object: DescribedObject
  readonly #parents: ReadonlyMap<string, DescribedObject>
  readonly #operation: Operation
  readonly #key: string | undefined
  readonly #mapping: ReadonlyMap<string, string>
  readonly #known = new Map<string, Target | Unfit | undefined>()

  /** @param parents the objects that the object's fields refer to, by name */
  constructor(
    object: DescribedObject,
    parents: ReadonlyMap<string, DescribedObject>,
    {
      operation,
      key,
      mapping,
    }: { operation: Operation; key: string | undefined; mapping: ReadonlyMap<string, string> },
  ) {
    this.#object = object
    this.#parents = parents
    this.#operation = operation
    this.#key = key
    this.#mapping = mapping
  }

  /** Undefined: the column is left out. A column that fits nothing keeps its name, so that the server refuses it. */
  of(column: string): Target | undefined {
    const found = this.#find(column)
    return found !== undefined && 'why' in found ? direct(column) : found
  }

  /** @throws Error that names all columns that cannot be written */
  check(columns: readonly string[]): void {
    const strangers = [...this.#mapping.keys()].filter((column) => !columns.includes(column))
    if (strangers.length > 0) {
      throw new Error(
        `--map names columns that the file does not have: ${strangers.join(', ')}. Nothing was written.`,
      )
    }
    const unfit = columns
      .map((column) => this.#find(column))
      .filter((found) => found !== undefined && 'why' in found)
    const delimiter = columns.length === 1 && unfit.length > 0 ? guessDelimiter(columns[0]!) : undefined
    if (delimiter !== undefined) {
      throw new Error(
        `The file has one column, ${JSON.stringify(columns[0])}. Its cells look as if they were between other marks: try --delimiter ${delimiter}. Nothing was written.`,
      )
    }
    if (unfit.length > 0) {
      const lines = (unfit as Unfit[]).map(({ column, why }) => `  ${JSON.stringify(column)}: ${why}`)
      throw new Error(
        `Some columns cannot be written into ${this.#object.name}:\n${lines.join('\n')}\nNothing was written. Give a column another field with --map 'column=Field', or leave it out with --map 'column='.`,
      )
    }
    const members = columns.flatMap((column) => this.of(column)?.member ?? [])
    const twice = members.find((member, at) => members.indexOf(member) < at)
    if (twice !== undefined) {
      throw new Error(
        `Several columns are for ${twice}; leave one of them out with --map 'column='. Nothing was written.`,
      )
    }
    const needed = this.#operation === 'update' ? 'Id' : this.#operation === 'upsert' ? this.#key : undefined
    const fields = columns.map((column) => this.#mapping.get(column) ?? column)
    if (needed !== undefined && !fields.some((field) => same(field, needed))) {
      throw new Error(`The file has no column ${needed}, by which records are found. Nothing was written.`)
    }
  }

  #find(column: string): Target | Unfit | undefined {
    if (!this.#known.has(column)) this.#known.set(column, this.#findTarget(column))
    return this.#known.get(column)
  }

  #findTarget(column: string): Target | Unfit | undefined {
    const name = this.#mapping.get(column) ?? column.trim()
    if (name === '' && this.#mapping.has(column)) return undefined
    if (name === '') return { column, why: "it has no name; --map '=' leaves it out" }
    if (name === 'attributes') return direct(name)
    const { fields } = this.#object
    const field = fields.find((candidate) => same(name, candidate.name))
    if (field !== undefined) {
      return this.#mayWrite(field)
        ? direct(field.name, field.type)
        : { column, why: `an ${this.#operation} cannot write it` }
    }
    // `Account.Ext__c`, or `User:Owner.Username` where a parent may be of several kinds.
    const [, type, relationship, key] = /^(?:([^:.]+):)?([^:.]+)(?:\.([^.]+))?$/.exec(name) ?? []
    const reference = fields.find(
      ({ relationshipName, referenceTo }) =>
        referenceTo.length > 0 && same(relationship ?? '', relationshipName),
    )
    if (reference === undefined)
      return { column, why: `there is no field ${name}.${this.#suggest(name, column)}` }
    if (key === undefined) return direct(reference.relationshipName!)
    return this.#findParent(column, reference, type, key)
  }

  #mayWrite({ name, createable, updateable }: DescribedField): boolean {
    if (name === 'Id')
      return this.#operation === 'update' || (this.#operation === 'upsert' && same('Id', this.#key!))
    if (this.#operation === 'upsert') return createable || updateable
    return this.#operation === 'insert' ? createable : updateable
  }

  #findParent(
    column: string,
    reference: DescribedField,
    type: string | undefined,
    key: string,
  ): Target | Unfit {
    const { referenceTo, relationshipName } = reference
    const wanted = type ?? (referenceTo.length === 1 ? referenceTo[0]! : '')
    const target = [...this.#parents.values()].find(
      ({ name }) => same(wanted, name) && referenceTo.includes(name),
    )
    if (target === undefined) {
      const [first] = referenceTo
      return {
        column,
        why: `it may point to ${referenceTo.join(', ')}; say which: --map '${column}=${first}:${relationshipName}.${key}'`,
      }
    }
    const field = target.fields.find(({ name }) => same(key, name))
    if (
      field === undefined ||
      !(field.idLookup || field.nameField || namesRecordType(relationshipName, key))
    ) {
      const keys = target.fields
        .filter(({ idLookup, nameField }) => idLookup || nameField)
        .map(({ name }) => name)
      return { column, why: `records of ${target.name} are found by ${keys.join(', ')}, not by ${key}` }
    }
    return parent(relationshipName!, field, referenceTo.length === 1 ? undefined : target.name)
  }

  #suggest(name: string, column: string): string {
    const byName = new Map(
      this.#object.fields.flatMap((field) => [
        [field.name, field.name],
        [field.label, field.name],
      ]),
    )
    const meant = nearest(name, byName.keys())
    return meant === undefined ? '' : ` Did you mean --map '${column}=${byName.get(meant)}'?`
  }
}
