/*
 * Spreadsheets evaluate a cell that begins like a formula, in CSV files too, and a formula can send the contents of other
 * cells to a third party.
 */

/** Text that would be a formula, with any number of apostrophes in front that already neutralize it. */
const LIKE_FORMULA = /^'*[=+\-@\t\r]/
const NEUTRALIZED = /^'+[=+\-@\t\r]/

/** Adds an apostrophe in front of text that a spreadsheet would take for a formula. */
export const neutralCell = (text: string): string => (LIKE_FORMULA.test(text) ? `'${text}` : text)

/** Reverses `neutralCell`. */
export const textOfNeutralCell = (cell: string): string => (NEUTRALIZED.test(cell) ? cell.slice(1) : cell)
