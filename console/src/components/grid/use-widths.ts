import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { Cell, GridColumn } from './Grid.tsx'

const MIN_WIDTH = 56
const MAX_WIDTH = 640
/** As wide as a column becomes by itself. */
const MAX_FITTED = 320
/** Rows that a column is fitted to before the user does. */
const FIRST_ROWS = 25

interface Options {
  readonly scroller: RefObject<HTMLElement | null>
  readonly columns: readonly GridColumn[]
  readonly rowCount: number
  readonly cell: (row: number, column: GridColumn) => Cell
  /** Of the column with the numbers of the rows, in pixels. */
  readonly numberWidth: number
  /** Under which the browser keeps what the user chooses. */
  readonly widthsKey: string | undefined
}

/** Widths that the user chose, by object, in this browser. */
function readWidths(key: string | undefined): Record<string, number> {
  try {
    return key === undefined ? {} : JSON.parse(localStorage.getItem(`objectry.widths.${key}`) ?? '{}')
  } catch {
    return {}
  }
}

const within = (least: number, width: number, most: number) =>
  Math.round(Math.max(least, Math.min(most, width)))

/**
 * Widths of columns, in pixels: those that the user chose, else as their first rows need. They fill the grid together until the user
 * has chosen one.
 */
export function useWidths({ scroller, columns, rowCount, cell, numberWidth, widthsKey }: Options) {
  const [chosen, setChosen] = useState(() => readWidths(widthsKey))
  const [space, setSpace] = useState(0)
  const fitted = useRef(new Map<string, number>())
  useLayoutEffect(() => {
    const element = scroller.current!
    const read = () => setSpace(element.clientWidth)
    const observer = new ResizeObserver(read)
    observer.observe(element)
    read()
    return () => observer.disconnect()
  }, [scroller])

  const needed = (column: GridColumn, rows: readonly number[]) =>
    24 +
    7.4 * rows.reduce((most, row) => Math.max(most, cell(row, column).text.length), column.label.length + 3)
  const fit = (column: GridColumn): number => {
    const known = fitted.current.get(column.key)
    if (known !== undefined) return known
    const rows = Array.from({ length: Math.min(rowCount, FIRST_ROWS) }, (_, row) => row)
    const width = within(MIN_WIDTH, needed(column, rows), MAX_FITTED)
    fitted.current.set(column.key, width)
    return width
  }
  const own = columns.map((column) => chosen[column.key] ?? column.width ?? fit(column))
  const left = space - numberWidth - own.reduce((sum, width) => sum + width, 0)
  const isFilled = left > 0 && columns.length > 0 && Object.keys(chosen).length === 0
  const more = isFilled ? Math.floor(left / columns.length) : 0
  const widths = more === 0 ? own : own.map((width) => width + more)

  const setWidth = ({ key }: GridColumn, to: number) => {
    // The others stay as they are.
    const all = Object.fromEntries(columns.map((column, index) => [column.key, widths[index]!]))
    const next = { ...all, ...chosen, [key]: within(MIN_WIDTH, to, MAX_WIDTH) }
    setChosen(next)
    if (widthsKey !== undefined) localStorage.setItem(`objectry.widths.${widthsKey}`, JSON.stringify(next))
  }
  return {
    widths,
    setWidth,
    /** As wide as these rows need. */
    fitWidth: (column: GridColumn, rows: readonly number[]) => setWidth(column, needed(column, rows)),
  }
}
