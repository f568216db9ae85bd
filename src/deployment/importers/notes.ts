import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Note, NoteKind } from './note.ts'

/** Where an import writes down what it could not carry. */
export class NotePad {
  readonly #notes: Note[] = []
  /** Small things of one kind at one place, how often each: they become one note. */
  readonly #collected = new Map<string, { kind: NoteKind; location: string; items: Map<string, number> }>()

  add(kind: NoteKind, location: string, what: string): void {
    this.#notes.push({ kind, location, what })
  }

  /** Adds to the one note of this kind at this place. */
  collect(kind: NoteKind, location: string, item: string, times = 1): void {
    const make = () => ({ kind, location, items: new Map<string, number>() })
    const { items } = getOrInsert(this.#collected, `${kind} ${location}`, make)
    items.set(item, (items.get(item) ?? 0) + times)
  }

  get notes(): readonly Note[] {
    const collected = [...this.#collected.values()].map(({ kind, location, items }) => ({
      kind,
      location,
      what: [...items].map(([item, times]) => (times === 1 ? item : `${item} (${times})`)).join(', '),
    }))
    return [...this.#notes, ...collected]
  }
}
