import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { data, get } from '../api/client.ts'
import { isId, type ObjectSummary, objectOfId, useObjects } from '../api/describe.ts'
import { SCREENS } from '../screens.ts'

export const openPalette = (): void => spotlight.open()

/** So many of each group: more of the text finds the others. */
const SHOWN = 6

interface Found {
  readonly Id: string
  readonly Name?: string
  readonly attributes: { readonly type: string }
}

const contains = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())

/** Objects whose label or name has the text, those that begin with it first. */
function findObjects(objects: readonly ObjectSummary[] | undefined, text: string): ObjectSummary[] {
  const word = text.toLowerCase()
  const wordsOf = ({ label, labelPlural, name }: ObjectSummary) =>
    [labelPlural, label, name].map((one) => one.toLowerCase())
  const isBehind = (object: ObjectSummary) => Number(!wordsOf(object).some((one) => one.startsWith(word)))
  return (objects ?? [])
    .filter((object) => object.queryable && wordsOf(object).some((one) => one.includes(word)))
    .sort((a, b) => isBehind(a) - isBehind(b))
    .slice(0, SHOWN)
}

/** Goes to a screen, an object or a record: by its id, or by words of its name. */
export function Palette() {
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text.trim(), 250)
  const { data: objects } = useObjects()
  const navigate = useNavigate()
  const { data: found } = useQuery({
    queryKey: ['palette', searched],
    queryFn: ({ signal }) =>
      get<{ searchRecords: readonly Found[] }>(
        data(
          `/parameterizedSearch?${new URLSearchParams({ q: `${searched}*`, in: 'NAME', fields: 'Id,Name', overallLimit: '8' })}`,
        ),
        { signal },
      ),
    enabled: searched.length > 1 && !isId(searched),
    retry: false,
  })

  const word = text.trim()
  const byId = objectOfId(word)
  const groups: SpotlightActionGroupData[] = []
  const add = (group: string, actions: SpotlightActionGroupData['actions']) => {
    if (actions.length > 0) groups.push({ group, actions })
  }
  if (byId !== undefined)
    add('Record', [
      {
        id: word,
        label: `Open ${byId} ${word}`,
        onClick: () => void navigate({ to: '/records/$object/$id', params: { object: byId, id: word } }),
      },
    ])
  add(
    'Screens',
    SCREENS.filter(({ label }) => contains(label, word)).map(({ to, label, icon: Icon }) => ({
      id: to,
      label,
      leftSection: <Icon size={18} stroke={1.6} />,
      onClick: () => void navigate({ to }),
    })),
  )
  if (word !== '') {
    add(
      'Objects',
      findObjects(objects, word).map(({ name, labelPlural }) => ({
        id: name,
        label: labelPlural,
        description: name,
        onClick: () => void navigate({ to: '/records/$object', params: { object: name } }),
      })),
    )
    add(
      'Records',
      (searched === word ? (found?.searchRecords ?? []) : []).map(({ Id, Name, attributes: { type } }) => ({
        id: Id,
        label: Name ?? Id,
        description: type,
        onClick: () => void navigate({ to: '/records/$object/$id', params: { object: type, id: Id } }),
      })),
    )
  }
  return (
    <Spotlight
      actions={groups}
      query={text}
      onQueryChange={setText}
      filter={(_, actions) => actions}
      // The frame has the key.
      shortcut={null}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      nothingFound="Nothing has this name or id"
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'A screen, an object, or a record by its name or id',
        'aria-label': 'Search or go to',
      }}
    />
  )
}
