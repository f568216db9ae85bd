/*
 * Spreadsheets take a cell for a formula that begins like one, also in a file of CSV, and a formula can send away what is
 * in the cells beside it.
 */

/** Apostrophes stand before what would be a formula, and before apostrophes that did so already. */
const LIKE_FORMULA = /^'*[=+\-@\t\r]/
const NEUTRALISED = /^'+[=+\-@\t\r]/

/** The text as a cell that no spreadsheet takes for a formula: with an apostrophe before it, where it begins like one. */
export const neutralCell = (text: string): string => (LIKE_FORMULA.test(text) ? `'${text}` : text)

/** The text that became the cell. */
export const textOfNeutralCell = (cell: string): string => (NEUTRALISED.test(cell) ? cell.slice(1) : cell)
