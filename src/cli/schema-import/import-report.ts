import { NOTE_KINDS, type Note, type NoteKind } from '../../importers/note.ts'
import type { Saved } from '../../importers/save-import.ts'

const counted = (count: number) => `${count} ${count === 1 ? 'file' : 'files'}`

function group(kind: NoteKind, notes: readonly Note[]): string {
  const { title, todo } = NOTE_KINDS[kind]
  const lines = notes.map(({ location, what }) => `  ${location}: ${what}\n`)
  return `\n${title}. ${todo}\n${lines.join('')}`
}

/** Report of an import: written files, what could not be carried over, by kind, and the next steps. */
export function importReport(deployment: string, saved: Saved, notes: readonly Note[], next: string): string {
  const { written, unchanged } = saved
  const head =
    written.length === 0
      ? 'Nothing to write.\n'
      : `Wrote ${counted(written.length)} into ${deployment}:\n${written.map((path) => `  ${path}\n`).join('')}`
  const same =
    unchanged.length === 0 ? '' : `${counted(unchanged.length)} there already with the same content.\n`
  const kinds = (Object.keys(NOTE_KINDS) as NoteKind[]).filter((kind) =>
    notes.some((note) => note.kind === kind),
  )
  const groups = kinds.map((kind) =>
    group(
      kind,
      notes.filter((note) => note.kind === kind),
    ),
  )
  return `${head}${same}${groups.join('')}${written.length === 0 ? '' : `\nNext: ${next}\n`}`
}
