import { objectOfId } from '../../api/describe.ts'
import { RecordLink } from '../RecordLink.tsx'
import styles from './Grid.module.css'

/** A cell draws so much; the whole opens beside it. */
export const MAX_CHARACTERS = 256

/** A value as a text: what is copied and exported. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Line ends and tabs of a value in one line. */
const inOneLine = (text: string) => text.slice(0, MAX_CHARACTERS).replaceAll(/\s+/g, ' ')

function addressText(value: object): string {
  const parts = value as Record<string, unknown>
  if ('latitude' in parts && !('city' in parts))
    return `${textOf(parts.latitude)}, ${textOf(parts.longitude)}`
  if ('city' in parts)
    return [parts.street, parts.postalCode, parts.city, parts.state, parts.country].filter(Boolean).join(', ')
  return JSON.stringify(value)
}

/** Ids are links, nulls are faint, what is not there is nothing, all else is text. */
export function CellText({ value }: { value: unknown }) {
  if (value === undefined) return null
  if (value === null) return <span className={styles.nothing}>NULL</span>
  if (typeof value === 'object') return <span>{inOneLine(addressText(value))}</span>
  const text = String(value)
  const object = objectOfId(value)
  if (object !== undefined) return <RecordLink object={object} id={text} isSkipped />
  if (typeof value === 'number') return <span>{text}</span>
  return <span dir="auto">{inOneLine(text)}</span>
}
