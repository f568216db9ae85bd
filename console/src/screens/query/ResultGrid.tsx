import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { data, get } from '../../api/client.ts'
import { type Field, objectOfId, useDescribe } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { allowedValues } from '../../api/layout.ts'
import { CellInput, type Move, typedValue } from '../../components/grid/CellInput.tsx'
import { CellText, MAX_CHARACTERS, textOf } from '../../components/grid/CellText.tsx'
import {
  type Cell,
  type FilledCell,
  Grid,
  type GridColumn,
  type GridHandle,
} from '../../components/grid/Grid.tsx'
import { count } from '../../components/words.ts'
import { type Children, columnsOf, objectOf, type ResultColumn, type Row, valueAt } from './columns.ts'
import { type Edits, problemAt, stage } from './edits.ts'
import { ValueDrawer } from './ValueDrawer.tsx'

interface Shown {
  readonly label: string
  readonly rows: readonly Row[]
  readonly edits?: Edits
  /** Changes the edits as they are by then: keys come faster than the grid is drawn. */
  readonly onEdits?: ((change: (edits: Edits) => Edits) => void) | undefined
  readonly onUndo?: (() => void) | undefined
  /** When edits were saved last; the first that was refused gets the focus then. */
  readonly savedAt?: number | undefined
}

interface Column extends GridColumn, ResultColumn {}

/** A cell by its record: rows may be sorted meanwhile. */
interface CellPlace {
  readonly id: string
  readonly key: string
  readonly typed: string | undefined
  /** Enter was pressed behind what was typed. */
  readonly isTaken?: boolean
}

const NO_EDITS: Edits = {}

/** True if a value is edited beside the grid, where its lines have room. */
const isLong = (field: Field, value: unknown) =>
  kindOf(field) === 'lines' || textOf(value).length > MAX_CHARACTERS || textOf(value).includes('\n')

const STEPS: Readonly<Record<Move, readonly [down: number, right: number]>> = {
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
  stay: [0, 0],
}

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
export function ResultGrid({ label, rows, edits = NO_EDITS, onEdits, onUndo, savedAt }: Shown) {
  const object = objectOf(rows[0])
  // Rows without an id, as those of aggregates, cannot be edited.
  const canEdit = onEdits !== undefined && typeof rows[0]?.Id === 'string' && object !== 'AggregateResult'
  const { data: description, isLoading } = useDescribe(canEdit ? object : undefined)
  const [sorted, setSorted] = useState<{ key: string; isDescending: boolean }>()
  const [openRows, setOpenRows] = useState<ReadonlySet<number>>(new Set())
  const [opened, setOpened] = useState<{
    row: Row
    column: Column
    isEdited: boolean
    typed: string | undefined
  }>()
  const [editing, setEditing] = useState<CellPlace>()
  /** A cell that was to be edited before it was known whether it can be. */
  const [wanted, setWanted] = useState<CellPlace>()
  const grid = useRef<GridHandle>(null)
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
  const currentOf = (row: Row, { path, key }: Column): unknown => {
    const staged = path.length === 1 ? edits[String(row.Id)]?.fields[key] : undefined
    return staged === undefined ? valueAt(row, path) : staged.is
  }
  /** What was typed into a cell that is not drawn yet, or of which it is not known yet whether it can be edited. */
  const typedAhead = (index: number, { key }: GridColumn): CellPlace | undefined => {
    const place = wanted ?? editing
    return place?.typed !== undefined && place.id === shown[index]!.Id && place.key === key
      ? place
      : undefined
  }
  const take = ({ id, key, typed }: CellPlace) => {
    const [row, field] = [shown.find(({ Id }) => Id === id), fields.get(key)]
    setEditing(undefined)
    if (row === undefined || field?.updateable !== true) return
    onEdits?.((now) => stage(now, row, object!, key, typedValue(field, typed!)))
    focus(id, key, 'down')
  }
  const open = (index: number, gridColumn: GridColumn) => {
    const column = gridColumn as Column
    const ahead = typedAhead(index, column)
    if (ahead !== undefined) return isLoading ? setWanted({ ...ahead, isTaken: true }) : take(ahead)
    if (column.kind === 'children') return toggle(index)
    const row = shown[index]!
    const value = currentOf(row, column)
    // Enter follows the link that a click would.
    const target = objectOfId(value)
    if (target !== undefined)
      return void navigate({ to: '/records/$object/$id', params: { object: target, id: String(value) } })
    setOpened({ row, column, isEdited: false, typed: undefined })
  }
  const edit = (index: number, gridColumn: GridColumn, more?: string) => {
    const row = shown[index]!
    const column = gridColumn as Column
    const typed = more === undefined ? undefined : (typedAhead(index, column)?.typed ?? '') + more
    const place = { id: String(row.Id), key: column.key, typed }
    if (isLoading) return setWanted(place)
    const field = editable(row, column)
    if (field === undefined) return typed === undefined ? open(index, column) : undefined
    if (isLong(field, currentOf(row, column))) setOpened({ row, column, isEdited: true, typed })
    else setEditing(place)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the description has come
  useEffect(() => {
    if (isLoading || wanted === undefined) return
    setWanted(undefined)
    if (wanted.isTaken) return take(wanted)
    const index = shown.findIndex(({ Id }) => Id === wanted.id)
    const column = columns.find(({ key }) => key === wanted.key)
    if (index >= 0 && column !== undefined) edit(index, column, wanted.typed)
  }, [isLoading, wanted])
  const fill = (cells: readonly FilledCell[]) => {
    if (isLoading) return notifications.show({ message: 'The fields are still being read. Try again.' })
    const known = cells.flatMap(({ row, column, text }) => {
      const field = editable(shown[row]!, column)
      return field === undefined ? [] : [{ row: shown[row]!, key: column.key, is: typedValue(field, text) }]
    })
    if (known.length > 0)
      onEdits?.((now) => known.reduce((edits, { row, key, is }) => stage(edits, row, object!, key, is), now))
    const left = cells.length - known.length
    if (left > 0 && cells.some(({ text }) => text !== ''))
      notifications.show({
        message: `${count(left)} of ${count(cells.length)} cells stay as they are: nothing can be written there.`,
      })
  }
  const focus = (id: string, key: string, move: Move) => {
    const [down, right] = STEPS[move]
    const row = shown.findIndex(({ Id }) => Id === id)
    const column = columns.findIndex((one) => one.key === key)
    grid.current?.focusCell(Math.min(row + down, shown.length - 1), column + right)
  }
  const endEdit = ({ id, key }: CellPlace, move: Move) => {
    setEditing(undefined)
    focus(id, key, move)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each save
  useEffect(() => {
    for (const { Id } of savedAt === undefined ? [] : shown)
      for (const { key } of columns) {
        const change = edits[String(Id)]
        if (change !== undefined && problemAt(change, key) !== undefined)
          return focus(String(Id), key, 'stay')
      }
  }, [savedAt])

  // What a dependent picklist offers hangs on a field that the query may not have asked for.
  const editedField = editing === undefined ? undefined : fields.get(editing.key)
  const controller = fields.get(editedField?.controllerName ?? '')
  const editedRow = editing === undefined ? undefined : shown.find(({ Id }) => Id === editing.id)
  const isControllerRead = controller !== undefined && editedRow !== undefined && controller.name in editedRow
  const { data: readController } = useQuery({
    queryKey: ['record', object, editing?.id, controller?.name],
    queryFn: ({ signal }) =>
      get<Row>(
        data(`/sobjects/${object}/${editing!.id}?${new URLSearchParams({ fields: controller!.name })}`),
        { signal },
      ),
    enabled: controller !== undefined && !isControllerRead,
    retry: false,
  })
  const allowed = (field: Field, row: Row) => {
    if (controller === undefined) return allowedValues(field.picklistValues, undefined, null)
    const staged = edits[String(row.Id)]?.fields[controller.name]
    if (staged === undefined && !isControllerRead && readController === undefined) return []
    const value =
      staged === undefined ? (isControllerRead ? row : readController!)[controller.name] : staged.is
    return allowedValues(field.picklistValues, controller, value)
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
    const current = currentOf(row, column)
    const field = editing?.id === row.Id && editing?.key === column.key ? editable(row, column) : undefined
    return {
      text: textOf(current),
      isChanged: change?.fields[column.key] !== undefined,
      problem: change && problemAt(change, column.key),
      shown:
        field === undefined ? (
          <CellText value={current} />
        ) : (
          <CellInput
            field={field}
            value={current}
            typed={editing!.typed}
            allowed={allowed(field, row)}
            onCancel={() => endEdit(editing!, 'stay')}
            onDone={(is, move) => {
              onEdits?.((now) => stage(now, row, object!, column.key, is))
              endEdit(editing!, move)
            }}
          />
        ),
    }
  }

  return (
    <>
      <Grid
        ref={grid}
        label={label}
        columns={columns}
        rowCount={shown.length}
        cell={cell}
        sorted={sorted}
        onSort={setSorted}
        onOpen={open}
        onEdit={edit}
        onFill={onEdits && fill}
        onUndo={onUndo}
        openRows={openRows}
        below={(index) => <ChildGrids row={shown[index]!} columns={columns} />}
        widthsKey={object ?? 'rows'}
      />
      {opened !== undefined && (
        <ValueDrawer
          title={opened.column.key}
          value={currentOf(opened.row, opened.column)}
          field={editable(opened.row, opened.column)}
          isEdited={opened.isEdited}
          typed={opened.typed}
          onTake={(is) => onEdits?.((now) => stage(now, opened.row, object!, opened.column.key, is))}
          onClose={() => {
            setOpened(undefined)
            focus(String(opened.row.Id), opened.column.key, 'stay')
          }}
        />
      )}
    </>
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
