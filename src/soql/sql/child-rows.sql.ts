import { only } from '../../access/row-rules.sql.ts'
import { quoteText, type Sql, sql } from '../../base/sql.ts'
import { type ObjectType, unrestricted } from '../../schema/objects/object-type.ts'
import { records } from '../../schema/objects/records.sql.ts'
import type { Org } from '../../storage/orgs/org.ts'
import type { QueryContext } from '../analyze/query-context.ts'
import type { RowsOf } from './made-rows.sql.ts'

/** Values by column, where they are not those of the record's own column of the same name. */
type Columns = Readonly<Record<string, Sql>>

/** Records of one object, under the alias `n`, as rows of another. */
interface RowSource {
  /** API name of their object. */
  readonly of: string
  readonly columns: Columns
  /** More to read from: joins. */
  readonly joins?: (table: (object: string) => Sql) => Sql
  readonly where?: Sql
}

const n = (column: string) => sql.id('n', column)
const isTrue = sql`true`
const isFalse = sql`false`
const constant = (value: string) => sql.raw(quoteText(value))

/** The records that the user may see, with the columns that a table of the object would have. What is not there is empty. */
function rowsFrom(
  org: Org,
  object: ObjectType,
  source: RowSource,
  found: ObjectType,
  queryContext: QueryContext,
): Sql {
  const table = (name: string) => sql.id(org.schemaName, name.toLowerCase())
  const columns = unrestricted(object).fields.flatMap(({ column, type, definition }) => {
    if (column === undefined) return []
    const own = found.field(column)?.column
    const empty = type.parameter === 'boolean' ? isFalse : sql`null`
    const value = source.columns[column] ?? (own === undefined ? empty : n(own))
    return [sql`(${value})::${sql.raw(type.column(definition)!)} as ${sql.id(column)}`]
  })
  const { joins, where = isTrue } = source
  return sql`select ${sql.join(columns)} from ${table(found.name)} n ${joins?.(table) ?? sql``}
             where ${where} ${only(queryContext.visibleRows(found, 'n'))}`
}

/** All-day events end with their day, wherever the caller is. */
const hasEnded = ({ now, today }: QueryContext): Sql =>
  sql`coalesce(case when n.isalldayevent then coalesce(n.enddate, n.activitydate) < ${today}::text::date
                    else n.enddatetime <= ${now}::text::timestamptz end, false)`

/** The account whose list it is says so itself, also to those who may not read what it follows from. */
const OF_ACCOUNT: Columns = { accountid: n('accountid') }

const activities = (isOpen: boolean) => (queryContext: QueryContext) => [
  {
    of: 'Task',
    columns: { ...OF_ACCOUNT, istask: isTrue, activitysubtype: n('tasksubtype') },
    where: isOpen ? sql`not n.isclosed` : sql`n.isclosed`,
  },
  {
    of: 'Event',
    columns: { ...OF_ACCOUNT, activitysubtype: n('eventsubtype'), isclosed: isOpen ? isFalse : isTrue },
    where: isOpen ? sql`not ${hasEnded(queryContext)}` : hasEnded(queryContext),
  },
]

/** Files have the facts of their latest version. */
const FILE = {
  title: sql.id('file', 'title'),
  filetype: sql.id('file', 'filetype'),
  contentsize: sql.id('file', 'contentsize'),
  fileextension: sql.id('file', 'fileextension'),
  sharingoption: sql.id('file', 'sharingoption'),
} as const

const ofLink = (columns: Columns): RowSource => ({
  of: 'ContentDocumentLink',
  columns: { ...FILE, ...columns },
  joins: (table) => sql`join ${table('ContentDocument')} file on file.id = n.contentdocumentid`,
})

const withName: Columns = { title: n('name') }

/** Sources of each object's rows. */
const SOURCES: ReadonlyMap<string, (queryContext: QueryContext) => readonly RowSource[]> = new Map<
  string,
  (queryContext: QueryContext) => readonly RowSource[]
>([
  ['OpenActivity', activities(true)],
  ['ActivityHistory', activities(false)],
  ['AttachedContentDocument', () => [ofLink({})]],
  [
    'CombinedAttachment',
    () => [
      ofLink({ id: n('contentdocumentid'), parentid: n('linkedentityid'), recordtype: constant('File') }),
      {
        of: 'Attachment',
        columns: { ...withName, recordtype: constant('Attachment'), contentsize: n('bodylength') },
      },
      { of: 'Note', columns: { recordtype: constant('Note') } },
    ],
  ],
  [
    'NoteAndAttachment',
    () => [
      { of: 'Note', columns: { isnote: isTrue } },
      { of: 'Attachment', columns: withName },
    ],
  ],
])

/** The rows of an object that is read as children only: the records of others that the user may see. */
export function childRows(org: Org, { sources: [{ object }] }: RowsOf, queryContext: QueryContext): Sql {
  const rows = SOURCES.get(object.name)!(queryContext).flatMap((source) => {
    const found = queryContext.visible.object(source.of)
    return found === undefined ? [] : [rowsFrom(org, object, source, found, queryContext)]
  })
  if (rows.length === 0) return sql`select * from ${records(org, object)}`
  return sql.join(rows, ' union all ')
}
