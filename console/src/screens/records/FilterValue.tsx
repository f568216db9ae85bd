import { MultiSelect, Select, TextInput } from '@mantine/core'
import type { Field } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { FieldInput } from './FieldInput.tsx'
import { type Operator, PERIODS } from './filters.ts'

interface Shown {
  readonly field: Field
  readonly takes: Operator['takes']
  readonly values: readonly string[]
  /** Of the record that a look-up has chosen. */
  readonly name: string | undefined
  readonly problem: string | undefined
  readonly onChange: (values: readonly string[]) => void
}

/** Times of the stored form, as queries have them. */
const asLiteral = (value: string) => value.replace(/(\.\d+)?(Z|\+0000)$/, 'Z')

/** The value of a filter: entered as its field and operator ask for. */
export function FilterValue({ field, takes, values, name, problem, onChange }: Shown) {
  const value = values[0] ?? ''
  const common = { label: 'Value', size: 'xs', error: problem }
  const change = (one: string | null) => onChange(one === null || one === '' ? [] : [one])
  if (takes === 'nothing') return null
  if (takes === 'period')
    return (
      <Select
        {...common}
        label="Period"
        data={Object.entries(PERIODS).map(([value, label]) => ({ value, label }))}
        value={value}
        onChange={change}
      />
    )
  if (takes === 'choices') {
    const choices = new Map(field.picklistValues.map((one) => [one.value, one.label]))
    // Records may have values that the picklist no longer offers.
    for (const one of values) if (!choices.has(one)) choices.set(one, one)
    return (
      <MultiSelect
        {...common}
        label="Values"
        data={[...choices].map(([value, label]) => ({ value, label }))}
        value={[...values]}
        onChange={onChange}
        searchable
        limit={100}
      />
    )
  }
  switch (kindOf(field)) {
    case 'checkbox':
      return <Select {...common} data={['true', 'false']} value={value} onChange={change} />
    case 'lookup':
    case 'date':
    case 'datetime':
    case 'time':
      return (
        <FieldInput
          field={{ ...field, label: 'Value', inlineHelpText: null }}
          value={value}
          onChange={(changed) => change(changed === null ? null : asLiteral(String(changed)))}
          isRequired={false}
          error={problem}
          name={name}
        />
      )
    default:
      return (
        <TextInput
          {...common}
          value={value}
          dir="auto"
          inputMode={kindOf(field) === 'number' ? 'decimal' : undefined}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
      )
  }
}
