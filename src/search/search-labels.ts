import type { Field } from '../schema/fields/field.ts'
import type { Selection } from '../soql/plan/plan.ts'

/** Labels of the returned fields, for display. (docs/reference/api/search.md#parameters) */
export interface SearchLabels {
  readonly entityMetadata: readonly {
    readonly entityName: string
    readonly fieldMetadata: readonly { readonly name: string; readonly label: string }[]
  }[]
}

export function makeSearchLabels(selections: readonly Selection[]): SearchLabels {
  return {
    entityMetadata: selections.map(({ source, members }) => ({
      entityName: source.object.name,
      fieldMetadata: members
        .filter((member): member is Field => !('kind' in member))
        .map(({ name, label }) => ({ name, label })),
    })),
  }
}
