import { autocompletion } from '@codemirror/autocomplete'
import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { graphql } from 'cm6-graphql'
import {
  buildClientSchema,
  type GraphQLSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
} from 'graphql'
import { useMemo, useState } from 'react'
import { data, get } from '../../api/client.ts'
import { Editor } from '../../components/editor/Editor.tsx'
import { GraphqlTypes } from './GraphqlTypes.tsx'
import styles from './Query.module.css'
import type { QueryTab } from './tabs.ts'

interface Shown {
  readonly tab: QueryTab
  readonly change: (change: Partial<QueryTab>) => void
  readonly onRun: (selected?: string) => void
}

const PLACEHOLDER = `query {
  uiapi { query { Account(first: 10) { edges { node { Id Name { value } } } } } }
}`

/** A document and its variables. The schema is read when the user asks for it: it is large. */
export function GraphqlEditor({ tab, change, onRun }: Shown) {
  const [isWanted, setWanted] = useState(false)
  const {
    data: schema,
    isFetching,
    error,
  } = useQuery({
    queryKey: ['graphql', 'schema'],
    queryFn: async ({ signal }): Promise<GraphQLSchema> => {
      const body = { query: getIntrospectionQuery() }
      const answer = await get<{ data: IntrospectionQuery }>(data('/graphql'), {
        method: 'POST',
        body,
        signal,
      })
      return buildClientSchema(answer.data)
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const extensions = useMemo(() => [graphql(schema), autocompletion()], [schema])
  return (
    <div className={styles.split}>
      <Editor
        label="GraphQL document"
        language="plain"
        extensions={extensions}
        value={tab.text}
        placeholder={PLACEHOLDER}
        onChange={(text) => change({ text })}
        onRun={onRun}
        autoFocus
      />
      <div style={{ display: 'grid', gridTemplateRows: '72px minmax(0, 1fr)', minHeight: 0 }}>
        <Editor
          label="Variables"
          language="json"
          hasNumbers={false}
          placeholder="Variables: { }"
          value={tab.variables}
          onChange={(variables) => change({ variables })}
          onRun={() => onRun()}
        />
        <div style={{ overflow: 'auto', borderTop: '1px solid var(--console-line)', padding: 8 }}>
          {schema === undefined ? (
            <>
              <Button variant="default" loading={isFetching} onClick={() => setWanted(true)}>
                Read the schema
              </Button>
              <Text size="xs" c={error === null ? 'dimmed' : 'red'} mt={4}>
                {error === null ? 'For completion, errors and its documentation.' : error.message}
              </Text>
            </>
          ) : (
            <GraphqlTypes schema={schema} />
          )}
        </div>
      </div>
    </div>
  )
}
