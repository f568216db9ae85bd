import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import { type JsonText, JsonWriter } from '../../base/json.ts'
import type { Row } from '../../storage/database/db.ts'
import {
  collectFields,
  type DecodeContext,
  getSelectionSets,
  type Selected,
} from '../document/collect-fields.ts'
import { PageInfo } from '../types/connection-types.ts'
import { formatCursor, type Page } from './page.ts'
import { type NodeDecodeContext, Template } from './template.ts'

/** The rows of a page. */
export interface FoundPage {
  readonly page: Page
  /** One row more than the page size if another page follows. */
  readonly rows: readonly Row[]
  /** More rows would have made the answer too large: they are on the next page. */
  readonly isCut: boolean
  /** Total number of matches, if requested. */
  readonly total: number | undefined
}

/** Writes a page as JSON, and yields between rows. */
export type WritePage = (found: FoundPage, decodeContext: NodeDecodeContext) => Generator<void, JsonText>

/** Writes what is short in any page. */
type WriteShort = (found: FoundPage) => string

const writeAtOnce = (write: WriteShort): WritePage =>
  // biome-ignore lint/correctness/useYield: there is nothing to do in slices
  function* (found) {
    return write(found)
  }

const countRows = ({ page, rows }: FoundPage) => Math.min(rows.length, page.size)
const hasNext = ({ page, rows, isCut }: FoundPage) =>
  isCut || (rows.length > page.size && page.start + page.size < page.bound)
const writeCursor = (index: number) => `"${formatCursor(index)}"`

const PAGE_INFO: Readonly<Record<string, WriteShort>> = {
  __typename: () => '"PageInfo"',
  hasNextPage: (found) => String(hasNext(found)),
  hasPreviousPage: ({ page, rows }) => String(page.start > 0 && rows.length > 0),
  startCursor: (found) => (countRows(found) === 0 ? 'null' : writeCursor(found.page.start)),
  endCursor: (found) =>
    countRows(found) === 0 ? 'null' : writeCursor(found.page.start + countRows(found) - 1),
}

function makeObjectWriter(members: readonly (readonly [string, WritePage])[]): WritePage {
  const named = members.map(([key, write]) => [`${JSON.stringify(key)}:`, write] as const)
  return function* (found, decodeContext) {
    const pieces: JsonText[] = []
    for (const [key, write] of named) {
      pieces.push(`${pieces.length === 0 ? '{' : ','}${key}`, yield* write(found, decodeContext))
    }
    return [...(pieces.length === 0 ? ['{'] : pieces), '}']
  }
}

function makeInfoWriter(members: readonly (readonly [string, WriteShort])[]): WritePage {
  const named = members.map(([key, write]) => [`${JSON.stringify(key)}:`, write] as const)
  return writeAtOnce((found) => `{${named.map(([key, write]) => key + write(found)).join(',')}}`)
}

/** Edges: the node of each row, and its cursor. */
function makeEdgesWriter(
  decodeContext: DecodeContext,
  type: GraphQLObjectType,
  selected: Selected,
  nodeTemplate: (sets: readonly SelectionSetNode[]) => Template,
): WritePage {
  const fields = collectFields(decodeContext, type, getSelectionSets(selected))
  const cursors = fields.some(({ name }) => name === 'cursor')
  // The index for the cursor is appended to the row.
  const members = fields.map((field): [string, Template] => {
    const { key, name } = field
    if (name === 'node') return [key, nodeTemplate(getSelectionSets(field))]
    if (name === 'cursor') return [key, Template.hole((row) => writeCursor(row.at(-1) as number))]
    return [key, Template.constant(type.name)]
  })
  const edge = Template.object(members)
  return function* (found, how) {
    const { rows, page } = found
    const writer = new JsonWriter()
    writer.add('[')
    for (let index = 0; index < countRows(found); index++) {
      if (index > 0) writer.add(',')
      edge.writeTo(writer, cursors ? [...rows[index]!, page.start + index] : rows[index]!, how)
      yield
    }
    writer.add(']')
    return writer.end()
  }
}

/** Data that a page needs from the database. */
export interface PageNeeds {
  readonly rows: boolean
  readonly total: boolean
}

/**
 * Makes a writer of the selected fields of a page. (docs/reference/api/graphql.md#connections)
 * @param nodeTemplate makes the template of an edge's node
 */
export function makePageWriter(
  decodeContext: DecodeContext,
  types: { readonly page: GraphQLObjectType; readonly edge: GraphQLObjectType },
  sets: readonly SelectionSetNode[],
  nodeTemplate: (sets: readonly SelectionSetNode[]) => Template,
): { readonly write: WritePage; readonly needs: PageNeeds } {
  const needs = { rows: false, total: false }
  const members = collectFields(decodeContext, types.page, sets).map(
    (field): readonly [string, WritePage] => {
      const { key, name } = field
      if (name === '__typename') return [key, writeAtOnce(() => `"${types.page.name}"`)]
      if (name === 'totalCount') {
        needs.total = true
        return [key, writeAtOnce(({ total }) => String(total))]
      }
      needs.rows = true
      if (name === 'edges') return [key, makeEdgesWriter(decodeContext, types.edge, field, nodeTemplate)]
      if (name === 'pageResultCount') return [key, writeAtOnce((found) => String(countRows(found)))]
      const info = collectFields(decodeContext, PageInfo, getSelectionSets(field))
      return [key, makeInfoWriter(info.map((part) => [part.key, PAGE_INFO[part.name]!]))]
    },
  )
  return { write: makeObjectWriter(members), needs }
}
