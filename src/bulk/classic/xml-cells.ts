import type { XmlElement } from '../../xml/xml-element.ts'
import { type Cell, invalidBatch, NULL } from './record-table.ts'

/** An empty element leaves its field as it is; one that says `xsi:nil` makes it null. */
function readValue({ name, text, children, isNil }: XmlElement): string {
  if (children.length > 0) throw invalidBatch(`The value of ${name.slice(0, 255)} has elements`)
  return isNil ? NULL : text
}

/** A parent by its key: `<Owner><sObject><Username>a@b.c</Username></sObject></Owner>`, with `<type>` where there are several. */
function readParent({ name: relationship, children }: XmlElement): Cell {
  const [record, ...more] = children
  if (record?.name !== 'sObject' || more.length > 0) {
    throw invalidBatch(`${relationship.slice(0, 255)} has not exactly one sObject`)
  }
  const type = record.children.find(({ name }) => name === 'type')
  const [key, ...others] = record.children.filter((child) => child !== type)
  if (key === undefined || others.length > 0) {
    throw invalidBatch(`${relationship.slice(0, 255)} names its parent by exactly one field`)
  }
  const prefix = type === undefined ? '' : `${type.text.trim()}:`
  return [`${prefix}${relationship}.${key.name}`, readValue(key)]
}

/** The fields of a record in XML. */
export function* readXmlCells({ name, children }: XmlElement): Generator<Cell> {
  if (name !== 'sObject') throw invalidBatch(`The batch has ${name.slice(0, 255)} instead of sObject`)
  for (const child of children) {
    yield child.children.length > 0 ? readParent(child) : [child.name, readValue(child)]
  }
}
