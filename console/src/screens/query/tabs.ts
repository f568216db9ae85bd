import { useCallback, useEffect, useRef, useState } from 'react'
import { dropDraft, listDrafts, writeRevision } from '../../api/drafts.ts'
import type { QueryLanguage } from './run.ts'

export interface QueryTab {
  readonly id: string
  readonly revision: number
  readonly language: QueryLanguage
  readonly text: string
  readonly variables: string
  /** Given by the user; else a tab is called after its object. */
  readonly name?: string | undefined
}

const placeOf = (id: string) => `query/tab/${id}`

const EMPTY: Readonly<Record<QueryLanguage, string>> = {
  soql: 'SELECT Id, Name FROM ',
  sosl: 'FIND {} IN ALL FIELDS RETURNING ',
  graphql: '',
}

let made = 0
/** Ids are in the order of their making. */
const makeId = () => `${Date.now().toString(36)}-${(made++).toString(36)}-${crypto.randomUUID().slice(0, 4)}`

export const makeTab = (language: QueryLanguage, text = EMPTY[language]): QueryTab => ({
  id: makeId(),
  revision: 0,
  language,
  text,
  variables: '',
})

/** The title of a tab: its own name, its object, or its language. */
export function nameOf({ name, text, language }: QueryTab): string {
  if (name !== undefined && name !== '') return name
  // Behind the brackets of child queries.
  const outer = text.replaceAll(/\([^()]*\)/g, ' ')
  const found = /\b(?:from|returning)\s+(\w+)/i.exec(outer)?.[1]
  return found ?? { soql: 'Query', sosl: 'Search', graphql: 'GraphQL' }[language]
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
  /** Writes of one tab come one after the other. */
  const writing = useRef(new Map<string, Promise<void>>())

  const choose = useCallback((id: string) => {
    sessionStorage.setItem(ACTIVE, id)
    setActiveId(id)
  }, [])

  const write = useCallback((id: string) => {
    const before = writing.current.get(id) ?? Promise.resolve()
    const next = before.then(async () => {
      const tab = latest.current.find((one) => one.id === id)
      if (tab === undefined) return
      const isWritten = await writeRevision(placeOf(id), tab)
      // Another window has written this one: what is typed here goes on under an id of its own, and both stay.
      const kept = isWritten ? { id, revision: tab.revision + 1 } : { id: makeId(), revision: 0 }
      latest.current = latest.current.map((one) => (one.id === id ? { ...one, ...kept } : one))
      setTabs(latest.current)
      if (!isWritten) {
        await writeRevision(placeOf(kept.id), latest.current.find((one) => one.id === kept.id)!)
        setActiveId((current) => (current === id ? kept.id : current))
      }
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
      latest.current = latest.current.filter((tab) => tab.id !== id)
      setTabs(latest.current)
      void dropDraft(placeOf(id))
      const next = latest.current[Math.min(index, latest.current.length - 1)]
      if (next !== undefined) choose(next.id)
    },
    [choose],
  )

  useEffect(() => {
    let isGone = false
    void listDrafts<QueryTab>('query/tab/').then((found) => {
      if (isGone) return
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
