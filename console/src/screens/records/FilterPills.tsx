import { ActionIcon, Button, MantineThemeProvider, MultiSelect, Popover, Select } from '@mantine/core'
import { IconFilterPlus, IconX } from '@tabler/icons-react'
import { type ReactElement, useRef, useState } from 'react'
import type { Field } from '../../api/describe.ts'
import { kindOf } from '../../api/field-kind.ts'
import { FilterEditor } from './FilterEditor.tsx'
import styles from './FilterPills.module.css'
import { type Filter, findOperator, PERIODS } from './filters.ts'
import { useRecordName } from './use-record-name.ts'

/** Lists inside of the editor are a part of it: a click on them is none beside it. */
const comboboxProps = { withinPortal: false }
const INSIDE = {
  components: {
    Select: Select.extend({ defaultProps: { comboboxProps } }),
    MultiSelect: MultiSelect.extend({ defaultProps: { comboboxProps } }),
  },
}

interface EditorShown {
  readonly filter?: Filter
  readonly fields: readonly Field[]
  readonly onApply: (filter: Filter) => void
  /** The button that opens it. */
  readonly button: (toggle: () => void) => ReactElement
}

function EditorPopover({ filter, fields, onApply, button }: EditorShown) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={300}
      shadow="md"
      trapFocus
      returnFocus
      closeOnEscape={false}
    >
      <Popover.Target>{button(() => setOpen(!isOpen))}</Popover.Target>
      <Popover.Dropdown
        aria-label={filter === undefined ? 'Add filter' : 'Change filter'}
        onKeyDownCapture={({ key, target }) => {
          // In an open list Escape closes the list alone.
          if (key === 'Escape' && (target as Element).ariaExpanded !== 'true') setOpen(false)
        }}
      >
        <MantineThemeProvider inherit theme={INSIDE}>
          <FilterEditor
            filter={filter}
            fields={fields}
            onApply={(applied) => {
              setOpen(false)
              onApply(applied)
            }}
          />
        </MantineThemeProvider>
      </Popover.Dropdown>
    </Popover>
  )
}

function RemoveButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  return (
    <ActionIcon
      variant="default"
      size={30}
      className={styles.remove}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <IconX size={14} />
    </ActionIcon>
  )
}

interface PillShown {
  readonly filter: Filter
  readonly fields: readonly Field[]
  readonly onChange: (filter: Filter) => void
  readonly onRemove: () => void
}

function FilterPill({ filter, fields, onChange, onRemove }: PillShown) {
  const field = fields.find(({ name }) => name === filter.field)
  const recordName = useRecordName(
    field !== undefined && kindOf(field) === 'lookup' ? filter.values[0] : undefined,
  )
  const labels = new Map(field?.picklistValues.map(({ value, label }) => [value, label]))
  const operator = findOperator(filter.operator)
  const values = filter.values.map((value) => {
    if (operator?.takes === 'period') return PERIODS[value] ?? value
    if (field !== undefined && kindOf(field) === 'datetime')
      return value.replace(/T(\d\d:\d\d)(:00)?Z$/, ' $1 UTC')
    return labels.get(value) ?? recordName ?? value
  })
  const text = [field?.label ?? filter.field, operator?.label, values.join(', ')].join(' ').trim()
  return (
    <li className={styles.pill}>
      <EditorPopover
        filter={filter}
        fields={fields}
        onApply={onChange}
        button={(toggle) => (
          <Button
            variant="default"
            className={styles.text}
            title={text}
            aria-keyshortcuts="Delete"
            onClick={toggle}
            onKeyDown={({ key }) => {
              if (key === 'Delete' || key === 'Backspace') onRemove()
            }}
          >
            {text}
          </Button>
        )}
      />
      <RemoveButton label={`Remove filter: ${text}`} onClick={onRemove} />
    </li>
  )
}

interface Shown {
  readonly filters: readonly Filter[]
  readonly fields: readonly Field[]
  readonly onChange: (filters: readonly Filter[]) => void
  readonly sorted: { readonly label: string; readonly isDescending: boolean } | undefined
  readonly onUnsort: () => void
}

/** The filters and the order of a list; each filter with its field, operator and value. */
export function FilterPills({ filters, fields, onChange, sorted, onUnsort }: Shown) {
  const adding = useRef<HTMLButtonElement>(null)
  return (
    <div className={styles.filters}>
      {filters.length > 0 && (
        <ul aria-label="Filters" className={styles.pills}>
          {filters.map((filter, index) => (
            <FilterPill
              // biome-ignore lint/suspicious/noArrayIndexKey: a changed filter keeps its place, and the focus
              key={index}
              filter={filter}
              fields={fields}
              onChange={(changed) => onChange(filters.with(index, changed))}
              onRemove={() => {
                onChange(filters.toSpliced(index, 1))
                adding.current?.focus()
              }}
            />
          ))}
        </ul>
      )}
      <EditorPopover
        fields={fields}
        onApply={(filter) => onChange([...filters, filter])}
        button={(toggle) => (
          <Button
            ref={adding}
            variant="subtle"
            color="gray"
            leftSection={<IconFilterPlus size={15} />}
            onClick={toggle}
          >
            Add filter
          </Button>
        )}
      />
      {sorted !== undefined && (
        <div className={styles.pill}>
          <span className={styles.order}>
            Sorted by {sorted.label}, {sorted.isDescending ? 'descending' : 'ascending'}
          </span>
          <RemoveButton
            label="Remove sort"
            onClick={() => {
              onUnsort()
              adding.current?.focus()
            }}
          />
        </div>
      )}
    </div>
  )
}
