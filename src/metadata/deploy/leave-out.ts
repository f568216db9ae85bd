import type { DefinitionFiles, ObjectFile } from '../../definitions/formats/object-file.ts'
import { isPartType, OBJECT_PARTS, picklistsOf, splitName } from '../components/compare-component.ts'
import type { Component } from '../components/find-components.ts'
import type { Failures } from './component-results.ts'
import type { DeployPlan } from './plan-deploy.ts'

type Named = Readonly<Record<string, unknown>>

/** A member as it was before, or without it where there was none. */
function restore(after: Named | undefined, before: Named | undefined, name: string): Named {
  const { [name]: _changed, ...rest } = after ?? {}
  return before !== undefined && Object.hasOwn(before, name) ? { ...rest, [name]: before[name] } : rest
}

function restoreIn(
  after: DefinitionFiles,
  before: DefinitionFiles,
  { type, fullName }: Pick<Component, 'type' | 'fullName'>,
): DefinitionFiles {
  if (type === 'StandardValueSet') {
    return picklistsOf(fullName).reduce(
      (files, path) => restoreIn(files, before, { type: 'CustomField', fullName: path }),
      after,
    )
  }
  if (isPartType(type)) {
    const [object, name] = splitName(type, fullName)
    const file = after.objects[object]
    if (file === undefined) return after
    const part = OBJECT_PARTS[type]
    const restored = {
      ...file,
      [part]: restore(file?.[part], before.objects[object]?.[part], name),
    } as ObjectFile
    return { ...after, objects: { ...after.objects, [object]: restored } }
  }
  const kinds = {
    CustomObject: 'objects',
    GlobalValueSet: 'valueSets',
    PermissionSet: 'permissionSets',
    Profile: 'profiles',
  } as const
  if (!Object.hasOwn(kinds, type)) return after
  const kind = kinds[type as keyof typeof kinds]
  return { ...after, [kind]: restore(after[kind], before[kind], fullName) }
}

/** The same plan without the components that fail, which stay as they are. */
export function leaveOut(plan: DeployPlan, failures: Failures): DeployPlan {
  let { after } = plan
  for (const component of plan.components)
    if (failures.has(component)) after = restoreIn(after, plan.before, component)
  return { ...plan, after }
}
