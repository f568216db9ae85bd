import { Anchor, Checkbox, Text } from '@mantine/core'
import { type Field, objectOfId } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { CellText, textOf } from '../../components/grid/CellText.tsx'
import { RecordLink } from '../../components/RecordLink.tsx'
import { count } from '../../components/words.ts'

const isWebAddress = (text: string) => /^https?:\/\//i.test(text)

interface Shown {
  readonly field: Field
  readonly value: unknown
  /** Of the record that a reference points to. */
  readonly name?: string | undefined
}

/** A value as its field means it. What a record holds is text here, never markup. */
export function FieldValue({ field, value, name }: Shown) {
  if (value === null || value === undefined) return <CellText value={null} />
  const text = textOf(value)
  switch (kindOf(field)) {
    case 'checkbox':
      return <Checkbox checked={value === true} readOnly size="xs" aria-label={field.label} tabIndex={-1} />
    case 'lookup': {
      const object = objectOfId(value)
      if (object === undefined) return <span>{text}</span>
      return (
        <>
          <RecordLink object={object} id={text}>
            <bdi>{name ?? text}</bdi>
          </RecordLink>
          {name !== undefined && (
            <Text span size="xs" c="dimmed" ff="monospace" ml={8}>
              {text}
            </Text>
          )}
        </>
      )
    }
    case 'link':
      return isWebAddress(text) ? (
        <Anchor href={text} target="_blank" rel="noopener noreferrer" size="sm">
          {text}
        </Anchor>
      ) : (
        <span dir="auto">{text}</span>
      )
    case 'mail':
      return (
        <Anchor href={`mailto:${encodeURIComponent(text)}`} size="sm">
          {text}
        </Anchor>
      )
    case 'number':
      return <span>{typeof value === 'number' ? count(value) : text}</span>
    case 'compound':
      return <CellText value={value} />
    case 'choices':
      return <span>{text.split(';').join(', ')}</span>
    default:
      return <span dir="auto">{text}</span>
  }
}
