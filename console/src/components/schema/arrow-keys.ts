import type { KeyboardEvent } from 'react'

const ROWS = '[data-schema-row]'

/** Up and Down, Home and End go from row to row; the keyboard enters and leaves the list by Tab, as one thing. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>(ROWS)]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const to = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: rows.length - 1,
  }[event.key]
  // In a text the keys have another meaning.
  const isText = event.target instanceof HTMLInputElement
  if (to === undefined || (isText && event.key !== 'ArrowDown')) return
  const row = rows[Math.max(0, Math.min(to, rows.length - 1))]
  if (row === undefined) return
  event.preventDefault()
  row.focus()
}
