/** Facts about the values of a column of a file of rows. */
export interface ColumnShape {
  /** Characters of the longest value. */
  readonly longest: number
  /** Digits before and after the point, of numbers. */
  readonly digits: number
  readonly scale: number
  /** All are written without a point and an exponent. */
  readonly isWhole: boolean
}

/** How an import recognizes the columns of a type in a file of rows. */
export interface TypeInColumns {
  /** True if a value, which is not blank, is one of the type; the column is if all are. */
  readonly has: (value: string) => boolean
  /** Only columns with such a header are of the type; they are, whatever else their values may be. */
  readonly header?: RegExp
  /** The properties of a field for the values, and what they are; undefined if no field of the type holds them. */
  readonly makeField: (column: ColumnShape) => InferredField | undefined
}

interface InferredField {
  readonly length?: number
  readonly precision?: number
  readonly scale?: number
  readonly because: string
}
