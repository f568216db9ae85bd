import { getOrInsert } from '../../base/get-or-insert.ts'
import { isObject } from '../../base/json.ts'
import { findSchemaProblems, type Shape } from '../../base/schema-problems.ts'
import { ADMINISTRATOR_PROFILE } from '../../orgs/first-profiles.ts'
import type { DefinitionFiles } from '../formats/object-file.ts'
import { PERMISSION_SET_FILE, PROFILE_FILE } from '../formats/permission-file.ts'
import { MAX_LABEL_LENGTH, PERMISSION_KINDS, type PermissionKind } from '../formats/permission-rights.ts'
import { checkPart, checkText } from './check-part.ts'
import { same } from './checking.ts'
import type { Problem } from './problem.ts'

/** Maximum number of permission sets, and of profiles. */
export const MAX_PERMISSION_FILES = 1000

/** Maximum number of objects and fields that all files together name. */
export const MAX_GRANTS = 100_000

/** So many objects or fields are checked without a pause. */
const GRANTS_AT_ONCE = 500

const MAX_DESCRIPTION_LENGTH = 255

interface Kind {
  readonly shape: Shape
  readonly what: string
  readonly maxNameLength: number
}

const KINDS: Readonly<Record<PermissionKind, Kind>> = {
  permissionSets: {
    shape: PERMISSION_SET_FILE as unknown as Shape,
    what: 'a permission set',
    maxNameLength: 80,
  },
  profiles: { shape: PROFILE_FILE as unknown as Shape, what: 'a profile', maxNameLength: 255 },
}

function checkName(kind: PermissionKind, name: string, twin: string): Problem[] {
  const { what, maxNameLength } = KINDS[kind]
  const path = [kind, name]
  if (name === '' || name === '__proto__' || name.trim() !== name) {
    return [{ path, message: `"${name}" is no name of ${what}: take another one` }]
  }
  if (name.length > maxNameLength) {
    return [{ path, message: `the name is longer than ${maxNameLength} characters` }]
  }
  if (twin !== name) return [{ path, message: `${twin} is the same one: case makes no difference` }]
  if (kind === 'profiles' && same(name, ADMINISTRATOR_PROFILE)) {
    const message = `${ADMINISTRATOR_PROFILE} may do everything and is not changed by a file: take the file out, or write it for a profile of your own`
    return [{ path, message }]
  }
  return []
}

function checkLengths(input: Readonly<Record<string, unknown>>, at: Problem['path']): Problem[] {
  const lengths = { label: MAX_LABEL_LENGTH, description: MAX_DESCRIPTION_LENGTH }
  return Object.entries(lengths).flatMap(([name, most]) => {
    const value = input[name]
    const isTooLong = typeof value === 'string' && value.length > most
    return isTooLong ? [{ path: [...at, name], message: `is longer than ${most} characters` }] : []
  })
}

/** Checks objects and fields in slices: there may be many thousands. */
function* checkGrants(
  kind: PermissionKind,
  input: Readonly<Record<string, unknown>>,
  at: Problem['path'],
): Generator<Problem[]> {
  const { shape, what } = KINDS[kind]
  for (const part of ['objects', 'fields'] as const) {
    const value = input[part]
    if (!isObject(value)) continue
    const entries = Object.entries(value)
    for (let start = 0; start < entries.length; start += GRANTS_AT_ONCE) {
      const some = { [part]: Object.fromEntries(entries.slice(start, start + GRANTS_AT_ONCE)) }
      yield checkPart(some, at, () => findSchemaProblems(shape, some, at, what))
    }
  }
}

/** Finds unknown properties and values of a wrong type in permission sets and profiles, and names that cannot be. */
export function* checkPermissionShape(files: DefinitionFiles): Generator<Problem[]> {
  let grants = 0
  for (const kind of PERMISSION_KINDS) {
    const inputs = Object.entries<unknown>(files[kind] ?? {})
    if (inputs.length > MAX_PERMISSION_FILES) {
      yield [{ path: [kind], message: `${inputs.length} are more than ${MAX_PERMISSION_FILES}` }]
      return
    }
    const { shape, what } = KINDS[kind]
    const twins = new Map<string, string>()
    for (const [name, input] of inputs) {
      const at = [kind, name]
      const twin = getOrInsert(twins, name.toLowerCase(), () => name)
      yield [...checkText(name, at), ...checkName(kind, name, twin)]
      const given = isObject(input) ? input : {}
      const { objects, fields, ...rest } = given
      for (const part of [objects, fields]) grants += isObject(part) ? Object.keys(part).length : 0
      if (grants > MAX_GRANTS) {
        yield [{ path: at, message: `all files together name more than ${MAX_GRANTS} objects and fields` }]
        return
      }
      const others = {
        ...rest,
        ...(!isObject(objects) && objects !== undefined && { objects }),
        ...(!isObject(fields) && fields !== undefined && { fields }),
      }
      const whole = input === null || isObject(input) ? others : input
      yield [
        ...checkPart(whole, at, () => findSchemaProblems(shape, whole, at, what)),
        ...checkLengths(given, at),
      ]
      yield* checkGrants(kind, given, at)
    }
  }
}
