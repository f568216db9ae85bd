import type { GraphQLObjectType, SelectionSetNode } from 'graphql'
import type { Row } from '../../storage/database/db.ts'
import { collectFields, type DecodeContext, type Selected, setsOf } from '../document/collect-fields.ts'
import { PageInfo } from '../types/connection-types.ts'
import { cursorOf, type Page } from './page.ts'
import { type NodeDecodeContext, Template } from './template.ts'

/** What was found of a page. */
export interface Found {
  readonly page: Page
  /** One more than the page has where another one follows. */
  readonly rows: readonly Row[]
  /** How many match in all; there where it was asked for. */
  readonly total: number | undefined
}

/** Writes a page as JSON. */
export type WritePage = (found: Found, decodeContext: NodeDecodeContext) => string

const count = ({ page, rows }: Found) => Math.min(rows.length, page.size)
const hasNext = ({ page, rows }: Found) => rows.length > page.size && page.start + page.size < page.bound
const cursorText = (index: number) => `"${cursorOf(index)}"`

const PAGE_INFO: Readonly<Record<string, WritePage>> = {
  __typename: () => '"PageInfo"',
  hasNextPage: (found) => String(hasNext(found)),
  hasPreviousPage: ({ page, rows }) => String(page.start > 0 && rows.length > 0),
  startCursor: (found) => (count(found) === 0 ? 'null' : cursorText(found.page.start)),
  endCursor: (found) => (count(found) === 0 ? 'null' : cursorText(found.page.start + count(found) - 1)),
}

function writeObject(members: readonly (readonly [string, WritePage])[]): WritePage {
  const named = members.map(([key, write]) => [`${JSON.stringify(key)}:`, write] as const)
  return (found, decodeContext) =>
    `{${named.map(([key, write]) => key + write(found, decodeContext)).join(',')}}`
}

/** An edge: the node of a row, and the cursor of its number. */
function writeEdges(
  decodeContext: DecodeContext,
  type: GraphQLObjectType,
  selected: Selected,
  nodeTemplate: (sets: readonly SelectionSetNode[]) => Template,
): WritePage {
  const fields = collectFields(decodeContext, type, setsOf(selected))
  const cursors = fields.some(({ name }) => name === 'cursor')
  // The cursor comes behind the values of the row.
  const members = fields.map((field): [string, Template] => {
    const { key, name } = field
    if (name === 'node') return [key, nodeTemplate(setsOf(field))]
    if (name === 'cursor') return [key, Template.hole((row) => cursorText(row.at(-1) as number))]
    return [key, Template.constant(type.name)]
  })
  const edge = Template.object(members)
  return (found, how) => {
    const { rows, page } = found
    let text = '['
    for (let index = 0; index < count(found); index++) {
      const row = cursors ? [...rows[index]!, page.start + index] : rows[index]!
      text += (index === 0 ? '' : ',') + edge.write(row, how)
    }
    return `${text}]`
  }
}

/** What a page needs of the database. */
export interface PageNeeds {
  readonly rows: boolean
  readonly total: boolean
}

/**
 * Writes a page as a selection asks for it. (docs/reference/api/graphql.md#connections)
 * @param nodeTemplate makes the template of what an edge holds
 */
export function pageWriter(
  decodeContext: DecodeContext,
  types: { readonly page: GraphQLObjectType; readonly edge: GraphQLObjectType },
  sets: readonly SelectionSetNode[],
  nodeTemplate: (sets: readonly SelectionSetNode[]) => Template,
): { readonly write: WritePage; readonly needs: PageNeeds } {
  const needs = { rows: false, total: false }
  const members = collectFields(decodeContext, types.page, sets).map(
    (field): readonly [string, WritePage] => {
      const { key, name } = field
      if (name === '__typename') return [key, () => `"${types.page.name}"`]
      if (name === 'totalCount') {
        needs.total = true
        return [key, ({ total }) => String(total)]
      }
      needs.rows = true
      if (name === 'edges') return [key, writeEdges(decodeContext, types.edge, field, nodeTemplate)]
      if (name === 'pageResultCount') return [key, (found) => String(count(found))]
      const info = collectFields(decodeContext, PageInfo, setsOf(field))
      return [key, writeObject(info.map((part) => [part.key, PAGE_INFO[part.name]!]))]
    },
  )
  return { write: writeObject(members), needs }
}
