import { Button, Drawer } from '@mantine/core'
import { IconSchema } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useObjects } from '../../api/describe.ts'
import type { OnInsert } from './inserted.ts'
import { ObjectFields } from './ObjectFields.tsx'
import { ObjectList } from './ObjectList.tsx'
import styles from './Schema.module.css'
import type { SchemaOpen } from './schema-open.ts'

interface Place {
  readonly object: string
  readonly way: string
}

interface Shown {
  /** The object that the screen is about: it is opened by itself. */
  readonly object: string | undefined
  /** The verb for a click on a name: `Insert`, `Show`. */
  readonly verb: string
  readonly onInsert: OnInsert
}

/** Objects, their fields, values and relationships. */
function SchemaPane({ object, verb, onInsert }: Shown) {
  const { data: objects } = useObjects()
  const [places, setPlaces] = useState<readonly Place[]>([])
  const known = objects?.find(({ name }) => name.toLowerCase() === object?.toLowerCase())?.name
  useEffect(() => {
    if (known !== undefined) setPlaces([{ object: known, way: '' }])
  }, [known])
  const place = places.at(-1)
  if (place === undefined) return <ObjectList onOpen={(name) => setPlaces([{ object: name, way: '' }])} />
  return (
    <ObjectFields
      key={`${place.object} ${place.way}`}
      {...place}
      verb={verb}
      onInsert={onInsert}
      onFollow={(next, way) => setPlaces([...places, { object: next, way }])}
      onBack={() => setPlaces(places.slice(0, -1))}
    />
  )
}

/** Shows and hides the schema. */
export const SchemaButton = ({ schema: { isOpen, toggle } }: { readonly schema: SchemaOpen }) => (
  <Button
    variant={isOpen ? 'light' : 'subtle'}
    color={isOpen ? undefined : 'gray'}
    aria-pressed={isOpen}
    leftSection={<IconSchema size={15} />}
    onClick={toggle}
  >
    Schema
  </Button>
)

interface Beside extends Shown {
  readonly schema: SchemaOpen
  readonly children: ReactNode
}

/** A screen with the schema beside it, or over it where there is no room. */
export function BesideSchema({ schema: { isOpen, isOver, toggle }, children, ...shown }: Beside) {
  return (
    <div className={styles.beside}>
      <div className={styles.main}>{children}</div>
      {isOpen && !isOver && (
        <aside className={styles.pane} aria-label="Schema">
          <SchemaPane {...shown} />
        </aside>
      )}
      {isOver && (
        <Drawer
          opened={isOpen}
          onClose={toggle}
          title="Schema"
          position="right"
          size={360}
          classNames={{ body: styles.drawer!, content: styles.content! }}
        >
          <SchemaPane {...shown} />
        </Drawer>
      )}
    </div>
  )
}
