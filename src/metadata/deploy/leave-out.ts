import { spreadActivityField } from '../../definitions/formats/activity-fields.ts'
import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { isPartType, OBJECT_PARTS, picklistsOf, splitName } from '../components/compare-component.ts'
import type { Component } from '../components/find-components.ts'
import type { Failures } from './component-results.ts'
import type { DeployPlan } from './plan-deploy.ts'

type Members = Record<string, unknown>

const KINDS = {
  CustomObject: 'objects',
  GlobalValueSet: 'valueSets',
  PermissionSet: 'permissionSets',
  Profile: 'profiles',
} as const satisfies Record<string, keyof DefinitionFiles>

const isKind = (type: string): type is keyof typeof KINDS => Object.hasOwn(KINDS, type)

/** Puts a member back as it was before, or takes it out where there was none. */
function restore(members: Members, before: Readonly<Members> | undefined, name: string): void {
  if (before !== undefined && Object.hasOwn(before, name)) members[name] = before[name]
  else delete members[name]
}

/** Definition files of which components are put back as they were. What is changed is copied once, however much of it is put back. */
class RestoredFiles {
  readonly files: DefinitionFiles
  readonly #before: DefinitionFiles
  readonly #copies = new WeakSet<object>()

  constructor(after: DefinitionFiles, before: DefinitionFiles) {
    this.files = { ...after }
    this.#before = before
  }

  get #all(): Members {
    return this.files as unknown as Members
  }

  #copy(owner: Members, name: string): Members {
    const known = owner[name] as Members | null | undefined
    if (known && this.#copies.has(known)) return known
    const copy = { ...known }
    this.#copies.add(copy)
    owner[name] = copy
    return copy
  }

  restore({ type, fullName }: Pick<Component, 'type' | 'fullName'>): void {
    if (type === 'StandardValueSet') {
      for (const path of picklistsOf(fullName)) this.restore({ type: 'CustomField', fullName: path })
      return
    }
    if (isPartType(type)) for (const path of spreadActivityField(fullName)) this.#restorePart(type, path)
    else if (isKind(type)) restore(this.#copy(this.#all, KINDS[type]), this.#before[KINDS[type]], fullName)
  }

  #restorePart(type: keyof typeof OBJECT_PARTS, fullName: string): void {
    const [object, name] = splitName(type, fullName)
    if (this.files.objects[object] === undefined) return
    const part = OBJECT_PARTS[type]
    const file = this.#copy(this.#copy(this.#all, 'objects'), object)
    restore(this.#copy(file, part), (this.#before.objects[object] as ObjectFile | null)?.[part], name)
  }
}

/** The same plan without the components that fail, which stay as they are. Takes a pause after each of them. */
export function* leaveOut(plan: DeployPlan, failures: Failures): Generator<void, DeployPlan> {
  const restored = new RestoredFiles(plan.after, plan.before)
  for (const component of plan.components) {
    if (failures.has(component)) restored.restore(component)
    yield
  }
  return { ...plan, after: restored.files }
}
