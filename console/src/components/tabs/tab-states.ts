import { useSyncExternalStore } from 'react'

export interface TabStates<T> {
  readonly get: (id: string) => T
  readonly set: (id: string, change: Partial<T>) => void
  readonly drop: (id: string) => void
  readonly use: (id: string | undefined) => T
}

/** States of tabs by their ids, outside of the screen: they are still there when the user comes back to it. */
export function makeTabStates<T extends object>(idle: T): TabStates<T> {
  const states = new Map<string, T>()
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const get = (id: string) => states.get(id) ?? idle
  return {
    get,
    set(id, change) {
      states.set(id, { ...get(id), ...change })
      notify()
    },
    drop(id) {
      states.delete(id)
      notify()
    },
    use: (id) => useSyncExternalStore(subscribe, () => (id === undefined ? idle : get(id))),
  }
}
