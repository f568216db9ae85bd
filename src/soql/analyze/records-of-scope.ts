import type { ScopeName } from '../../schema/describe/supported-scopes.ts'
import type { Filter, Operand } from '../plan/plan.ts'
import { NEVER, not } from './make-filter.ts'
import type { Scope } from './scope.ts'

/** Whose records a query is narrowed to, as a condition; `everything` is none. (docs/reference/api/queries.md#scopes) */
export function recordsOfScope(name: ScopeName, scope: Scope): Filter | undefined {
  const fieldOf = (name: string): Operand => ({
    kind: 'field',
    source: scope.root,
    field: scope.fieldOf(scope.root, name, 0),
  })
  const own = (field: string): Filter => ({ kind: 'mine', operand: fieldOf(field) })
  switch (name) {
    case 'everything':
      return undefined
    case 'mine':
      return own('OwnerId')
    case 'delegated':
      return { kind: 'and', terms: [own('CreatedById'), not(own('OwnerId'))] }
    case 'team':
      // No teams are kept, so nobody has any.
      return NEVER
    case 'mru':
      return { kind: 'recent', operand: fieldOf('Id') }
  }
}
