import { ApiError } from '../../base/api-error.ts'
import { getOrInsert, oncePer } from '../../base/get-or-insert.ts'
import type { Field } from '../../schema/fields/field.ts'
import type { FieldCall } from '../parse/function-call.ts'
import type { LikePattern, Literal } from '../parse/literal.ts'
import { notFilterableError, queryError } from '../parse/query-error.ts'
import { compileLike, foldCharacters } from '../plan/match-like.ts'
import { getOperandFacts } from '../plan/operand.ts'
import type { Filter, Operand } from '../plan/plan.ts'
import { analyzeValue } from './analyze-value.ts'
import type { FilterLocation } from './filter-location.ts'
import { among, type Compared, not } from './make-filter.ts'

/** Maximum comparisons of labels with patterns in one query; the picklist of time zones has 400 labels. */
const MAX_LABEL_TESTS = 100_000

/** The labels of a picklist, folded for case-insensitive comparison. */
interface Labels {
  readonly entries: readonly { readonly value: string; readonly characters: readonly string[] }[]
  readonly valuesByLabel: ReadonlyMap<string, readonly string[]>
}

const foldText = (text: string) => foldCharacters(text).join('')

const getLabels = oncePer(({ picklist }: Field): Labels => {
  const valuesByLabel = new Map<string, string[]>()
  const entries = picklist.map(({ value, label }) => {
    getOrInsert(valuesByLabel, foldText(label), () => []).push(value)
    return { value, characters: foldCharacters(label) }
  })
  return { entries, valuesByLabel }
})

/** `toLabel(Status) = 'Neu'`: matches the values with this label. */
export function analyzeLabel(
  call: FieldCall,
  literals: readonly (Literal | LikePattern)[],
  operator: string,
  { scope, counts }: FilterLocation,
): Filter {
  const ref = scope.resolve(call.args[0])
  const operand: Operand = { kind: 'field', ...ref }
  if (operator !== '=' && operator !== '!=' && operator !== 'LIKE') {
    throw queryError('INVALID_QUERY_FILTER_OPERATOR', scope.text, call.at, 'invalid operator on toLabel')
  }
  const facts = getOperandFacts(operand)
  if (facts.operators.length === 0) throw notFilterableError(scope.text, call.at, facts.name)
  const { entries, valuesByLabel } = getLabels(ref.field)
  const found = new Set<Compared>()
  for (const literal of literals) {
    const value = analyzeValue(facts, literal, scope.text)
    if (value === null || value === '') found.add(null)
    else if (operator !== 'LIKE') {
      for (const labelled of valuesByLabel.get(foldText(String(value))) ?? []) found.add(labelled)
    } else {
      counts.labelTests += entries.length
      if (counts.labelTests > MAX_LABEL_TESTS) {
        throw new ApiError('QUERY_TOO_COMPLICATED', 'The query compares too many labels with patterns')
      }
      const matches = compileLike(String(value))
      for (const entry of entries) if (matches(entry.characters)) found.add(entry.value)
    }
  }
  const filter = among(operand, [...found])
  return operator === '!=' ? not(filter) : filter
}
