import { getOrInsert } from '../../base/get-or-insert.ts'
import { drain } from '../../base/run-in-slices.ts'
import type { Component } from '../components/component.ts'
import { writeXml } from '../components/write-xml.ts'

/** Components of a type as a manifest names them: by their full names, or all of them. */
export interface TypeMembers {
  readonly type: string
  readonly members: readonly string[]
}

/** Stands for all components of a type. */
export const ALL_MEMBERS = '*'

/** Names components and their children, but those of which nothing is said themselves; sorted. */
export function listMembers(components: readonly Component[]): TypeMembers[] {
  const members = new Map<string, string[]>()
  const add = ({ type, fullName }: { readonly type: string; readonly fullName: string }) => {
    getOrInsert(members, type, () => []).push(fullName)
  }
  for (const component of components) {
    if (component.content !== undefined) add(component)
    component.children.forEach(add)
  }
  return [...members]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([type, names]) => ({ type, members: names.sort() }))
}

/**
 * The text of a manifest, `package.xml`.
 * @param version `64.0`
 */
export const writeManifest = (types: readonly TypeMembers[], version: string): string =>
  drain(writeXml('Package', { types: types.map(({ type, members }) => ({ members, name: type })), version }))
