import { Breadcrumbs, Text, UnstyledButton } from '@mantine/core'
import { type GraphQLSchema, getNamedType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql'
import { useState } from 'react'

/** The types of a schema, from its root on: a type opens in place of the one that leads to it. */
export function GraphqlTypes({ schema }: { schema: GraphQLSchema }) {
  const root = schema.getQueryType()?.name ?? 'Query'
  const [path, setPath] = useState<readonly string[]>([root])
  const type = schema.getType(path.at(-1)!)
  const hasFields = isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
  const fields = hasFields ? Object.values(type.getFields()) : []
  return (
    <nav aria-label="Schema">
      <Breadcrumbs separator="›" separatorMargin={4} style={{ flexWrap: 'wrap' }}>
        {path.slice(-3).map((name, index, shown) => (
          <UnstyledButton
            key={name}
            onClick={() => setPath(path.slice(0, path.length - shown.length + index + 1))}
          >
            <Text size="xs" fw={600}>
              {name}
            </Text>
          </UnstyledButton>
        ))}
      </Breadcrumbs>
      {type?.description !== undefined && type.description !== null && (
        <Text size="xs" c="dimmed" my={4}>
          {type.description}
        </Text>
      )}
      {fields.slice(0, 300).map(({ name, type: fieldType, description }) => {
        const named = getNamedType(fieldType)
        const opens = isObjectType(named) || isInterfaceType(named) || isInputObjectType(named)
        return (
          <div key={name} title={description ?? undefined}>
            <Text size="xs" ff="monospace" span>
              {name}:{' '}
            </Text>
            {opens ? (
              <UnstyledButton
                className="console-link"
                fz={12}
                ff="monospace"
                onClick={() => setPath([...path, named.name])}
              >
                {String(fieldType)}
              </UnstyledButton>
            ) : (
              <Text size="xs" ff="monospace" c="dimmed" span>
                {String(fieldType)}
              </Text>
            )}
          </div>
        )
      })}
    </nav>
  )
}
