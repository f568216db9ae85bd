/** How the value of a formula is given out. */
export interface FormulaOutput {
  /** Decimals of a number; not rounded when absent. */
  readonly scale?: number | undefined
  /** 0.5 is given out as 50. */
  readonly isPercent?: boolean | undefined
}

/** Characters of a text that a formula field shows. */
export const MAX_RESULT_LENGTH = 1300
