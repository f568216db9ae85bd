import { Button, Code, CopyButton, Drawer, Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import { objectOfId, useDescribe } from '../../api/describe.ts'
import { CellInput } from '../../components/grid/CellInput.tsx'
import { CellText, textOf } from '../../components/grid/CellText.tsx'
import { type Cell, Grid, type GridColumn } from '../../components/grid/Grid.tsx'
import { count } from '../../components/words.ts'
import { type Children, columnsOf, objectOf, type ResultColumn, type Row, valueAt } from './columns.ts'
import { type Edits, stage } from './edits.ts'

interface Shown {
  readonly label: string
  readonly rows: readonly Row[]
  readonly edits?: Edits
  readonly onEdits?: ((edits: Edits) => void) | undefined
  readonly selected?: ReadonlySet<number> | undefined
  readonly onSelect?: ((selected: ReadonlySet<number>) => void) | undefined
  readonly onEnd?: (() => void) | undefined
}

interface Column extends GridColumn, ResultColumn {}

const NO_EDITS: Edits = {}

/** Numbers by size, all else as texts; what is empty comes last. */
function compare(a: unknown, b: unknown): number {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1
  if (b === null || b === undefined) return -1
  return typeof a === 'number' && typeof b === 'number' ? a - b : textOf(a).localeCompare(textOf(b))
}

function order(rows: readonly Row[], column: Column | undefined, isDescending: boolean): readonly Row[] {
  if (column === undefined) return rows
  const of = (row: Row) => {
    const value = valueAt(row, column.path)
    return column.kind === 'children' ? ((value as Children | null)?.totalSize ?? 0) : value
  }
  return rows.toSorted((a, b) => {
    const [first, second] = [of(a), of(b)]
    const isEmpty = (value: unknown) => value === null || value === undefined
    if (isEmpty(first) || isEmpty(second)) return compare(first, second)
    return isDescending ? compare(second, first) : compare(first, second)
  })
}

/** Rows of a result: sorted and widened here, edited where the caller may, children below their record. */
export function ResultGrid({ label, rows, edits = NO_EDITS, onEdits, selected, onSelect, onEnd }: Shown) {
  const object = objectOf(rows[0])
  const { data: description } = useDescribe(onEdits === undefined ? undefined : object)
  const [sorted, setSorted] = useState<{ key: string; isDescending: boolean }>()
  const [openRows, setOpenRows] = useState<ReadonlySet<number>>(new Set())
  const [opened, setOpened] = useState<{ title: string; text: string }>()
  const [editing, setEditing] = useState<{ id: string; key: string }>()
  const host = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()

  const columns = useMemo(
    () =>
      columnsOf(rows).map((column): Column => {
        const value = rows
          .map((row) => valueAt(row, column.path))
          .find((one) => one !== null && one !== undefined)
        const key = column.path.join('.')
        return { ...column, key, label: key, isNumber: typeof value === 'number' }
      }),
    [rows],
  )
  const shown = useMemo(
    () =>
      order(
        rows,
        columns.find(({ key }) => key === sorted?.key),
        sorted?.isDescending ?? false,
      ),
    [rows, columns, sorted],
  )
  const fields = useMemo(
    () => new Map(description?.fields.map((field) => [field.name, field])),
    [description],
  )

  const editable = (row: Row, column: GridColumn) => {
    const field = fields.get(column.key)
    return onEdits !== undefined &&
      field?.updateable === true &&
      typeof row.Id === 'string' &&
      objectOf(row) === object
      ? field
      : undefined
  }
  const toggle = (row: number) => {
    const next = new Set(openRows)
    if (!next.delete(row)) next.add(row)
    setOpenRows(next)
  }
  const open = (index: number, gridColumn: GridColumn) => {
    const column = gridColumn as Column
    if (column.kind === 'children') return toggle(index)
    const value = valueAt(shown[index]!, column.path)
    // Enter follows the link that a click would.
    const target = objectOfId(value)
    if (target !== undefined)
      return void navigate({ to: '/records/$object/$id', params: { object: target, id: String(value) } })
    setOpened({
      title: column.key,
      text: typeof value === 'object' ? JSON.stringify(value, null, 2) : textOf(value),
    })
  }
  const edit = (index: number, column: GridColumn) => {
    const row = shown[index]!
    if (editable(row, column) === undefined) open(index, column)
    else setEditing({ id: String(row.Id), key: column.key })
  }
  const endEdit = () => {
    setEditing(undefined)
    host.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  }

  const cell = (index: number, gridColumn: GridColumn): Cell => {
    const column = gridColumn as Column
    const row = shown[index]!
    const value = valueAt(row, column.path)
    if (column.kind === 'children') {
      const total = (value as Children | null)?.totalSize ?? 0
      const text = count(total)
      return {
        text,
        shown:
          total === 0 ? (
            <Text size="xs" c="dimmed">
              0
            </Text>
          ) : (
            <Button size="compact-xs" variant="subtle" tabIndex={-1} onClick={() => toggle(index)}>
              {openRows.has(index) ? '▾' : '▸'} {text}
            </Button>
          ),
      }
    }
    const change = column.path.length === 1 ? edits[String(row.Id)] : undefined
    const staged = change?.fields[column.key]
    const current = staged === undefined ? value : staged.is
    const field = editing?.id === row.Id && editing?.key === column.key ? editable(row, column) : undefined
    return {
      text: textOf(current),
      isChanged: staged !== undefined,
      isFailed: staged !== undefined && change?.problem !== undefined,
      shown:
        field === undefined ? (
          <CellText value={current} />
        ) : (
          <CellInput
            field={field}
            value={current}
            onCancel={endEdit}
            onDone={(is) => {
              onEdits?.(stage(edits, row, object!, column.key, is))
              endEdit()
            }}
          />
        ),
    }
  }

  return (
    <div ref={host} style={{ height: '100%' }}>
      <Grid
        label={label}
        columns={columns}
        rowCount={shown.length}
        cell={cell}
        sorted={sorted}
        onSort={setSorted}
        onOpen={open}
        onEdit={edit}
        selected={selected}
        onSelect={onSelect}
        openRows={openRows}
        below={(index) => <ChildGrids row={shown[index]!} columns={columns} />}
        onEnd={onEnd}
        widthsKey={object ?? 'rows'}
      />
      <Drawer
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={opened?.title}
        position="right"
        size="lg"
      >
        <Group mb="xs">
          <CopyButton value={opened?.text ?? ''}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
          <Text size="xs" c="dimmed">
            {count(opened?.text.length ?? 0)} characters
          </Text>
        </Group>
        {opened?.text === '' ? (
          <Text c="dimmed">NULL</Text>
        ) : (
          <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
            {opened?.text}
          </Code>
        )}
      </Drawer>
    </div>
  )
}

function ChildGrids({ row, columns }: { row: Row; columns: readonly Column[] }) {
  const found = columns
    .filter(({ kind }) => kind === 'children')
    .map(({ key, path }) => ({ key, children: valueAt(row, path) as Children | null }))
    .filter(({ children }) => (children?.totalSize ?? 0) > 0)
  return (
    <div style={{ display: 'flex', gap: 12, height: '100%' }}>
      {found.map(({ key, children }) => (
        <div key={key} style={{ flex: 1, minWidth: 0, display: 'flex', flexDirection: 'column' }}>
          <Text size="xs" fw={600} c="dimmed" mb={4}>
            {key}
            {children!.done ? '' : `, ${count(children!.records.length)} of ${count(children!.totalSize)}`}
          </Text>
          <div style={{ flex: 1, minHeight: 0, border: '1px solid var(--console-line)' }}>
            <ResultGrid label={key} rows={children!.records} />
          </div>
        </div>
      ))}
    </div>
  )
}
