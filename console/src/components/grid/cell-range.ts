export interface CellPosition {
  readonly row: number
  readonly column: number
}

/** Cells that are chosen together, with their edges. */
export interface CellRange {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

/** The cells between two corners. The head of the grid is never one of them. */
export const rangeBetween = (one: CellPosition, other: CellPosition): CellRange => ({
  top: Math.max(0, Math.min(one.row, other.row)),
  bottom: Math.max(0, one.row, other.row),
  left: Math.min(one.column, other.column),
  right: Math.max(one.column, other.column),
})

export const isWithin = ({ top, bottom, left, right }: CellRange, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right

export const sizeOf = ({ top, bottom, left, right }: CellRange): number =>
  (bottom - top + 1) * (right - left + 1)

/** What becomes of each cell of a range, by rows. */
export const mapRange = <T>(
  { top, bottom, left, right }: CellRange,
  of: (row: number, column: number) => T,
): readonly (readonly T[])[] =>
  Array.from({ length: bottom - top + 1 }, (_, down) =>
    Array.from({ length: right - left + 1 }, (_, across) => of(top + down, left + across)),
  )
