import { Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import styles from './Grid.module.css'

export interface GridColumn {
  readonly key: string
  readonly label: string
  /** Numbers stand at the end. */
  readonly isNumber?: boolean
  readonly width?: number
  readonly isSortable?: boolean
}

export interface Cell {
  /** The content as it is drawn. */
  readonly shown: ReactNode
  /** The text that Ctrl+C copies. */
  readonly text: string
  readonly isChanged?: boolean
  /** Why its change was not saved. */
  readonly problem?: string | undefined
}

/** What others do with a grid. */
export interface GridHandle {
  /** Makes a cell the active one and gives the grid the focus; past an edge, the cell at that edge. Without a column it stays. */
  focusCell(row: number, column?: number): void
  /** Makes a row the active one, and leaves the focus where it is. */
  activateRow(row: number): void
}

interface Sorted {
  readonly key: string
  readonly isDescending: boolean
}

interface Shown {
  readonly label: string
  readonly columns: readonly GridColumn[]
  readonly rowCount: number
  readonly cell: (row: number, column: GridColumn) => Cell
  readonly sorted?: Sorted | undefined
  readonly onSort?: ((sorted: Sorted | undefined) => void) | undefined
  /** The user went to a row, by a key or by a click on something other than a link in it. */
  readonly onActive?: ((row: number, isClick: boolean) => void) | undefined
  /** The row whose record is open beside the grid. */
  readonly openRow?: number | undefined
  /** Enter or a double click; true when it was taken up. */
  readonly onOpen?: ((row: number, column: GridColumn) => void) | undefined
  /** F2 or a double click; with the characters that were typed to begin with them. */
  readonly onEdit?: ((row: number, column: GridColumn, typed?: string) => void) | undefined
  /** Delete. */
  readonly onClear?: ((row: number, column: GridColumn) => void) | undefined
  /** Ctrl+Z. */
  readonly onUndo?: (() => void) | undefined
  readonly selected?: ReadonlySet<number> | undefined
  readonly onSelect?: ((selected: ReadonlySet<number>) => void) | undefined
  /** Draws the area below a row, as its children. */
  readonly below?: ((row: number) => ReactNode) | undefined
  readonly openRows?: ReadonlySet<number> | undefined
  /** Called when the last rows come into sight. */
  readonly onEnd?: (() => void) | undefined
  readonly widthsKey?: string
  readonly ref?: Ref<GridHandle>
}

const ROW = 31
const BELOW = 250
const HEAD = 34
const MIN_WIDTH = 56
const MAX_WIDTH = 640

const widthOf = ({ key, label, width }: GridColumn) =>
  width ?? (/Id$/.test(key) ? 190 : Math.max(120, Math.min(260, label.length * 8 + 48)))

/** Widths that the user chose, by object, in this browser. */
function readWidths(key: string | undefined): Record<string, number> {
  try {
    return key === undefined ? {} : JSON.parse(localStorage.getItem(`objectry.widths.${key}`) ?? '{}')
  } catch {
    return {}
  }
}

/**
 * Rows and columns, of which those in sight are drawn. The grid itself has the focus and points at the active cell, so that
 * scrolling never loses it.
 */
export function Grid({
  label,
  columns,
  rowCount,
  cell,
  sorted,
  onSort,
  onActive,
  openRow,
  onOpen,
  onEdit,
  onClear,
  onUndo,
  selected,
  onSelect,
  below,
  openRows,
  onEnd,
  widthsKey,
  ref,
}: Shown) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [widths, setWidths] = useState(() => readWidths(widthsKey))
  // Row −1 is the head.
  const [active, setActive] = useState({ row: 0, column: 0 })
  const numberWidth = 30 + String(rowCount).length * 8 + (onSelect === undefined ? 0 : 26)

  const opened = useMemo(() => [...(openRows ?? [])].sort((a, b) => a - b), [openRows])
  const rows = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback((row: number) => (openRows?.has(row) ? ROW + BELOW : ROW), [openRows]),
    overscan: 8,
    scrollPaddingStart: HEAD,
    scrollMargin: HEAD,
  })
  const shownColumns = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => widths[columns[index]!.key] ?? widthOf(columns[index]!),
    overscan: 4,
    scrollPaddingStart: numberWidth,
    scrollMargin: numberWidth,
    getItemKey: (index) => columns[index]!.key,
  })
  const openKey = opened.join()
  const measured = useRef(openKey)
  if (measured.current !== openKey) {
    measured.current = openKey
    rows.measure()
  }
  const width = numberWidth + shownColumns.getTotalSize()
  const items = rows.getVirtualItems()
  const across = shownColumns.getVirtualItems()
  const last = items.at(-1)
  if (onEnd !== undefined && last !== undefined && last.index >= rowCount - 20) queueMicrotask(onEnd)

  const cellId = (row: number, column: number) => `${id}-${row}-${column}`
  const activate = (row: number, column: number) => {
    const to = {
      row: Math.max(onSort === undefined ? 0 : -1, Math.min(rowCount - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    }
    setActive(to)
    if (to.row >= 0) rows.scrollToIndex(to.row, { align: 'auto' })
    shownColumns.scrollToIndex(to.column, { align: 'auto' })
    return to.row
  }
  const move = (row: number, column: number) => {
    const to = activate(row, column)
    if (to >= 0) onActive?.(to, false)
  }
  useImperativeHandle(ref, () => ({
    focusCell(row, column = active.column) {
      scroller.current?.focus({ preventScroll: true })
      activate(Math.max(0, row), column)
    },
    activateRow(row) {
      activate(Math.max(0, row), active.column)
    },
  }))
  const canSort = ({ isSortable }: GridColumn) => onSort !== undefined && isSortable !== false
  const sortBy = (column: GridColumn) => {
    if (!canSort(column)) return
    const { key } = column
    // The first rows of the new order.
    rows.scrollToOffset(0)
    if (sorted?.key !== key) onSort?.({ key, isDescending: false })
    else onSort?.(sorted.isDescending ? undefined : { key, isDescending: true })
  }
  const resize = (key: string, to: number) => {
    const next = { ...widths, [key]: Math.max(MIN_WIDTH, Math.min(MAX_WIDTH, Math.round(to))) }
    setWidths(next)
    if (widthsKey !== undefined) localStorage.setItem(`objectry.widths.${widthsKey}`, JSON.stringify(next))
    shownColumns.measure()
  }
  /** As wide as what is in sight needs. */
  const fit = (column: GridColumn) => {
    const longest = items.reduce(
      (most, { index }) => Math.max(most, cell(index, column).text.length),
      column.label.length + 3,
    )
    resize(column.key, longest * 7.4 + 24)
  }
  const toggle = (row: number) => {
    const next = new Set(selected)
    if (!next.delete(row)) next.add(row)
    onSelect?.(next)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return
    const { row, column } = active
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / ROW) - 2)
    const isWide = event.ctrlKey || event.metaKey
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => move(row + 1, column),
      ArrowUp: () => move(row - 1, column),
      ArrowRight: () => move(row, column + 1),
      ArrowLeft: () => move(row, column - 1),
      PageDown: () => move(row + page, column),
      PageUp: () => move(Math.max(0, row - page), column),
      Home: () => move(isWide ? 0 : row, 0),
      End: () => move(isWide ? rowCount - 1 : row, columns.length - 1),
      Enter: () => (row < 0 ? sortBy(columns[column]!) : onOpen?.(row, columns[column]!)),
      F2: () => row >= 0 && onEdit?.(row, columns[column]!),
      ...(row >= 0 &&
        onEdit !== undefined && {
          Delete: () => onClear?.(row, columns[column]!),
          Backspace: () => onEdit(row, columns[column]!, ''),
        }),
      ...(onSelect !== undefined && { ' ': () => row >= 0 && toggle(row) }),
    }
    const step = isWide && !['Home', 'End'].includes(event.key) ? undefined : steps[event.key]
    const isTyped = [...event.key].length === 1 && !isWide && !event.altKey
    if (step !== undefined) {
      event.preventDefault()
      step()
    } else if (isTyped && row >= 0 && onEdit !== undefined) {
      event.preventDefault()
      onEdit(row, columns[column]!, event.key)
    } else if (isWide && event.key === 'z' && onUndo !== undefined) {
      event.preventDefault()
      onUndo()
    } else if (isWide && event.key === 'c' && row >= 0 && window.getSelection()?.isCollapsed !== false) {
      event.preventDefault()
      void navigator.clipboard.writeText(cell(row, columns[column]!).text)
    }
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table element cannot draw a part of its rows
    <div
      ref={scroller}
      className={styles.grid}
      role="grid"
      aria-label={label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-activedescendant={cellId(active.row, active.column)}
      aria-multiselectable={onSelect !== undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <div style={{ width, height: HEAD + rows.getTotalSize(), position: 'relative' }} role="presentation">
        {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a row of the grid, which has the focus */}
        <div className={styles.head} role="row" aria-rowindex={1} style={{ width }}>
          {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above */}
          <div className={styles.number} role="columnheader" style={{ width: numberWidth }} aria-label="Row">
            {onSelect !== undefined && (
              <Checkbox
                size="xs"
                aria-label="Select all rows that are here"
                checked={rowCount > 0 && selected?.size === rowCount}
                indeterminate={selected !== undefined && selected.size > 0 && selected.size < rowCount}
                onChange={({ currentTarget: { checked } }) =>
                  onSelect(checked ? new Set(Array.from({ length: rowCount }, (_, row) => row)) : new Set())
                }
              />
            )}
          </div>
          {across.map(({ index, start, size }) => {
            const column = columns[index]!
            const isSorted = sorted?.key === column.key
            return (
              // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above
              <div
                key={column.key}
                id={cellId(-1, index)}
                className={styles.headCell}
                role="columnheader"
                aria-colindex={index + 2}
                aria-sort={
                  isSorted
                    ? sorted.isDescending
                      ? 'descending'
                      : 'ascending'
                    : canSort(column)
                      ? 'none'
                      : undefined
                }
                data-sortable={canSort(column) || undefined}
                data-end={column.isNumber || undefined}
                data-focused={(active.row === -1 && active.column === index) || undefined}
                style={{ left: start, width: size }}
                title={column.label}
              >
                {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Enter in the grid does the same */}
                <span className={styles.headLabel} onClick={() => sortBy(column)}>
                  {column.label}
                </span>
                {isSorted && (sorted.isDescending ? <IconArrowDown size={14} /> : <IconArrowUp size={14} />)}
                {/* biome-ignore lint/a11y/noStaticElementInteractions: for a pointer */}
                <span
                  className={styles.edge}
                  onDoubleClick={() => fit(column)}
                  onPointerDown={(event) => {
                    event.preventDefault()
                    const from = event.clientX
                    const target = event.currentTarget
                    target.setPointerCapture(event.pointerId)
                    target.onpointermove = ({ clientX }) => resize(column.key, size + clientX - from)
                    target.onpointerup = () => {
                      target.onpointermove = null
                    }
                  }}
                />
              </div>
            )
          })}
        </div>
        {items.map(({ index: row, start }) => (
          <div key={row} role="presentation">
            {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a row of the grid, which has the focus */}
            <div
              className={styles.row}
              role="row"
              aria-rowindex={row + 2}
              aria-selected={selected?.has(row) ?? (onSelect === undefined ? undefined : false)}
              aria-current={openRow === row || undefined}
              data-selected={selected?.has(row) || undefined}
              style={{ top: start, width }}
            >
              {/* biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: as above */}
              <div className={styles.number} role="rowheader" style={{ width: numberWidth }}>
                {onSelect !== undefined && (
                  <Checkbox
                    size="xs"
                    tabIndex={-1}
                    aria-label={`Select row ${row + 1}`}
                    checked={selected?.has(row) ?? false}
                    onChange={() => toggle(row)}
                  />
                )}
                {row + 1}
              </div>
              {across.map(({ index, start: left, size }) => {
                const column = columns[index]!
                const { shown, isChanged, problem } = cell(row, column)
                return (
                  // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: as above
                  <div
                    key={column.key}
                    id={cellId(row, index)}
                    className={styles.cell}
                    role="gridcell"
                    aria-colindex={index + 2}
                    data-end={column.isNumber || undefined}
                    data-changed={isChanged || undefined}
                    data-failed={problem !== undefined || undefined}
                    aria-invalid={problem !== undefined || undefined}
                    title={problem}
                    data-focused={(active.row === row && active.column === index) || undefined}
                    style={{ left, width: size }}
                    onClick={({ target }) => {
                      setActive({ row, column: index })
                      if ((target as Element).closest('a') === null) onActive?.(row, true)
                    }}
                    onDoubleClick={() => (onEdit ?? onOpen)?.(row, column)}
                  >
                    {shown}
                  </div>
                )
              })}
            </div>
            {openRows?.has(row) && (
              <div className={styles.below} style={{ top: start + ROW, height: BELOW, width: '100%' }}>
                {below?.(row)}
              </div>
            )}
          </div>
        ))}
      </div>
    </div>
  )
}
