import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import type { Row } from '../storage/db.ts'
import { collectFields, type Reading, type Selected, setsOf } from './collect-fields.ts'
import { cursorOf, type Page } from './page.ts'
import type { NodeReading, Read } from './read-object.ts'
import { PageInfo } from './types/connection-types.ts'

/** What was found of a page. */
export interface Found {
  readonly page: Page
  /** One more than the page has where another one follows. */
  readonly rows: readonly Row[]
  /** How many match in all; there where it was asked for. */
  readonly total: number | undefined
}

export type ReadPage = (found: Found, reading: NodeReading) => Record<string, unknown>

/** One member of a page's object. */
type Part = (found: Found, reading: NodeReading) => unknown

const count = ({ page, rows }: Found) => Math.min(rows.length, page.size)
const hasNext = ({ page, rows }: Found) => rows.length > page.size && page.start + page.size < page.bound

const PAGE_INFO: Readonly<Record<string, Part>> = {
  __typename: () => 'PageInfo',
  hasNextPage: hasNext,
  hasPreviousPage: ({ page, rows }) => page.start > 0 && rows.length > 0,
  startCursor: (found) => (count(found) === 0 ? null : cursorOf(found.page.start)),
  endCursor: (found) => (count(found) === 0 ? null : cursorOf(found.page.start + count(found) - 1)),
}

function readParts(parts: readonly (readonly [string, Part])[]): ReadPage {
  return (found, reading) => {
    const object: Record<string, unknown> = {}
    for (const [key, part] of parts) object[key] = part(found, reading)
    return object
  }
}

/** An edge: the node of a row, and the cursor of its number. */
function edgesReader(
  reading: Reading,
  type: GraphQLObjectType,
  selected: Selected,
  readNode: (sets: readonly SelectionSetNode[]) => Read,
): Part {
  const fields = collectFields(reading, type, setsOf(selected)).map((field) => {
    const node = field.name === 'node' ? readNode(setsOf(field)) : undefined
    return { key: field.key, name: field.name, node }
  })
  return (found, how) => {
    const { rows, page } = found
    const edges = new Array(count(found))
    for (let index = 0; index < edges.length; index++) {
      const edge: Record<string, unknown> = {}
      for (const { key, name, node } of fields) {
        if (node !== undefined) edge[key] = node(rows[index]!, how)
        else edge[key] = name === 'cursor' ? cursorOf(page.start + index) : type.name
      }
      edges[index] = edge
    }
    return edges
  }
}

/** What a page needs of the database. */
export interface PageNeeds {
  readonly rows: boolean
  readonly total: boolean
}

/**
 * Reads a page as a selection asks for it. (contract/graphql 3.2)
 * @param readNode makes the reader of what an edge holds
 */
export function pageReader(
  reading: Reading,
  types: { readonly page: GraphQLObjectType; readonly edge: GraphQLObjectType },
  sets: readonly SelectionSetNode[],
  readNode: (sets: readonly SelectionSetNode[]) => Read,
): { readonly read: ReadPage; readonly needs: PageNeeds } {
  const needs = { rows: false, total: false }
  const parts = collectFields(reading, types.page, sets).map((field): readonly [string, Part] => {
    const { key, name } = field
    if (name === '__typename') return [key, () => types.page.name]
    if (name === 'totalCount') {
      needs.total = true
      return [key, ({ total }) => total]
    }
    needs.rows = true
    if (name === 'edges') return [key, edgesReader(reading, types.edge, field, readNode)]
    if (name === 'pageResultCount') return [key, count]
    const info = collectFields(reading, PageInfo, setsOf(field))
    return [key, readParts(info.map((part) => [part.key, PAGE_INFO[part.name]!]))]
  })
  return { read: readParts(parts), needs }
}
