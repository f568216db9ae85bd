import { useEffect, useRef } from 'react'
import type { Field, PicklistValue } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { textOf } from './CellText.tsx'

/** Where the keyboard goes when an edit is over. */
export type Move = 'down' | 'left' | 'right' | 'stay'

interface Shown {
  readonly field: Field
  readonly value: unknown
  /** What was typed to begin with, in place of the value. */
  readonly typed: string | undefined
  /** Values that a picklist offers here. */
  readonly allowed: readonly PicklistValue[]
  readonly onDone: (value: unknown, move: Move) => void
  readonly onCancel: () => void
}

function readDocument(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Reads typed text as the value of a field; empty text is null, and a document that is no JSON is a text. */
export function typedValue(field: Pick<Field, 'type'>, text: string): unknown {
  const kind = kindOf(field)
  if (kind === 'checkbox') return text === 'true'
  if (text === '') return null
  if (kind === 'document') return readDocument(text)
  return kind === 'number' && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Choices of a field that has them. */
function choicesOf(field: Field, allowed: readonly PicklistValue[]): readonly string[] | undefined {
  const kind = kindOf(field)
  if (kind === 'checkbox') return ['true', 'false']
  if (kind !== 'choice') return undefined
  const values = allowed.map(({ value }) => value)
  return field.nillable ? ['', ...values] : values
}

const STYLE: React.CSSProperties = {
  width: '100%',
  height: 24,
  border: 0,
  outline: 'none',
  font: 'inherit',
  color: 'inherit',
  background: 'transparent',
}

/** A value that is edited in its cell: Enter and Tab take it and go on, Escape leaves it as it was. */
export function CellInput({ field, value, typed, allowed, onDone, onCancel }: Shown) {
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    input.current?.focus()
    // What was typed goes on; a whole value is typed over.
    if (typed === undefined && input.current instanceof HTMLInputElement) input.current.select()
  }, [typed])
  const choices = choicesOf(field, allowed)
  const current = textOf(value)
  const chosen = choices?.find(
    (choice) => typed !== undefined && choice.toLowerCase().startsWith(typed.toLowerCase()),
  )
  const end = (act: () => void) => {
    if (isOver.current) return
    isOver.current = true
    act()
  }
  const take = (move: Move) => end(() => onDone(typedValue(field, input.current?.value ?? ''), move))
  const common = {
    ref: input,
    'aria-label': field.label,
    style: STYLE,
    onBlur: () => take('stay'),
    onKeyDown: (event: React.KeyboardEvent) => {
      const isSave = (event.ctrlKey || event.metaKey) && event.key === 's'
      // The screen saves what it gets here.
      if (isSave) return take('stay')
      event.stopPropagation()
      if (event.key === 'Enter' || event.key === 'Tab') {
        event.preventDefault()
        take(event.key === 'Enter' ? 'down' : event.shiftKey ? 'left' : 'right')
      } else if (event.key === 'Escape') end(onCancel)
    },
  }
  if (choices === undefined) {
    const isDate = kindOf(field) === 'date'
    return (
      <input
        {...common}
        defaultValue={isDate ? current : (typed ?? current)}
        type={isDate ? 'date' : 'text'}
      />
    )
  }
  const shown = choices.includes(current) ? choices : [current, ...choices]
  return (
    <select {...common} defaultValue={chosen ?? current}>
      {shown.map((choice) => (
        <option key={choice} value={choice}>
          {choice === '' ? 'NULL' : choice}
        </option>
      ))}
    </select>
  )
}
