import { UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { Field } from '../../api/describe.ts'
import { CopyName } from './CopyName.tsx'
import { labelBeside, traitsOf, typeOf } from './field-text.ts'
import type { OnInsert } from './inserted.ts'
import styles from './Schema.module.css'

/** So many values of a picklist are shown. */
const MAX_VALUES = 100

interface Shown {
  readonly field: Field
  /** The way from the queried object: `Account.Owner.` */
  readonly way: string
  readonly isFirst: boolean
  readonly verb: string
  readonly onInsert: OnInsert
  readonly onFollow: (object: string, way: string) => void
}

/** A field: its name inserts it, its reference leads on to the parent, its values are those of a picklist. */
export function FieldRow({ field, way, isFirst, verb, onInsert, onFollow }: Shown) {
  const [isOpen, setOpen] = useState(false)
  const { name, label, picklistValues, relationshipName, referenceTo } = field
  const values = picklistValues.filter(({ active }) => active)
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <UnstyledButton
          className={styles.row}
          data-schema-row
          tabIndex={isFirst ? 0 : -1}
          title={`${verb} ${way}${name}`}
          onClick={() => onInsert({ kind: 'field', text: way + name })}
        >
          <span className={styles.head}>
            <span className={styles.name}>{name}</span>
            <span className={styles.note}>{typeOf(field)}</span>
          </span>
          <span className={styles.note}>{[...labelBeside(name, label), ...traitsOf(field)].join(' · ')}</span>
        </UnstyledButton>
        <CopyName name={name} />
      </div>
      <div className={styles.type}>
        {values.length > 0 && (
          <UnstyledButton
            className={styles.more}
            aria-expanded={isOpen}
            aria-label={`${values.length} values of ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            {values.length} values <Chevron size={12} />
          </UnstyledButton>
        )}
        {relationshipName !== null &&
          referenceTo.map((target) => (
            <UnstyledButton
              key={target}
              className={`${styles.more} console-link`}
              aria-label={`→ ${target} by ${name}`}
              // Of one of several objects a query names what they have in common.
              onClick={() =>
                onFollow(referenceTo.length === 1 ? target : 'Name', `${way}${relationshipName}.`)
              }
            >
              → {target}
            </UnstyledButton>
          ))}
      </div>
      {isOpen && (
        <ul className={styles.values}>
          {values.slice(0, MAX_VALUES).map(({ value, label: shown }) => (
            <li key={value}>
              <UnstyledButton
                className={styles.more}
                title={shown === value ? undefined : shown}
                onClick={() => onInsert({ kind: 'value', text: value })}
              >
                {value}
              </UnstyledButton>
            </li>
          ))}
          {values.length > MAX_VALUES && <li>and {values.length - MAX_VALUES} more</li>}
        </ul>
      )}
    </div>
  )
}
