import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import styles from './Grid.module.css'
import type { GridColumn } from './Grid.tsx'

export interface Sorted {
  readonly key: string
  readonly isDescending: boolean
}

interface Shown {
  readonly id: string
  readonly column: GridColumn
  readonly index: number
  readonly sorted: Sorted | undefined
  readonly canSort: boolean
  readonly isFocused: boolean
  /** In pixels, as is the width. */
  readonly left: number
  readonly width: number
  readonly onSort: () => void
  readonly onWidth: (width: number) => void
  /** The column is to be as wide as what is in sight needs. */
  readonly onFit: () => void
}

/** The head of a column: sorts by a click, and is drawn wider at its edge. */
export function HeadCell({
  id,
  column,
  index,
  sorted,
  canSort,
  isFocused,
  left,
  width,
  onSort,
  onWidth,
  onFit,
}: Shown) {
  const order = sorted?.key !== column.key ? 'none' : sorted.isDescending ? 'descending' : 'ascending'
  return (
    // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: a cell of the grid, which has the focus
    <div
      id={id}
      className={styles.headCell}
      role="columnheader"
      aria-colindex={index + 2}
      aria-sort={canSort || order !== 'none' ? order : undefined}
      data-sortable={canSort || undefined}
      data-end={column.isNumber || undefined}
      data-focused={isFocused || undefined}
      style={{ left, width }}
      title={column.label}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: Enter in the grid does the same */}
      <span className={styles.headLabel} onClick={onSort}>
        {column.label}
      </span>
      {order === 'ascending' && <IconArrowUp size={14} />}
      {order === 'descending' && <IconArrowDown size={14} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: for a pointer */}
      <span
        className={styles.edge}
        onDoubleClick={onFit}
        onPointerDown={(event) => {
          event.preventDefault()
          const from = event.clientX
          const target = event.currentTarget
          target.setPointerCapture(event.pointerId)
          target.onpointermove = ({ clientX }) => onWidth(width + clientX - from)
          target.onpointerup = () => {
            target.onpointermove = null
          }
        }}
      />
    </div>
  )
}
