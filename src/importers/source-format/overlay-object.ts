import type { ObjectFile } from '../../definitions/formats/object-file.ts'

/** Components of an object, which come one by one. */
const PARTS = ['fields', 'validations', 'recordTypes', 'listViews', 'records', 'channels'] as const

/** Properties that no file of the object in a project has. */
const KEPT = ['keyPrefix', 'indexes', 'changeEvents'] as const

const choose = <Name extends keyof ObjectFile>(file: ObjectFile, names: readonly Name[]) =>
  Object.fromEntries(names.flatMap((name) => (file[name] === undefined ? [] : [[name, file[name]]])))

/**
 * An object as it is known, with what a project says of it.
 * @param source of its own properties: `all` are in the project, only `some` (of a standard object, whose others are the
 * platform's), or `none` (the project has components of it)
 */
export function overlayObject(
  known: ObjectFile | null | undefined,
  given: ObjectFile,
  source: 'all' | 'some' | 'none',
): ObjectFile {
  if (known === undefined || known === null) return given
  const own = {
    ...(source === 'all' ? choose(known, KEPT) : known),
    ...(source === 'none' ? choose(given, KEPT) : given),
  }
  const parts = PARTS.flatMap((part) =>
    known[part] === undefined && given[part] === undefined
      ? []
      : [[part, { ...known[part], ...given[part] }] as const],
  )
  return { ...own, ...Object.fromEntries(parts) }
}
