import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionGroupData, useSpotlight } from '@mantine/spotlight'
import { IconListDetails, IconPlus, IconSearch, IconTerminal2 } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { data, get } from '../api/client.ts'
import { isId, type ObjectSummary, objectOfId, useObjects } from '../api/describe.ts'
import { readNames } from '../api/names.ts'
import { SCREENS } from '../screens.ts'

const [store, palette] = createSpotlight()

export const openPalette = palette.open

/**
 * Chooses the first entry where none is: Enter takes it. The library chooses one when a text is typed, not when entries come later.
 * @returns the entry that is chosen
 */
function chooseFirst(): HTMLElement | null {
  const list = document.getElementById(store.getState().listId)
  const chosen = list?.querySelector<HTMLElement>('[data-selected]')
  if (chosen) return chosen
  const first = list?.querySelector<HTMLElement>('[data-action]') ?? null
  if (first === null) return null
  first.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
  return first
}

/** So many of each group: more of the text finds the others. */
const SHOWN = 6

interface Found {
  readonly Id: string
  readonly Name?: string
  readonly attributes: { readonly type: string }
}

/** What can be done with an object, by the word that it is asked for with. */
const VERBS = ['new', 'fields', 'query'] as const
const VERB = /^(new|fields|query)\s+(?:of\s+)?(\S.*)$/i

/** Without a verb, so many of the objects that were found have their actions listed. */
const WITH_ACTIONS = 1

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

/** Goes to a screen, an object or a record, by its id or by words of its name, and begins what is done with an object. */
export function Palette() {
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text.trim(), 250)
  const { opened } = useSpotlight(store)
  /** Enter was pressed before there was an entry: the first one that comes is taken. */
  const isEntered = useRef(false)
  const { data: objects } = useObjects()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const isSearch = searched.length > 1 && !isId(searched)
  const { data: found, isFetching } = useQuery({
    queryKey: ['palette', searched],
    queryFn: async ({ signal }): Promise<readonly Found[]> => {
      const { searchRecords } = await get<{ searchRecords: readonly Found[] }>(
        data(
          `/parameterizedSearch?${new URLSearchParams({ q: `${searched}*`, in: 'NAME', fields: 'Id,Name', overallLimit: '8' })}`,
        ),
        { signal },
      )
      // Those whose name is another field.
      const unnamed = Map.groupBy(
        searchRecords.filter(({ Name }) => Name === undefined),
        ({ attributes: { type } }) => type,
      )
      const names = new Map<string, string>()
      for (const [object, records] of unnamed)
        for (const [id, name] of await readNames(
          queries,
          object,
          records.map(({ Id }) => Id),
        ).catch(() => []))
          names.set(id, name)
      return searchRecords.map((one) => ({ ...one, Name: one.Name ?? names.get(one.Id) ?? one.Id }))
    },
    enabled: isSearch,
    // What was found for fewer letters stays until there is more to show.
    placeholderData: keepPreviousData,
    retry: false,
  })

  const word = text.trim()
  const isWaiting = word !== searched || isFetching
  const byId = objectOfId(word)
  const [, verb, target] = VERB.exec(word) ?? []
  const foundObjects = word === '' ? [] : findObjects(objects, target ?? word)
  const records = isSearch && word !== '' && !isId(word) ? (found ?? []) : []
  const groups: SpotlightActionGroupData[] = []
  const add = (group: string, actions: SpotlightActionGroupData['actions']) => {
    if (actions.length > 0) groups.push({ group, actions })
  }
  const actionsOf = ({ name, label, labelPlural, createable }: ObjectSummary) => {
    const all = {
      new: {
        label: `New ${label}`,
        leftSection: <IconPlus size={18} stroke={1.6} />,
        onClick: () => void navigate({ to: '/records/$object/new', params: { object: name } }),
      },
      fields: {
        label: `Fields of ${label}`,
        leftSection: <IconListDetails size={18} stroke={1.6} />,
        onClick: () =>
          void navigate({ to: '/explorer', search: { path: data(`/sobjects/${name}/describe`) } }),
      },
      query: {
        label: `Query ${labelPlural}`,
        leftSection: <IconTerminal2 size={18} stroke={1.6} />,
        onClick: () => void navigate({ to: '/query', search: { q: `SELECT Id FROM ${name} LIMIT 200` } }),
      },
    }
    return VERBS.filter(
      (one) => (verb === undefined || verb.toLowerCase() === one) && (one !== 'new' || createable),
    ).map((one) => ({ id: `${one} ${name}`, ...all[one] }))
  }
  if (byId !== undefined)
    add('Record', [
      {
        id: word,
        label: `Open ${byId} ${word}`,
        onClick: () => void navigate({ to: '/records/$object/$id', params: { object: byId, id: word } }),
      },
    ])
  if (verb !== undefined) add('Actions', foundObjects.flatMap(actionsOf))
  add(
    'Screens',
    SCREENS.filter(({ label }) => contains(label, word)).map(({ to, label, icon: Icon }) => ({
      id: to,
      label,
      leftSection: <Icon size={18} stroke={1.6} />,
      onClick: () => void navigate({ to }),
    })),
  )
  add(
    'Objects',
    foundObjects.map(({ name, labelPlural }) => ({
      id: name,
      label: labelPlural,
      description: name,
      onClick: () => void navigate({ to: '/records/$object', params: { object: name } }),
    })),
  )
  if (verb === undefined) add('Actions', foundObjects.slice(0, WITH_ACTIONS).flatMap(actionsOf))
  // The last, so that nothing moves when they come.
  add(
    'Records',
    records.map(({ Id, Name, attributes: { type } }) => ({
      id: Id,
      label: Name ?? Id,
      description: type,
      onClick: () => void navigate({ to: '/records/$object/$id', params: { object: type, id: Id } }),
    })),
  )

  const ids = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each list, once it is drawn
  useEffect(() => {
    const draw = () => {
      const first = chooseFirst()
      if (first !== null && isEntered.current) first.click()
      isEntered.current &&= first === null
    }
    const frame = opened ? requestAnimationFrame(draw) : 0
    return () => cancelAnimationFrame(frame)
  }, [opened, ids])

  return (
    <Spotlight
      store={store}
      attributes={{ content: { 'aria-label': 'Go to' } }}
      actions={groups}
      query={text}
      onQueryChange={(next) => {
        isEntered.current = false
        setText(next)
      }}
      filter={(_, actions) => actions}
      // The frame has the key.
      shortcut={null}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      nothingFound={isWaiting ? 'Searching…' : 'Nothing has this name or id'}
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: 'A screen, an object, a record by its name or id, or new, fields, query and an object',
        'aria-label': 'Search or go to',
        onKeyDown: ({ key }) => {
          if (key === 'Enter') isEntered.current = chooseFirst() === null
        },
      }}
    />
  )
}
