import { useCallback, useEffect, useRef, useState } from 'react'
import { dropRevision, listDrafts, writeRevision } from '../../api/drafts.ts'
import type { QueryLanguage } from './run.ts'

export interface QueryTab {
  readonly id: string
  /** Where it is kept: by its id, until another window has written there. */
  readonly place: string
  readonly revision: number
  readonly language: QueryLanguage
  readonly text: string
  readonly variables: string
  /** Given by the user; else a tab is called after its object. */
  readonly name?: string | undefined
}

type Kept = Pick<QueryTab, 'place' | 'revision'>

const PLACES = 'query/tab/'

const EMPTY: Readonly<Record<QueryLanguage, string>> = {
  soql: 'SELECT Id, Name FROM ',
  sosl: 'FIND {} IN ALL FIELDS RETURNING ',
  graphql: '',
}

let made = 0
/** Ids are in the order of their making. */
const makeId = () => `${Date.now().toString(36)}-${(made++).toString(36)}-${crypto.randomUUID().slice(0, 4)}`

export function makeTab(language: QueryLanguage, text = EMPTY[language]): QueryTab {
  const id = makeId()
  return { id, place: id, revision: 0, language, text, variables: '' }
}

/** The object that the text of a tab asks for first; undefined while it names none. */
export function objectOf({ text }: QueryTab): string | undefined {
  // Behind the brackets of child queries.
  const outer = text.replaceAll(/\([^()]*\)/g, ' ')
  return /\b(?:from|returning)\s+(\w+)/i.exec(outer)?.[1]
}

/** The title of a tab: its own name, its object, or its language. */
export function nameOf(tab: QueryTab): string {
  if (tab.name !== undefined && tab.name !== '') return tab.name
  return objectOf(tab) ?? { soql: 'Query', sosl: 'Search', graphql: 'GraphQL' }[tab.language]
}

interface Tabs {
  readonly tabs: readonly QueryTab[]
  readonly active: QueryTab | undefined
  readonly choose: (id: string) => void
  readonly add: (tab: QueryTab) => void
  readonly change: (id: string, change: Partial<QueryTab>) => void
  readonly close: (id: string) => void
}

const ACTIVE = 'objectry.query.tab'

/** The tabs of this user, which come back by themselves. Each is written as it is typed. */
export function useTabs(): Tabs {
  const [tabs, setTabs] = useState<readonly QueryTab[]>([])
  const [activeId, setActiveId] = useState(() => sessionStorage.getItem(ACTIVE) ?? '')
  const latest = useRef(tabs)
  latest.current = tabs
  /** Writes of one tab come one after the other; each gives what it has kept. */
  const writing = useRef(new Map<string, Promise<Kept | undefined>>())

  const choose = useCallback((id: string) => {
    sessionStorage.setItem(ACTIVE, latest.current.find((one) => one.id === id)?.place ?? id)
    setActiveId(id)
  }, [])

  const write = useCallback((id: string) => {
    const before = writing.current.get(id) ?? Promise.resolve(undefined)
    const next = before.then(async (last): Promise<Kept | undefined> => {
      const tab = latest.current.find((one) => one.id === id)
      if (tab === undefined) return last
      const keep = (kept: Kept) => {
        latest.current = latest.current.map((one) => (one.id === id ? { ...one, ...kept } : one))
        setTabs(latest.current)
        return kept
      }
      if (await writeRevision(PLACES + tab.place, tab))
        return keep({ place: tab.place, revision: tab.revision + 1 })
      // Another window has written there: what is typed here goes on at a place of its own, and both stay.
      const place = makeId()
      if (sessionStorage.getItem(ACTIVE) === tab.place) sessionStorage.setItem(ACTIVE, place)
      await writeRevision(PLACES + place, { ...tab, place, revision: 0 })
      return keep({ place, revision: 1 })
    })
    writing.current.set(id, next)
  }, [])

  const add = useCallback(
    (tab: QueryTab) => {
      latest.current = [...latest.current, tab]
      setTabs(latest.current)
      choose(tab.id)
      write(tab.id)
    },
    [choose, write],
  )

  const change = useCallback(
    (id: string, changed: Partial<QueryTab>) => {
      latest.current = latest.current.map((tab) => (tab.id === id ? { ...tab, ...changed } : tab))
      setTabs(latest.current)
      write(id)
    },
    [write],
  )

  const close = useCallback(
    (id: string) => {
      const index = latest.current.findIndex((tab) => tab.id === id)
      const closed = latest.current[index]
      latest.current = latest.current.filter((tab) => tab.id !== id)
      setTabs(latest.current)
      // A write that is under way comes first; what another window has written there stays.
      if (closed !== undefined)
        void (writing.current.get(id) ?? Promise.resolve(undefined)).then((kept) =>
          dropRevision(PLACES + (kept ?? closed).place, (kept ?? closed).revision),
        )
      const next = latest.current[Math.min(index, latest.current.length - 1)]
      if (next !== undefined) choose(next.id)
    },
    [choose],
  )

  useEffect(() => {
    let isGone = false
    void listDrafts<QueryTab>(PLACES).then((kept) => {
      if (isGone) return
      const found = kept.map((tab) => ({ ...tab, id: tab.place }))
      latest.current = [...found, ...latest.current.filter(({ id }) => !found.some((one) => one.id === id))]
      setTabs(latest.current)
      // A place to write is there from the beginning.
      if (latest.current.length === 0) add(makeTab('soql'))
      else setActiveId((id) => (latest.current.some((tab) => tab.id === id) ? id : latest.current.at(-1)!.id))
    })
    return () => {
      isGone = true
    }
  }, [add])

  return { tabs, active: tabs.find(({ id }) => id === activeId) ?? tabs[0], choose, add, change, close }
}
