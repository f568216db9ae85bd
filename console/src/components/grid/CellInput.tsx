import { useEffect, useRef } from 'react'
import type { Field } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { textOf } from './CellText.tsx'

interface Shown {
  readonly field: Field
  readonly value: unknown
  readonly onDone: (value: unknown) => void
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
function choicesOf(field: Field): readonly string[] | undefined {
  const kind = kindOf(field)
  if (kind === 'checkbox') return ['true', 'false']
  if (kind !== 'choice') return undefined
  const active = field.picklistValues.filter((one) => one.active).map(({ value }) => value)
  return field.nillable ? ['', ...active] : active
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

/** A value that is edited in its cell: Enter takes it, Escape leaves it as it was. */
export function CellInput({ field, value, onDone, onCancel }: Shown) {
  const input = useRef<HTMLInputElement & HTMLSelectElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    input.current?.focus()
    if (input.current instanceof HTMLInputElement) input.current.select()
  }, [])
  const choices = choicesOf(field)
  const current = textOf(value)
  const end = (act: () => void) => {
    if (isOver.current) return
    isOver.current = true
    act()
  }
  const common = {
    ref: input,
    'aria-label': field.label,
    defaultValue: current,
    style: STYLE,
    onBlur: () => end(() => onDone(typedValue(field, input.current?.value ?? ''))),
    onKeyDown: (event: React.KeyboardEvent) => {
      event.stopPropagation()
      if (event.key === 'Enter' || event.key === 'Tab') {
        event.preventDefault()
        end(() => onDone(typedValue(field, input.current?.value ?? '')))
      } else if (event.key === 'Escape') end(onCancel)
    },
  }
  if (choices === undefined) return <input {...common} type={kindOf(field) === 'date' ? 'date' : 'text'} />
  const shown = choices.includes(current) ? choices : [current, ...choices]
  return (
    <select {...common}>
      {shown.map((choice) => (
        <option key={choice} value={choice}>
          {choice === '' ? 'NULL' : choice}
        </option>
      ))}
    </select>
  )
}
