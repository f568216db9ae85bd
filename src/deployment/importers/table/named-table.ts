import { distinctNames, labelOfName, ownName } from '../own-name.ts'
import { mapColumn } from './column-types.ts'
import type { Column, Table } from './read-table.ts'

/** `first_name` is `First_Name`. */
export const titled = (name: string, otherwise: string) =>
  labelOfName(ownName(name, otherwise)).replaceAll(' ', '_')

/** A table with the names that it gets here. */
export interface NamedTable extends Table {
  readonly object: string
  /** The fields by the names of the columns. */
  readonly fields: ReadonlyMap<string, string>
}

const isText = (column: Column) => mapColumn(column).field.type === 'string'

/** The foreign key that a column is by itself. */
export const foreignKey = ({ constraints }: Table, column: string) =>
  constraints.find(({ kind, columns }) => kind === 'f' && columns!.length === 1 && columns![0] === column)

export function nameColumns(table: Table, object: string): NamedTable {
  const { columns } = table
  const names = distinctNames(
    columns.map((column, at) => {
      const key =
        foreignKey(table, column.name) !== undefined ? column.name.replace(/_id$/i, '') : column.name
      return titled(key, `Column_${at + 1}`)
    }),
  )
  const fields = columns.map((column, at) => {
    const isName = column.name.toLowerCase() === 'name' && isText(column)
    return [column.name, isName ? 'Name' : `${names[at]}__c`] as const
  })
  return { ...table, object, fields: new Map(fields) }
}
