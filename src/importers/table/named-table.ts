import { FIELD_TYPES } from '../../schema/fields/registry.ts'
import { makeApiName, makeDistinctNames, makeLabel } from '../api-name.ts'
import { mapColumn } from './column-types.ts'
import type { Column, Table } from './read-table.ts'

/** Makes `First_Name` of `first_name`. */
export const titled = (name: string, otherwise: string) =>
  makeLabel(makeApiName(name, otherwise)).replaceAll(' ', '_')

/** A table with the names of its object and fields. */
export interface NamedTable extends Table {
  readonly object: string
  /** Field names by column name. */
  readonly fields: ReadonlyMap<string, string>
}

const isText = (column: Column) => FIELD_TYPES[mapColumn(column).field.type!].namesRecords === true

/** The foreign key of the column alone. */
export const foreignKey = ({ constraints }: Table, column: string) =>
  constraints.find(({ kind, columns }) => kind === 'f' && columns!.length === 1 && columns![0] === column)

export function nameColumns(table: Table, object: string): NamedTable {
  const { columns } = table
  const names = makeDistinctNames(
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
