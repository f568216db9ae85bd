import { malformedQuery } from '../parse/query-error.ts'
import { findNamed, isRootField } from './find-named.ts'
import type { Operand, PlanBase } from './plan.ts'

/** A query makes the rows of all fields of the objects that it names. */
const MAX_OBJECTS = 100

/** Fields of the parent that name an object. */
const NAMES = ['QualifiedApiName', 'DurableId']

const malformed = (message: string) => malformedQuery(`FieldDefinition: ${message}`)

/**
 * The objects that a query of `FieldDefinition` names, as it writes them.
 * @throws ApiError MALFORMED_QUERY if it names none, or too many
 */
export function findNamedObjects(plan: Pick<PlanBase, 'sources' | 'filter'>): readonly string[] {
  const isNameOfParent = (operand: Operand) =>
    operand.kind === 'field' &&
    operand.source.via?.source === plan.sources[0] &&
    operand.source.object.name === 'EntityDefinition' &&
    NAMES.includes(operand.field.name)
  const named =
    findNamed(plan.filter, isRootField(plan, 'EntityDefinitionId')) ??
    findNamed(plan.filter, isNameOfParent) ??
    findNamed(plan.filter, isRootField(plan, 'DurableId'))?.map((id) => String(id).replace(/\..*/s, ''))
  if (named === undefined) {
    throw malformed('a filter on a reified column is required [EntityDefinitionId,DurableId]')
  }
  const names = [...new Set(named.map((name) => String(name).toLowerCase()))]
  if (names.length > MAX_OBJECTS) {
    throw malformed(`a query may name ${MAX_OBJECTS} objects at most, not ${names.length}`)
  }
  return names
}
