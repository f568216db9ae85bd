import { Anchor, Checkbox, Text } from '@mantine/core'
import { type Field, objectOfId } from '../../api/describe.ts'
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
  switch (field.type) {
    case 'boolean':
      return <Checkbox checked={value === true} readOnly size="xs" aria-label={field.label} tabIndex={-1} />
    case 'reference': {
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
    case 'url':
      return isWebAddress(text) ? (
        <Anchor href={text} target="_blank" rel="noopener noreferrer" size="sm">
          {text}
        </Anchor>
      ) : (
        <span dir="auto">{text}</span>
      )
    case 'email':
      return (
        <Anchor href={`mailto:${encodeURIComponent(text)}`} size="sm">
          {text}
        </Anchor>
      )
    case 'currency':
    case 'double':
    case 'int':
    case 'percent':
      return <span>{typeof value === 'number' ? count(value) : text}</span>
    case 'address':
    case 'location':
      return <CellText value={value} />
    case 'multipicklist':
      return <span>{text.split(';').join(', ')}</span>
    default:
      return <span dir="auto">{text}</span>
  }
}
