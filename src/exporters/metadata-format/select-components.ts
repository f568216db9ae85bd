import { getOrInsert } from '../../base/get-or-insert.ts'
import { isCustomObject } from '../../schema/definitions/custom-name.ts'
import { findStandardObject } from '../../standard/standard-objects.ts'
import type { Component } from '../components/component.ts'
import { isTypeName } from '../components/component-types.ts'
import { ALL_MEMBERS, type TypeMembers } from './type-members.ts'

interface Selected {
  readonly components: readonly Component[]
  /** Types and members that are not there, a sentence each. */
  readonly messages: readonly string[]
}

type NamesByType = ReadonlyMap<string, ReadonlySet<string>>

function groupNames(members: Iterable<readonly [type: string, name: string]>): NamesByType {
  const groups = new Map<string, Set<string>>()
  for (const [type, name] of members) getOrInsert(groups, type, () => new Set<string>()).add(name)
  return groups
}

/** A standard object of which an org says nothing is there all the same. */
const isUnchanged = (type: string, name: string) =>
  type === 'CustomObject' && findStandardObject(name)?.name === name

/** `*` stands for an org's own objects: standard ones have to be named. */
const isInAll = ({ type, fullName }: Component) => type !== 'CustomObject' || isCustomObject(fullName)

/** Returns a component, or only its children that are asked for; undefined if nothing of it is asked for. */
function selectFrom(component: Component, asked: NamesByType): Component | undefined {
  const { type, fullName, content, children } = component
  const own = asked.get(type)
  if (own?.has(fullName) === true || (own?.has(ALL_MEMBERS) === true && isInAll(component)))
    return { ...component, content: content ?? {} }
  const some = children.filter(({ type: part, fullName: name }) => {
    const names = asked.get(part)
    return names?.has(name) === true || names?.has(ALL_MEMBERS) === true
  })
  return some.length === 0 ? undefined : { ...component, content: undefined, children: some }
}

/** Selects the components that a manifest asks for, by their full names or all of a type by `*`. */
export function selectComponents(all: readonly Component[], wanted: readonly TypeMembers[]): Selected {
  const asked = groupNames(
    wanted.flatMap(({ type, members }) => members.map((name) => [type, name] as const)),
  )
  const there = groupNames(
    all.flatMap((one) => [one, ...one.children].map(({ type, fullName }) => [type, fullName] as const)),
  )
  const components = all.flatMap((component) => selectFrom(component, asked) ?? [])
  const messages: string[] = []
  for (const type of new Set(wanted.map((one) => one.type)))
    if (!isTypeName(type)) messages.push(`Unknown type name '${type}' specified in package.xml`)
    else
      for (const name of asked.get(type) ?? []) {
        if (name === ALL_MEMBERS || there.get(type)?.has(name) === true) continue
        if (isUnchanged(type, name))
          components.push({ type: 'CustomObject', fullName: name, content: {}, children: [] })
        else messages.push(`Entity of type '${type}' named '${name}' cannot be found`)
      }
  return { components, messages }
}
