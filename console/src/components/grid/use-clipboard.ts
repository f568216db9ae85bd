import { useWindowEvent } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import type { RefObject } from 'react'
import { count } from '../words.ts'
import { type CellRange, mapRange, sizeOf } from './cell-range.ts'
import type { Cell, FilledCell, GridColumn } from './Grid.tsx'
import { readCells, writeCells } from './tab-separated.ts'

/** Cells that are copied or pasted at once: more are exported as a file. */
const MAX_CELLS = 50_000

interface Options {
  readonly scroller: RefObject<HTMLElement | null>
  readonly columns: readonly GridColumn[]
  readonly rowCount: number
  readonly cell: (row: number, column: GridColumn) => Cell
  readonly chosen: CellRange
  readonly onFill: ((cells: readonly FilledCell[]) => void) | undefined
}

/** Copies the chosen cells of a grid, and fills them with what is pasted. */
export function useClipboard({ scroller, columns, rowCount, cell, chosen, onFill }: Options) {
  const tooMany = (verb: string) =>
    notifications.show({ color: 'red', message: `At most ${count(MAX_CELLS)} cells are ${verb} at once.` })
  const copy = () => {
    const size = sizeOf(chosen)
    if (rowCount === 0) return
    if (size > MAX_CELLS) return tooMany('copied')
    const texts = mapRange(chosen, (row, column) => cell(row, columns[column]!).text)
    // One cell is copied as it is.
    void navigator.clipboard.writeText(size === 1 ? texts[0]![0]! : writeCells(texts))
  }
  /** One text goes into all chosen cells; several go where the first chosen cell is, and beyond the chosen ones. */
  const fill = (texts: readonly (readonly string[])[]) => {
    const { top, left } = chosen
    const isOne = texts.length === 1 && texts[0]!.length === 1
    const size = isOne ? sizeOf(chosen) : texts.reduce((sum, cells) => sum + cells.length, 0)
    if (size > MAX_CELLS) return tooMany('filled')
    const filled = isOne
      ? mapRange(chosen, (row, column) => ({ row, column, text: texts[0]![0]! }))
      : texts.map((cells, down) =>
          cells.map((text, across) => ({ row: top + down, column: left + across, text })),
        )
    onFill?.(
      filled
        .flat()
        .filter(({ row, column }) => row < rowCount && column < columns.length)
        .map(({ row, column, text }) => ({ row, column: columns[column]!, text })),
    )
  }
  // What is not edited itself gets no such event, though it has the focus.
  useWindowEvent('paste', (event) => {
    if (document.activeElement !== scroller.current || onFill === undefined) return
    event.preventDefault()
    fill(readCells(event.clipboardData?.getData('text/plain') ?? ''))
  })
  return { copy, fill }
}
