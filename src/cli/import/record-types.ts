import { getOrInsert } from '../../base/get-or-insert.ts'
import { isObject } from '../../base/json.ts'
import type { QueryResult } from '../../soql/run-query.ts'
import type { ReachedOrg } from '../reach/reached-org.ts'
import { readBody } from '../reach/record-pages.ts'
import type { ErrorItem, SourceRow } from './source-row.ts'

type ImportedRecord = SourceRow['record']

/** Where a record names its type by the name that orgs share. The interface takes ids, and labels, which several objects may share. */
const RELATIONSHIP = 'RecordType'
const KEY = 'DeveloperName'

export const namesRecordType = (relationship: string | null, key: string): boolean =>
  relationship === RELATIONSHIP && key.toLowerCase() === KEY.toLowerCase()

/** The type that a record names, and the member in which it does. */
function findName(record: ImportedRecord): { readonly member: string; readonly name: string } | undefined {
  const [member, value] =
    Object.entries(record).find(([one]) => one.toLowerCase() === RELATIONSHIP.toLowerCase()) ?? []
  if (member === undefined || !isObject(value)) return undefined
  const [[key, name] = [], ...more] = Object.entries(value).filter(([one]) => one !== 'attributes')
  const isName = key !== undefined && namesRecordType(RELATIONSHIP, key) && more.length === 0
  return isName && typeof name === 'string' ? { member, name } : undefined
}

const unknownType = (object: string, name: string): ErrorItem => ({
  statusCode: 'INVALID_CROSS_REFERENCE_KEY',
  message: `${object} has no active record type ${name.slice(0, 255)}`,
  fields: ['RecordTypeId'],
})

/** Ids of the active record types of objects, by the names that they have in lower case. */
class TypeIds {
  readonly #org: ReachedOrg
  readonly #known = new Map<string, Promise<ReadonlyMap<string, string>>>()

  constructor(org: ReachedOrg) {
    this.#org = org
  }

  of(object: string): Promise<ReadonlyMap<string, string>> {
    return getOrInsert(this.#known, object, () => this.#load(object))
  }

  async #load(object: string): Promise<ReadonlyMap<string, string>> {
    if (/\W/.test(object)) return new Map()
    const soql = `SELECT Id, DeveloperName FROM RecordType WHERE SobjectType = '${object}' AND IsActive = true`
    const { records } = await readBody<QueryResult>(
      this.#org.call('GET', `/query?q=${encodeURIComponent(soql)}`),
    )
    return new Map(records.map(({ DeveloperName, Id }) => [String(DeveloperName).toLowerCase(), String(Id)]))
  }
}

/** A record and those below it with ids in place of the names of record types; what is wrong where a name is unknown. */
async function fill(
  types: TypeIds,
  record: ImportedRecord,
  object: string,
): Promise<{ readonly record: ImportedRecord; readonly fault?: ErrorItem }> {
  const filled: Record<string, unknown> = {}
  const named = findName(record)
  for (const [member, value] of Object.entries(record)) {
    if (member === named?.member) {
      const id = (await types.of(object)).get(named.name.toLowerCase())
      if (id === undefined) return { record, fault: unknownType(object, named.name) }
      filled.RecordTypeId = id
    } else if (isObject(value) && Array.isArray(value.records)) {
      const records: unknown[] = []
      for (const child of value.records) {
        const type = isObject(child) && isObject(child.attributes) ? child.attributes.type : undefined
        if (!isObject(child) || typeof type !== 'string') {
          records.push(child)
          continue
        }
        const below = await fill(types, child, type)
        if (below.fault !== undefined) return { record, fault: below.fault }
        records.push(below.record)
      }
      filled[member] = { ...value, records }
    } else {
      filled[member] = value
    }
  }
  return { record: filled }
}

/**
 * The same rows with the ids of their record types in place of the names: `{"RecordType": {"DeveloperName": "Partner"}}`.
 * @param object what rows are of that do not say it themselves
 */
export async function* fillRecordTypes(
  rows: AsyncIterable<SourceRow>,
  org: ReachedOrg,
  object: string | undefined,
): AsyncGenerator<SourceRow> {
  const types = new TypeIds(org)
  for await (const row of rows) {
    const { record, fault } = await fill(types, row.record, row.object ?? object ?? '')
    yield row.fault === undefined && fault !== undefined ? { ...row, fault } : { ...row, record }
  }
}
