import { SYSTEM_PERMISSION_NAMES } from '../../access/system-permission.ts'
import { getOrInsert } from '../../base/get-or-insert.ts'
import { MAX_GRANTS, MAX_PERMISSION_FILES } from '../../definitions/checks/check-permission-shape.ts'
import { readInSlices } from '../../definitions/files/read-definitions.ts'
import { spreadActivityField } from '../../definitions/formats/activity-fields.ts'
import { makeLabel } from '../../definitions/formats/definition-name.ts'
import type { DefinitionFiles } from '../../definitions/formats/object-file.ts'
import type { PermissionSetFile, ProfileFile } from '../../definitions/formats/permission-file.ts'
import {
  isGrantable,
  isGrantableField,
  type PermissionKind,
} from '../../definitions/formats/permission-rights.ts'
import { ADMINISTRATOR_PROFILE } from '../../orgs/first-profiles.ts'
import { makeSnapshotInSlices, type SchemaSnapshot } from '../../schema/snapshot/snapshot.ts'
import { CUSTOM_PERMISSION_NAME } from '../../standard/setup/setup-entity-access.ts'
import { merge, NO_FILES } from '../imported.ts'
import type { NotePad } from '../notes.ts'
import { takeOutProblems } from '../take-out-problems.ts'
import type { MetadataElement } from './project/metadata-element.ts'

/** Up to so many things of a kind are noted by name, more by their number. */
const MAX_NAMED = 5

/** The profiles that every org has, here, by their names there. */
const FIRST_PROFILES: readonly (readonly [RegExp, string])[] = [
  [/^(Admin|System Administrator)$/, ADMINISTRATOR_PROFILE],
  [/^Standard( User)?$/, 'Standard User'],
  [/^Read ?Only$/, 'Read Only'],
  [/^Minimum ?Access\b/, 'Minimum Access'],
]

const OBJECT_RIGHTS = [
  ['allowRead', 'read'],
  ['allowCreate', 'create'],
  ['allowEdit', 'edit'],
  ['allowDelete', 'delete'],
  ['viewAllRecords', 'viewAll'],
  ['modifyAllRecords', 'modifyAll'],
  ['viewAllFields', 'viewAllFields'],
] as const

interface Source {
  readonly xml: MetadataElement
  /** `profile Sales`, for the notes. */
  readonly location: string
  readonly schema: SchemaSnapshot
  readonly pad: NotePad
}

function noteNames({ pad, location }: Source, one: string, many: string, names: readonly string[]): void {
  if (names.length > MAX_NAMED) pad.collect('permission', location, many, names.length)
  else for (const name of names) pad.collect('permission', location, `${one} ${name}`)
}

/** The permissions for the whole org. */
function readSystem(source: Source): NonNullable<ProfileFile['system']> {
  const granted = source.xml
    .all('userPermissions')
    .map((xml) => ({ name: xml.text('name') ?? '', isGiven: xml.isTrue('enabled') }))
    .filter(({ isGiven }) => isGiven)
    .map(({ name }) => name)
  const isOurs = (name: string) => SYSTEM_PERMISSION_NAMES.some((known) => known === name)
  noteNames(
    source,
    'user permission',
    'userPermissions',
    granted.filter((name) => !isOurs(name)),
  )
  return SYSTEM_PERMISSION_NAMES.filter((name) => granted.includes(name))
}

/** The custom permissions, which formulas ask for. */
function readCustom({ xml, pad, location }: Source): NonNullable<ProfileFile['customPermissions']> {
  const granted = xml
    .all('customPermissions')
    .map((one) => ({ name: one.text('name') ?? '', isGiven: one.isTrue('enabled') }))
    .filter(({ isGiven }) => isGiven)
  const [known, other] = [true, false].map((isKnown) =>
    granted.filter(({ name }) => CUSTOM_PERMISSION_NAME.test(name) === isKnown).map(({ name }) => name),
  )
  if (other!.length > 0) pad.collect('permission', location, 'customPermissions', other!.length)
  return [...new Set(known)]
}

/** An object whose records permissions are about: of those that the import has, and of ours. */
function findObject(schema: SchemaSnapshot, name: string) {
  const object = schema.object(name)
  return object !== undefined && isGrantable(object.definition) ? object : undefined
}

/** Rights that several files give add up. */
function* readObjects(source: Source): Generator<void, NonNullable<ProfileFile['objects']>> {
  const missing: string[] = []
  const granted = new Map<string, Set<string>>()
  for (const xml of source.xml.all('objectPermissions')) {
    yield
    const name = xml.text('object') ?? ''
    const given = OBJECT_RIGHTS.filter(([element]) => xml.isTrue(element)).map(([, right]) => right)
    if (given.length === 0) continue
    const object = findObject(source.schema, name)
    if (object === undefined) missing.push(name)
    else for (const right of given) getOrInsert(granted, object.name, () => new Set()).add(right)
  }
  noteNames(source, 'object', 'objects', missing)
  const rights = [...granted].map(([name, given]) => [
    name,
    OBJECT_RIGHTS.map(([, right]) => right).filter((right) => given.has(right)),
  ])
  return Object.fromEntries(rights)
}

function* readFields(source: Source): Generator<void, NonNullable<ProfileFile['fields']>> {
  const { xml, schema, pad, location } = source
  const fields = new Map<string, 'read' | 'edit'>()
  for (const one of [...xml.all('fieldPermissions'), ...xml.all('fieldLevelSecurities')]) {
    yield
    const [given, readable, editable] = [
      one.text('field') ?? '',
      one.isTrue('readable'),
      one.isTrue('editable'),
    ]
    one.all('hidden')
    if (!readable && !editable) continue
    for (const path of spreadActivityField(given)) {
      const [objectName = '', name = ''] = path.split('.', 2)
      const object = findObject(schema, objectName)
      const field = object?.field(name)
      if (object === undefined) pad.collect('permission', location, 'fields of other objects')
      else if (field === undefined) pad.collect('permission', location, `fields of ${object.name}`)
      // The others come with their objects.
      else if (isGrantableField(field)) {
        const path = `${object.name}.${field.name}`
        fields.set(path, editable || fields.get(path) === 'edit' ? 'edit' : 'read')
      }
    }
  }
  return Object.fromEntries(fields)
}

const list = (names: readonly string[]) =>
  names.length > MAX_NAMED ? String(names.length) : names.join(', ')

/** Notes who may choose which record types: here nobody may choose fewer than others, and a default is one of the object. */
function noteRecordTypes({ xml, pad, location }: Source): void {
  const given = xml.all('recordTypeVisibilities').map((one) => ({
    name: one.text('recordType') ?? '',
    isVisible: one.isTrue('visible'),
    // Both are read, so that neither is noted once more.
    isDefault: [one.isTrue('default'), one.isTrue('personAccountDefault')].includes(true),
  }))
  if (given.length === 0) return
  const hidden = given.filter(({ isVisible }) => !isVisible).map(({ name }) => name)
  const defaults = given.filter(({ isDefault }) => isDefault).map(({ name }) => name)
  const rule =
    'everybody who has an object may choose all of its record types, and gets the default of the object'
  const lost = [
    `recordTypeVisibilities (${given.length}) are not imported`,
    ...(hidden.length > 0 ? [`hidden there: ${list(hidden)}`] : []),
    ...(defaults.length > 0 ? [`defaults there: ${list(defaults)}`] : []),
  ]
  pad.add('access', location, `${rule}: ${lost.join('; ')}`)
}

const isOff = (xml: MetadataElement) => xml.text('enabled') === 'false' || xml.text('visible') === 'false'

function* countOn(elements: readonly MetadataElement[]): Generator<void, number> {
  let count = 0
  for (const one of elements) {
    if (!isOff(one)) count++
    yield
  }
  return count
}

/** Notes what else is granted, counted by its elements. */
function* noteOthers({ xml, pad, location }: Source): Generator<void, void> {
  for (const name of ['fullName', 'custom']) xml.all(name)
  for (const name of yield* xml.unreadInSlices()) {
    const isInside = name.includes('.')
    const count = isInside ? 1 : yield* countOn(xml.all(name))
    if (count > 0) pad.collect('permission', location, name, count)
  }
}

function* importFile(kind: PermissionKind, name: string, source: Source): Generator<void, PermissionSetFile> {
  const { xml } = source
  const [label, description] = [xml.text('label'), xml.text('description')]
  const [system, objects, fields] = [
    readSystem(source),
    yield* readObjects(source),
    yield* readFields(source),
  ]
  const customPermissions = readCustom(source)
  noteRecordTypes(source)
  yield* noteOthers(source)
  return {
    ...(kind === 'permissionSets' && label !== undefined && label !== makeLabel(name) && { label }),
    ...(description !== undefined && { description }),
    ...(system.length > 0 && { system }),
    ...(customPermissions.length > 0 && { customPermissions }),
    ...(Object.keys(objects).length > 0 && { objects }),
    ...(Object.keys(fields).length > 0 && { fields }),
  }
}

const grantsNothing = ({ system, customPermissions, objects, fields }: ProfileFile) =>
  !system && !customPermissions && !objects && !fields

/** The name of a profile here, and whether every org has it. */
function findProfile(name: string): { readonly name: string; readonly isFirst: boolean } {
  const found = FIRST_PROFILES.find(([pattern]) => pattern.test(name))
  return found === undefined ? { name, isFirst: false } : { name: found[1], isFirst: true }
}

/** Makes the file of a profile; undefined: it has none. */
function* importProfile(
  { name, isFirst }: ReturnType<typeof findProfile>,
  source: Source,
): Generator<void, ProfileFile | undefined> {
  const { pad, location } = source
  if (name === ADMINISTRATOR_PROFILE) {
    pad.add('access', location, `${name} may do everything here: not imported`)
    return undefined
  }
  const file = yield* importFile('profiles', name, source)
  if (isFirst && grantsNothing(file)) {
    pad.add('access', location, `grants nothing on what is here: ${name} stays as it is`)
    return undefined
  }
  if (isFirst) pad.add('access', location, `${name} grants this and nothing else when it is deployed`)
  return file
}

/** Refuses permission sets and profiles that are more than there may be, by their names. */
class PermissionRoom {
  readonly #pad: NotePad
  #grants = 0

  constructor(pad: NotePad) {
    this.#pad = pad
  }

  /** Tells before a file is read whether there may be one more beside so many. */
  hasFile(count: number, location: string): boolean {
    if (count < MAX_PERMISSION_FILES) return true
    this.#pad.add('refused', location, `there may be ${MAX_PERMISSION_FILES} at a time`)
    return false
  }

  /** Takes the room of what a file grants, if there is any. */
  takeGrants({ objects = {}, fields = {} }: ProfileFile, location: string): boolean {
    const grants = Object.keys(objects).length + Object.keys(fields).length
    if (this.#grants + grants <= MAX_GRANTS) {
      this.#grants += grants
      return true
    }
    this.#pad.add('refused', location, `all files together name more than ${MAX_GRANTS} objects and fields`)
    return false
  }
}

type Permissions = Required<Pick<DefinitionFiles, PermissionKind>>

/**
 * Makes the files of permission sets and profiles, one at a time.
 * @param files what the import has made of objects
 * @param known existing files of the deployment
 */
export function* importPermissions(
  parts: Readonly<Record<PermissionKind, ReadonlyMap<string, MetadataElement>>>,
  files: DefinitionFiles,
  pad: NotePad,
  { objects, valueSets }: DefinitionFiles = NO_FILES,
): Generator<void, Permissions> {
  if (parts.permissionSets.size + parts.profiles.size === 0) return { permissionSets: {}, profiles: {} }
  const whole = merge({ objects, valueSets }, files)
  const { objects: made } = yield* readInSlices(whole)
  const schema = yield* makeSnapshotInSlices(0, new Date(0), made)
  const sorted = (kind: PermissionKind) => [...parts[kind]].sort(([a], [b]) => (a < b ? -1 : 1))
  const permissionSets = new Map<string, PermissionSetFile>()
  const profiles = new Map<string, ProfileFile>()
  const room = new PermissionRoom(pad)
  for (const [name, xml] of sorted('permissionSets')) {
    yield
    const location = `permission set ${name}`
    if (!room.hasFile(permissionSets.size, location)) continue
    const file = yield* importFile('permissionSets', name, { xml, location, schema, pad })
    if (room.takeGrants(file, location)) permissionSets.set(name, file)
  }
  for (const [given, xml] of sorted('profiles')) {
    yield
    const [location, profile] = [`profile ${given}`, findProfile(given)]
    if (profiles.has(profile.name)) {
      pad.add('access', location, `left out: another file of the project is ${profile.name} too`)
      continue
    }
    if (!room.hasFile(profiles.size, location)) continue
    const file = yield* importProfile(profile, { xml, location, schema, pad })
    if (file !== undefined && room.takeGrants(file, location)) profiles.set(profile.name, file)
  }
  const draft: DefinitionFiles = {
    objects: {},
    valueSets: {},
    permissionSets: Object.fromEntries(permissionSets),
    profiles: Object.fromEntries(profiles),
  }
  const { permissionSets: validSets = {}, profiles: validProfiles = {} } = yield* takeOutProblems(
    draft,
    pad,
    whole,
  )
  return { permissionSets: validSets, profiles: validProfiles }
}
