import { getOrInsert } from '../../base/get-or-insert.ts'
import type { Note, NoteKind } from './note.ts'

/** Where an import writes down what it could not carry. */
export class NotePad {
  readonly #notes: Note[] = []
  /** Small things of one kind at one place, how often each: they become one note. */
  readonly #collected = new Map<string, { kind: NoteKind; place: string; items: Map<string, number> }>()

  add(kind: NoteKind, place: string, what: string): void {
    this.#notes.push({ kind, place, what })
  }

  /** Adds to the one note of this kind at this place. */
  collect(kind: NoteKind, place: string, item: string, times = 1): void {
    const make = () => ({ kind, place, items: new Map<string, number>() })
    const { items } = getOrInsert(this.#collected, `${kind} ${place}`, make)
    items.set(item, (items.get(item) ?? 0) + times)
  }

  get notes(): readonly Note[] {
    const collected = [...this.#collected.values()].map(({ kind, place, items }) => ({
      kind,
      place,
      what: [...items].map(([item, times]) => (times === 1 ? item : `${item} (${times})`)).join(', '),
    }))
    return [...this.#notes, ...collected]
  }
}
