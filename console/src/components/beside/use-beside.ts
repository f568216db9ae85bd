import { useMediaQuery } from '@mantine/hooks'
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import type { GridHandle } from '../grid/Grid.tsx'

/** In windows of less pixels what is open lies over the list. */
const BESIDE = 900

interface Listed {
  /** The ids of the rows of a grid. */
  readonly ids: readonly string[]
  /** The one that is open, as the address says; it need not be listed. */
  readonly openId: string | undefined
  /** Writes the address: the id of what is open from now on, or none. */
  readonly onChange: (id: string | undefined, isReplaced: boolean) => void
}

/** A list and what is open of it. */
export interface Beside {
  readonly isOver: boolean
  readonly openId: string | undefined
  /** −1: it is not listed. */
  readonly openRow: number
  readonly lastRow: number
  /** @param isByGrid true if the grid has gone to the row by itself */
  readonly open: (row: number, isByGrid?: boolean) => void
  readonly close: () => void
  /** Escape, in the list and in the panel. */
  readonly closeByKey: (event: KeyboardEvent<HTMLElement>) => void
  readonly grid: RefObject<GridHandle | null>
  readonly list: RefObject<HTMLDivElement | null>
  readonly panel: RefObject<HTMLElement | null>
}

/**
 * What a row of a grid stands for is open beside the grid, or over it where there is no room. The panel follows the arrow keys, while
 * the grid keeps the focus; closed, the focus is in its row.
 */
export function useBeside({ ids, openId, onChange }: Listed): Beside {
  const isOver =
    useMediaQuery(`(max-width: ${BESIDE - 1}px)`, undefined, { getInitialValueInEffect: false }) === true
  const openRow = openId === undefined ? -1 : ids.indexOf(openId)
  /** Where the grid has gone before the address has: it may be further already. */
  const ahead = useRef<string>(undefined)
  const open = (row: number, isByGrid = false) => {
    const id = ids[row]
    if (id === undefined || id === (ahead.current ?? openId)) return
    ahead.current = isByGrid ? id : undefined
    // A step back closes it, however many were looked at.
    onChange(id, openId !== undefined)
  }
  const close = () => onChange(undefined, false)
  const closeByKey = (event: KeyboardEvent<HTMLElement>) => {
    // Menus are children of the panel that stand elsewhere in the page.
    const isInside = event.currentTarget.contains(event.target as Node)
    if (event.key === 'Escape' && openId !== undefined && isInside) close()
  }

  const grid = useRef<GridHandle>(null)
  const list = useRef<HTMLDivElement>(null)
  const panel = useRef<HTMLElement>(null)
  const lastOpen = useRef(openId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another opens, or none
  useEffect(() => {
    const closed = openId === undefined ? lastOpen.current : undefined
    lastOpen.current = openId
    const row = ids.indexOf(openId ?? closed ?? '')
    if (closed !== undefined) grid.current?.focusCell(row < 0 ? 0 : row)
    const isBehind = ahead.current !== undefined && openId !== undefined
    if (openId === undefined || openId === ahead.current) ahead.current = undefined
    if (openId === undefined || isBehind) return
    const { activeElement } = document
    const isFree =
      activeElement === document.body ||
      activeElement === panel.current ||
      list.current?.contains(activeElement) === true
    if (isFree && row >= 0 && !isOver) grid.current?.focusCell(row)
    else if (row >= 0) grid.current?.activateRow(row)
    if (isOver ? !panel.current?.contains(activeElement) : isFree && row < 0) panel.current?.focus()
  }, [openId, openRow, isOver])

  return { isOver, openId, openRow, lastRow: ids.length - 1, open, close, closeByKey, grid, list, panel }
}
