import { getOrInsert } from '../base/get-or-insert.ts'
import type { Note, NoteKind } from './note.ts'

/** Collects the notes of an import. */
export class NotePad {
  readonly #notes: Note[] = []
  /** Items of one kind at one location with their counts. They become one note. */
  readonly #collected = new Map<string, { kind: NoteKind; location: string; items: Map<string, number> }>()

  add(kind: NoteKind, location: string, what: string): void {
    this.#notes.push({ kind, location, what })
  }

  /** Adds an item to the note of this kind at this location. */
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
