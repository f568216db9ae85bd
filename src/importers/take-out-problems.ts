import { isDeepStrictEqual } from 'node:util'
import { DefinitionError, type Problem } from '../definitions/checks/problem.ts'
import { readInSlices } from '../definitions/files/read-definitions.ts'
import type { DefinitionFiles } from '../definitions/formats/object-file.ts'
import { LABELS } from '../schema/definitions/definition.ts'
import { merge } from './imported.ts'
import type { NoteKind } from './note.ts'
import type { NotePad } from './notes.ts'

type Path = Problem['path']
type Node = Record<string | number, unknown>

const nodeAt = (root: Node, path: Path) =>
  path.reduce<unknown>((node, step) => (node as Node | null | undefined)?.[step], root)

/** A list view without its condition or scope would show other records: it goes as a whole. */
function findWhole(path: Path): Path {
  // A roll-up without a part would sum up something else.
  if (path[2] === 'fields' && path[4] === 'rollUp') return path.slice(0, 5)
  // So would a rule without its condition refuse nothing.
  if (path[2] === 'validations' && path[4] !== 'field') return path.slice(0, 4)
  const isRestriction = path[2] === 'listViews' && ['where', 'scope'].includes(String(path[4]))
  return isRestriction ? path.slice(0, 4) : path
}

/** Definitions from which parts are removed. All others are shared with the original: a copy of large ones would hold the event loop. */
class Draft {
  readonly root: Node
  readonly #copies = new WeakSet<object>()

  constructor(files: DefinitionFiles) {
    this.root = { ...files }
  }

  /** Removes the value at a location. If a required value is missing there, its parent is removed. */
  takeOut(path: Path, mayBeParent = true): Path {
    const last = path.at(-1)!
    const parent = nodeAt(this.root, path.slice(0, -1))
    if (typeof parent === 'object' && parent !== null && Object.hasOwn(parent, last)) {
      const copy = this.#copyAt(path.slice(0, -1))
      if (Array.isArray(copy)) copy.splice(last as number, 1)
      else delete copy[last]
      return path
    }
    return mayBeParent && path.length > 2 ? this.takeOut(path.slice(0, -1)) : path
  }

  /** Puts a value in the place of another one. */
  put(path: Path, value: unknown): void {
    this.#copyAt(path.slice(0, -1))[path.at(-1)!] = value
  }

  /** Returns the node at a location, which the original does not share any more. */
  #copyAt(path: Path): Node {
    return path.reduce((node, step) => {
      const next = node[step] as Node
      if (!this.#copies.has(next)) {
        const copy = (Array.isArray(next) ? [...next] : { ...next }) as Node
        this.#copies.add(copy)
        node[step] = copy
      }
      return node[step] as Node
    }, this.root)
  }
}

/** Fields or records of an object, of which there are too many, or that are too much together. */
const isList = (path: Path) => path.length === 3 && (path[2] === 'fields' || path[2] === 'records')

/**
 * Leaves a list of an object as it is known: whatever else it was to have is refused, each by its name.
 * @returns whether anything was
 */
function* refuseMembers(
  draft: Draft,
  { path, message }: Problem,
  known: DefinitionFiles,
  pad: NotePad,
): Generator<void, boolean> {
  const object = String(path[1])
  const isFields = path[2] === 'fields'
  const members = nodeAt(draft.root, path) as Node
  const before = (nodeAt(known as unknown as Node, path) ?? {}) as Node
  // An object needs its name.
  const left = isFields && members.Name !== undefined ? { ...before, Name: members.Name } : before
  let isLess = false
  for (const [name, member] of Object.entries(members)) {
    yield
    if (isDeepStrictEqual(member, Object.hasOwn(left, name) ? left[name] : undefined)) continue
    pad.add('refused', locateMember(object, isFields, name), message)
    isLess = true
  }
  if (isLess) draft.put(path, left)
  return isLess
}

function locateMember(object: string, isField: boolean, name: string): string {
  if (isField) return `${object}.${name}`
  return object === LABELS.type ? `label ${name}` : `record ${object.replace(/__mdt$/, '')}.${name}`
}

/** Prefixes of the names of definitions that are no objects. */
const PREFIXES: Readonly<Record<string, string>> = {
  valueSets: 'global value set',
  permissionSets: 'permission set',
  profiles: 'profile',
}

/** `objects, Project__c, fields, Code__c, length`: at Project__c.Code__c the length. */
function makeNote(taken: Path, { path, message }: Problem): { location: string; what: string } {
  const [kind, name, section, field] = path
  const isField = kind === 'objects' && section === 'fields' && field !== undefined
  const prefix = Object.hasOwn(PREFIXES, kind!) ? `${PREFIXES[kind!]} ` : ''
  const location = isField ? `${name}.${field}` : `${prefix}${name}`
  const rest = taken.slice(isField ? 4 : 2)
  const list = rest.filter((step) => typeof step === 'string').join('.')
  if (typeof rest.at(-1) === 'number') return { location, what: `one of ${list}: ${message}` }
  return { location, what: `${list || (isField ? 'the field' : 'the whole')}: ${message}` }
}

/** Kind of note for each kind of formula. */
const FORMULA_NOTES: Readonly<Record<string, NoteKind>> = {
  formula: 'formula',
  defaultFormula: 'default',
  condition: 'validation',
  rollUp: 'rollUp',
}

/** `2:5: Field Amount__c does not exist.`, with the formula behind it. */
function noteFormula({ path, message, position }: Problem, text: unknown, pad: NotePad): void {
  const [, object, , name, property] = path
  const { line, column } = position!
  const formula = String(text).replaceAll(/\s+/g, ' ').trim()
  pad.add(
    FORMULA_NOTES[String(property)]!,
    `${object}.${name}`,
    `${line}:${column}: ${message} In: ${formula}`,
  )
}

const isFollowing = ({ message }: Problem) => message.startsWith('Error in referenced formula')

/** Formulas that only fail because of others may be valid when these are gone. */
function withoutFollowing(problems: readonly Problem[]): readonly Problem[] {
  const causes = problems.filter((problem) => !isFollowing(problem))
  return causes.length > 0 ? causes : problems
}

/** Later items of a list first, so that the indexes of earlier items stay valid. */
const byLocation = (a: Problem, b: Problem) => {
  const [x, y] = [a.path.at(-1), b.path.at(-1)]
  return typeof x === 'number' && typeof y === 'number' ? y - x : 0
}

/** Properties that must differ between fields, so that each of two equal fields has a problem. */
const SHARED = ['children', 'relationship', 'masterDetail']

/** Groups the problems of one conflict, such as two field names that differ in case only. */
function getGroup({ path }: Problem): string {
  const last = path.at(-1)!
  return SHARED.includes(String(last)) ? String(last) : JSON.stringify(path).toLowerCase()
}

/** Keeps the last problem of each conflict. Without its cause the others may be valid. */
function lastOfEach(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [getGroup(problem), problem])).values()]
}

/**
 * Removes and notes everything in the files that is not valid, until they have no problems. Takes a pause after each of its parts.
 * @throws DefinitionError when `known` has a problem
 */
export function* takeOutProblems(
  files: DefinitionFiles,
  pad: NotePad,
  known: DefinitionFiles,
): Generator<void, DefinitionFiles> {
  const draft = new Draft(files)
  const left = draft.root
  for (;;) {
    const current = left as unknown as DefinitionFiles
    const { problems } = yield* readInSlices(merge(known, current))
    if (problems.length === 0) return current
    const isOurs = ({ path: [kind, name] }: Problem) => nodeAt(left, [kind!, name!]) !== undefined
    const ours = lastOfEach(withoutFollowing(problems.filter(isOurs)))
    if (ours.length === 0) throw new DefinitionError(problems)
    for (const problem of ours.sort(byLocation)) {
      const path = findWhole(problem.path)
      // Another problem of a list view or record may have removed it.
      const isPart = path[2] === 'listViews' || path[2] === 'records' || path[2] === 'validations'
      if (isPart && nodeAt(left, path.slice(0, 4)) === undefined) continue
      if (problem.position !== undefined) {
        noteFormula(problem, nodeAt(left, problem.path), pad)
        draft.takeOut(path)
        if (path.at(-1) === 'formula') draft.takeOut([...path.slice(0, 4), 'blanks'], false)
        continue
      }
      if (isList(path) && nodeAt(left, path) !== undefined) {
        if (yield* refuseMembers(draft, problem, known, pad)) continue
        throw new DefinitionError([problem])
      }
      const { location, what } = makeNote(draft.takeOut(path), problem)
      pad.add(path[4] === 'rollUp' ? 'rollUp' : 'refused', location, what)
    }
  }
}
