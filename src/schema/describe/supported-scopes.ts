import type { ObjectType } from '../objects/object-type.ts'

/** Whose records a query may be narrowed to. (docs/reference/api/queries.md#scopes) */
export type ScopeName = 'everything' | 'mine' | 'delegated' | 'team' | 'mru'

export interface SupportedScope {
  readonly name: ScopeName
  readonly label: string
}

const DELEGATED = ['Task']
const TEAMS = ['Account', 'Case', 'Opportunity']

/** The scopes of an object, with the labels that people see. */
export function supportedScopes(object: ObjectType): readonly SupportedScope[] {
  const plural = object.definition.labelPlural.toLowerCase()
  const owned = object.field('OwnerId') !== undefined
  const scopes: (SupportedScope | false)[] = [
    { name: 'everything', label: `All ${plural}` },
    owned && { name: 'mine', label: `My ${plural}` },
    DELEGATED.includes(object.name) && { name: 'delegated', label: `My delegated ${plural}` },
    TEAMS.includes(object.name) && { name: 'team', label: `My team's ${plural}` },
    owned && { name: 'mru', label: `Recently viewed ${plural}` },
  ]
  return scopes.filter((scope) => scope !== false)
}
