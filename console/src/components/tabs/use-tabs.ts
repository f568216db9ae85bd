import { useCallback, useEffect, useRef, useState } from 'react'
import { dropRevision, listDrafts, writeRevision } from '../../api/drafts.ts'

export interface Tab {
  readonly id: string
  /** Where it is kept: by its id, until another window has written there. */
  readonly place: string
  readonly revision: number
  /** Given by the user; else a tab is called after what it holds. */
  readonly name?: string | undefined
}

type Kept = Pick<Tab, 'place' | 'revision'>

/** The tabs of a screen. The functions must stay the same. */
interface Kind<T extends Tab> {
  readonly screen: 'query' | 'explorer'
  /** The tab that is there from the beginning. */
  readonly makeFirst: () => T
  /** Leaves out what must not be kept in the browser. */
  readonly withoutSecrets?: (tab: T) => T
}

let made = 0
/** Ids are in the order of their making. */
const makeId = () => `${Date.now().toString(36)}-${(made++).toString(36)}-${crypto.randomUUID().slice(0, 4)}`

export function newTab(): Tab {
  const id = makeId()
  return { id, place: id, revision: 0 }
}

interface Tabs<T extends Tab> {
  readonly tabs: readonly T[]
  readonly active: T | undefined
  /** False until the tabs that were kept have come. */
  readonly isRead: boolean
  readonly choose: (id: string) => void
  readonly add: (tab: T) => void
  readonly change: (id: string, change: Partial<T>) => void
  readonly close: (id: string) => void
}

/** The tabs of this user, which come back by themselves. Each is written as it is typed. */
export function useTabs<T extends Tab>({ screen, makeFirst, withoutSecrets }: Kind<T>): Tabs<T> {
  const places = `${screen}/tab/`
  const activeKey = `objectry.${screen}.tab`
  const [tabs, setTabs] = useState<readonly T[]>([])
  const [isRead, setRead] = useState(false)
  const [activeId, setActiveId] = useState(() => sessionStorage.getItem(activeKey) ?? '')
  const latest = useRef(tabs)
  latest.current = tabs
  /** Writes of one tab come one after the other; each gives what it has kept. */
  const writing = useRef(new Map<string, Promise<Kept | undefined>>())

  const choose = useCallback(
    (id: string) => {
      sessionStorage.setItem(activeKey, latest.current.find((one) => one.id === id)?.place ?? id)
      setActiveId(id)
    },
    [activeKey],
  )

  const write = useCallback(
    (id: string) => {
      const before = writing.current.get(id) ?? Promise.resolve(undefined)
      const next = before.then(async (last): Promise<Kept | undefined> => {
        const found = latest.current.find((one) => one.id === id)
        if (found === undefined) return last
        const tab = withoutSecrets?.(found) ?? found
        const keep = (kept: Kept) => {
          latest.current = latest.current.map((one) => (one.id === id ? { ...one, ...kept } : one))
          setTabs(latest.current)
          return kept
        }
        if (await writeRevision(places + tab.place, tab))
          return keep({ place: tab.place, revision: tab.revision + 1 })
        // Another window has written there: what is typed here goes on at a place of its own, and both stay.
        const place = makeId()
        if (sessionStorage.getItem(activeKey) === tab.place) sessionStorage.setItem(activeKey, place)
        await writeRevision(places + place, { ...tab, place, revision: 0 })
        return keep({ place, revision: 1 })
      })
      writing.current.set(id, next)
    },
    [places, activeKey, withoutSecrets],
  )

  const add = useCallback(
    (tab: T) => {
      latest.current = [...latest.current, tab]
      setTabs(latest.current)
      choose(tab.id)
      write(tab.id)
    },
    [choose, write],
  )

  const change = useCallback(
    (id: string, changed: Partial<T>) => {
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
          dropRevision(places + (kept ?? closed).place, (kept ?? closed).revision),
        )
      const next = latest.current[Math.min(index, latest.current.length - 1)]
      if (next !== undefined) choose(next.id)
    },
    [places, choose],
  )

  useEffect(() => {
    let isGone = false
    void listDrafts<T>(places).then((kept) => {
      if (isGone) return
      const found = kept.map((tab) => ({ ...tab, id: tab.place }))
      latest.current = [...found, ...latest.current.filter(({ id }) => !found.some((one) => one.id === id))]
      setTabs(latest.current)
      setRead(true)
      // A place to write is there from the beginning.
      if (latest.current.length === 0) add(makeFirst())
      else setActiveId((id) => (latest.current.some((tab) => tab.id === id) ? id : latest.current.at(-1)!.id))
    })
    return () => {
      isGone = true
    }
  }, [places, makeFirst, add])

  return {
    tabs,
    active: tabs.find(({ id }) => id === activeId) ?? tabs[0],
    isRead,
    choose,
    add,
    change,
    close,
  }
}
