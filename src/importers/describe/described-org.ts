import { getOrInsert } from '../../base/get-or-insert.ts'
import type { NotePad } from '../notes.ts'
import type { DescribedObject } from './described-object.ts'

/** All described objects: one object's describe has the child relationships of others. */
export interface DescribedOrg {
  readonly pad: NotePad
  has(object: string): boolean
  /** The child relationship name of a reference field; undefined when no describe has one. */
  childrenOf(object: string, field: string): string | undefined
  hasActivities(object: DescribedObject): boolean
}

export function describedOrg(objects: readonly DescribedObject[], pad: NotePad): DescribedOrg {
  const names = new Set(objects.map(({ name }) => name))
  const children = new Map<string, string>()
  for (const { childRelationships } of objects) {
    for (const { childSObject, field, relationshipName } of childRelationships) {
      if (relationshipName !== null) {
        getOrInsert(children, `${childSObject}.${field}`, () => relationshipName)
      }
    }
  }
  const task = objects.find(({ name }) => name === 'Task')?.fields.find(({ name }) => name === 'WhatId')
  return {
    pad,
    has: (object) => names.has(object),
    childrenOf: (object, field) => children.get(`${object}.${field}`),
    hasActivities: ({ name, childRelationships }) =>
      task?.referenceTo?.includes(name) === true ||
      childRelationships.some(({ childSObject, field }) => childSObject === 'Task' && field === 'WhatId'),
  }
}
