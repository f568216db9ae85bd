import { isObject } from '../../base/json.ts'
import { type Cell, invalidBatch, NULL } from './record-table.ts'

function writeValue(name: string, value: unknown): string {
  if (value === null || value === '') return NULL
  if (JSON.isRawJSON(value)) return value.rawJSON
  if (typeof value === 'object')
    throw invalidBatch(`The value of ${name.slice(0, 255)} is neither a value nor a parent by its key`)
  return String(value)
}

/** A parent by its key: `{"Username": "a@b.c"}`, with `attributes` that name its object where the reference leads to several. */
function readParent(relationship: string, parent: Readonly<Record<string, unknown>>): Cell {
  const { attributes, ...keys } = parent
  const [key, ...more] = Object.entries(keys)
  if (key === undefined || more.length > 0) {
    throw invalidBatch(`${relationship.slice(0, 255)} names its parent by exactly one field`)
  }
  const type = isObject(attributes) && typeof attributes.type === 'string' ? `${attributes.type}:` : ''
  return [`${type}${relationship}.${key[0]}`, writeValue(key[0], key[1])]
}

/** The fields of a record in JSON. An empty text is null there, as in other calls. */
export function* readJsonCells(record: unknown): Generator<Cell> {
  if (!isObject(record)) throw invalidBatch('The batch is not a list of records')
  for (const [name, value] of Object.entries(record)) {
    if (name === 'attributes') continue
    if (isObject(value) && !JSON.isRawJSON(value)) yield readParent(name, value)
    else yield [name, writeValue(name, value)]
  }
}
