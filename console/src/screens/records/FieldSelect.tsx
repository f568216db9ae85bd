import { Select, Text } from '@mantine/core'
import type { Field } from '../../api/describe.ts'

interface Shown {
  /** Those that are offered. */
  readonly fields: readonly Field[]
  readonly field: Field | undefined
  readonly onChoose: (name: string) => void
  /** The text that is typed to find one. */
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly error?: string | undefined
  readonly isFocused: boolean
  readonly size?: 'xs' | 'sm'
}

/** So many fields are listed; a word finds the others. */
const MAX_LISTED = 60

/** The fields whose name or label has a text. */
export const matchingFields = (fields: readonly Field[], text: string): readonly Field[] =>
  fields.filter((one) => `${one.name} ${one.label}`.toLowerCase().includes(text.trim().toLowerCase()))

export const byLabel = (a: Field, b: Field): number => a.label.localeCompare(b.label)

/** A field, found by its name or its label. */
export function FieldSelect({
  fields,
  field,
  onChoose,
  search,
  onSearch,
  error,
  isFocused,
  size = 'sm',
}: Shown) {
  return (
    <Select
      label="Field"
      size={size}
      placeholder="Find by name or label"
      data={fields.map(({ name: value, label }) => ({ value, label }))}
      value={field?.name ?? null}
      onChange={(name) => name !== null && onChoose(name)}
      error={error}
      searchable
      allowDeselect={false}
      limit={MAX_LISTED}
      searchValue={search}
      onSearchChange={onSearch}
      filter={({ options, search: text, limit }) => {
        const names = new Set(matchingFields(fields, text).map((one) => one.name))
        return options.filter((one) => 'value' in one && names.has(one.value)).slice(0, limit)
      }}
      renderOption={({ option }) => (
        <div>
          <Text size="xs">{option.label}</Text>
          <Text size="xs" c="dimmed" ff="monospace">
            {option.value}
          </Text>
        </div>
      )}
      selectFirstOptionOnChange
      data-autofocus={isFocused || undefined}
    />
  )
}
