import { Checkbox } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type Ref,
  useCallback,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type CellRange, isWithin, rangeBetween } from './cell-range.ts'
import styles from './Grid.module.css'
import { HeadCell, type Sorted } from './HeadCell.tsx'
import { useClipboard } from './use-clipboard.ts'
import { useWidths } from './use-widths.ts'

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

/** A cell that is given a text; empty for none. */
export interface FilledCell {
  readonly row: number
  readonly column: GridColumn
  readonly text: string
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
  /** Texts were pasted into cells, or cells were emptied by Delete. */
  readonly onFill?: ((cells: readonly FilledCell[]) => void) | undefined
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
  onFill,
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
  // Row −1 is the head.
  const [active, setActive] = useState({ row: 0, column: 0 })
  /** The other corner of the cells that are chosen together. */
  const [anchor, setAnchor] = useState<typeof active>()
  const range: CellRange | undefined = anchor && rangeBetween(anchor, active)
  const numberWidth = 30 + String(rowCount).length * 8 + (onSelect === undefined ? 0 : 26)
  const { widths, setWidth, fitWidth } = useWidths({
    scroller,
    columns,
    rowCount,
    cell,
    numberWidth,
    widthsKey,
  })

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
    estimateSize: (index) => widths[index]!,
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
  const widthsNow = widths.join()
  const measuredWidths = useRef(widthsNow)
  if (measuredWidths.current !== widthsNow) {
    measuredWidths.current = widthsNow
    shownColumns.measure()
  }
  const width = numberWidth + shownColumns.getTotalSize()
  const items = rows.getVirtualItems()
  const across = shownColumns.getVirtualItems()
  const last = items.at(-1)
  if (onEnd !== undefined && last !== undefined && last.index >= rowCount - 20) queueMicrotask(onEnd)

  const cellId = (row: number, column: number) => `${id}-${row}-${column}`
  /** Nothing scrolls: what a pointer is pressed on stays below it. */
  const choose = (row: number, column: number, isExtended = false) => {
    setAnchor(isExtended ? (anchor ?? active) : undefined)
    setActive({ row, column })
  }
  const activate = (row: number, column: number, isExtended = false) => {
    const to = {
      row: Math.max(onSort === undefined || isExtended ? 0 : -1, Math.min(rowCount - 1, row)),
      column: Math.max(0, Math.min(columns.length - 1, column)),
    }
    choose(to.row, to.column, isExtended)
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
  const toggle = (row: number) => {
    const next = new Set(selected)
    if (!next.delete(row)) next.add(row)
    onSelect?.(next)
  }

  const { copy, fill } = useClipboard({
    scroller,
    columns,
    rowCount,
    cell,
    chosen: range ?? rangeBetween(active, active),
    onFill: active.row < 0 ? undefined : onFill,
  })

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return
    const { row, column } = active
    const go = event.shiftKey ? (to: number, across: number) => activate(to, across, true) : move
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / ROW) - 2)
    const isWide = event.ctrlKey || event.metaKey
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(row + 1, column),
      ArrowUp: () => go(row - 1, column),
      ArrowRight: () => go(row, column + 1),
      ArrowLeft: () => go(row, column - 1),
      PageDown: () => go(row + page, column),
      PageUp: () => go(Math.max(0, row - page), column),
      Home: () => go(isWide ? 0 : row, 0),
      End: () => go(isWide ? rowCount - 1 : row, columns.length - 1),
      Enter: () => (row < 0 ? sortBy(columns[column]!) : onOpen?.(row, columns[column]!)),
      F2: () => row >= 0 && onEdit?.(row, columns[column]!),
      ...(row >= 0 &&
        onEdit !== undefined && {
          Delete: () => fill([['']]),
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
      copy()
    }
  }

  /** A range is drawn by a mouse that goes over its cells. */
  const isDrawing = useRef(false)
  const beginRange = ({ button, shiftKey, target }: PointerEvent, row: number, column: number) => {
    if (button !== 0 || (target as Element).closest('input, select, textarea') !== null) return
    if (shiftKey) window.getSelection()?.removeAllRanges()
    choose(row, column, shiftKey)
    isDrawing.current = true
    window.addEventListener('pointerup', () => (isDrawing.current = false), { once: true })
  }
  const extendRange = (row: number, column: number) => {
    if (!isDrawing.current) return
    window.getSelection()?.removeAllRanges()
    choose(row, column, true)
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
      aria-multiselectable
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
          {across.map(({ index, start, size }) => (
            <HeadCell
              key={columns[index]!.key}
              id={cellId(-1, index)}
              column={columns[index]!}
              index={index}
              sorted={sorted}
              canSort={canSort(columns[index]!)}
              isFocused={active.row === -1 && active.column === index}
              left={start}
              width={size}
              onSort={() => sortBy(columns[index]!)}
              onWidth={(to) => setWidth(columns[index]!, to)}
              onFit={() =>
                fitWidth(
                  columns[index]!,
                  items.map(({ index: row }) => row),
                )
              }
            />
          ))}
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
                    aria-selected={(range !== undefined && isWithin(range, row, index)) || undefined}
                    onPointerDown={(event) => beginRange(event, row, index)}
                    onPointerEnter={() => extendRange(row, index)}
                    onClick={({ target, shiftKey }) => {
                      if (shiftKey) return
                      choose(row, index)
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
