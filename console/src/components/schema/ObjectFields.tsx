import { ActionIcon, Group, Text, UnstyledButton } from '@mantine/core'
import { IconArrowLeft, IconTable, IconTerminal2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useDescribe } from '../../api/describe.ts'
import { count } from '../words.ts'
import { CopyName } from './CopyName.tsx'
import { FieldRow } from './FieldRow.tsx'
import { FoundList } from './FoundList.tsx'
import type { OnInsert } from './inserted.ts'
import styles from './Schema.module.css'

/** So many fields are listed; a word finds the others. */
const MAX_LISTED = 300

interface Shown {
  readonly object: string
  /** The way to it from the queried object: `Account.`; empty for that object itself. */
  readonly way: string
  readonly verb: string
  readonly onInsert: OnInsert
  readonly onFollow: (object: string, way: string) => void
  readonly onBack: () => void
}

/** The fields of an object and its related lists, found by name or label. */
export function ObjectFields({ object, way, verb, onInsert, onFollow, onBack }: Shown) {
  const { data: description, error } = useDescribe(object)
  const [word, setWord] = useState('')
  const wanted = word.trim().toLowerCase()
  const fields = (description?.fields ?? []).filter(({ name, label }) =>
    `${name} ${label}`.toLowerCase().includes(wanted),
  )
  const lists = (way === '' ? (description?.childRelationships ?? []) : []).filter(
    ({ relationshipName, childSObject }) =>
      relationshipName !== null && `${relationshipName} ${childSObject}`.toLowerCase().includes(wanted),
  )
  const nameField = description?.fields.find(({ nameField: isName }) => isName)?.name
  const query = `SELECT ${['Id', ...(nameField === undefined ? [] : [nameField])].join(', ')} FROM ${object}`
  const head = (
    <>
      <Group gap={4} px={8} pt={8} wrap="nowrap">
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label="All objects" onClick={onBack}>
          <IconArrowLeft size={15} />
        </ActionIcon>
        <UnstyledButton
          className={styles.title}
          aria-label={`${verb} ${way === '' ? object : `${way} ${object}`}`}
          onClick={() =>
            onInsert(way === '' ? { kind: 'object', text: object } : { kind: 'field', text: `${way}Id` })
          }
        >
          {way === '' ? object : way}
          {way !== '' && <span className={styles.note}> {object}</span>}
        </UnstyledButton>
        <CopyName name={object} />
        {description?.queryable === true && (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Records of ${object}`}
              component={Link}
              to={`/records/${object}`}
            >
              <IconTable size={14} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={`Query ${object}`}
              component={Link}
              to={`/query?${new URLSearchParams({ q: query })}`}
            >
              <IconTerminal2 size={14} />
            </ActionIcon>
          </>
        )}
      </Group>
      {description !== undefined && (
        <Text size="xs" c="dimmed" px={12}>
          {description.label}
          {description.keyPrefix !== null && ` · ids begin with ${description.keyPrefix}`}
        </Text>
      )}
    </>
  )
  return (
    <FoundList
      label={`Find a field of ${object}`}
      placeholder="Find a field"
      word={word}
      onWord={setWord}
      takeFirst={() => {
        if (fields[0] !== undefined) onInsert({ kind: 'field', text: way + fields[0].name })
      }}
      isKnown={description !== undefined}
      error={error}
      head={head}
    >
      {fields.slice(0, MAX_LISTED).map((field, index) => (
        <FieldRow
          key={field.name}
          field={field}
          way={way}
          isFirst={index === 0}
          verb={verb}
          onInsert={onInsert}
          onFollow={onFollow}
        />
      ))}
      {fields.length > MAX_LISTED && (
        <Text size="xs" c="dimmed" px={8}>
          and {count(fields.length - MAX_LISTED)} more: find them by a word
        </Text>
      )}
      {lists.length > 0 && (
        <section aria-label="Related lists">
          <h3 className={styles.heading}>Related lists</h3>
          {lists.map(({ relationshipName, childSObject, field }) => (
            <div key={`${childSObject}.${field}`} className={styles.line}>
              <UnstyledButton
                className={styles.row}
                data-schema-row
                tabIndex={-1}
                title={`${verb} a query of ${relationshipName}`}
                onClick={() =>
                  onInsert({
                    kind: 'children',
                    text: `(SELECT Id FROM ${relationshipName})`,
                    relationship: relationshipName!,
                  })
                }
              >
                <span className={styles.name}>{relationshipName}</span>
                <span className={styles.note}>
                  {childSObject}.{field}
                </span>
              </UnstyledButton>
              <UnstyledButton
                className={`${styles.more} console-link`}
                aria-label={`Fields of ${childSObject}`}
                onClick={() => onFollow(childSObject, '')}
              >
                fields
              </UnstyledButton>
            </div>
          ))}
        </section>
      )}
      {description !== undefined && fields.length === 0 && lists.length === 0 && (
        <Text size="xs" c="dimmed" px={8}>
          Nothing of {object} has “{word}” in its name or label.
        </Text>
      )}
    </FoundList>
  )
}
