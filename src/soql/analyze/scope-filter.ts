import type { ScopeName } from '../../schema/describe/supported-scopes.ts'
import type { Filter, Operand } from '../plan/plan.ts'
import { NEVER, not } from './make-filter.ts'
import type { Scope } from './scope.ts'

/** The condition of a scope; undefined for `everything`. (docs/reference/api/queries.md#scopes) */
export function makeScopeFilter(name: ScopeName, scope: Scope): Filter | undefined {
  const getField = (name: string): Operand => ({
    kind: 'field',
    source: scope.root,
    field: scope.getField(scope.root, name, 0),
  })
  const own = (field: string): Filter => ({ kind: 'mine', operand: getField(field) })
  switch (name) {
    case 'everything':
      return undefined
    case 'mine':
      return own('OwnerId')
    case 'delegated':
      return { kind: 'and', terms: [own('CreatedById'), not(own('OwnerId'))] }
    case 'team':
      // There are no account teams.
      return NEVER
    case 'mru':
      return { kind: 'recent', operand: getField('Id') }
  }
}
