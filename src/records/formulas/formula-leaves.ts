import type { Formula, Target } from '../../formulas/language/expression.ts'
import type { Field, ParentStep } from '../../schema/fields/field.ts'
import { type FieldTarget, isFieldTarget, type TargetRoot } from '../../schema/formulas/bind.ts'

/** A stored field that a formula reads, through whatever formulas lead to it. */
export interface Leaf {
  readonly root: TargetRoot
  readonly steps: readonly ParentStep[]
  readonly target: FieldTarget
  readonly key: string
}

/** Names a field by its way from the record. */
export function makeKey(root: TargetRoot, steps: readonly ParentStep[], name: string): string {
  const way = steps.map(({ reference, object }) => `${reference.name}:${object}`)
  return [root, ...way, name].join('.')
}

/** The field that says whether there is a record. */
const ID = 'Id'

const withName = (target: FieldTarget, name: string): FieldTarget => ({
  ...target,
  field: target.object.field(name)!,
  type: 'Text',
})

function* findLeaves(
  targets: readonly Target[],
  root: TargetRoot,
  before: readonly ParentStep[],
): Generator<Leaf> {
  for (const target of targets) {
    if (!isFieldTarget(target)) continue
    const [from, steps] =
      target.root === 'record' ? [root, [...before, ...target.steps]] : [target.root, target.steps]
    if (target.formula !== undefined) {
      const exists = withName(target, ID)
      yield { root: from, steps, target: exists, key: makeKey(from, steps, ID) }
      yield* findLeaves(target.formula.targets, from, steps)
    } else if (target.coordinates !== undefined) {
      yield* findLeaves(target.coordinates, root, before)
    } else {
      yield { root: from, steps, target, key: makeKey(from, steps, target.field.name) }
    }
  }
}

/** The fields that formulas of an object read, each once. */
export const listLeaves = (formulas: readonly Formula[]): readonly Leaf[] => [
  ...new Map(
    formulas.flatMap(({ targets }) =>
      Array.from(findLeaves(targets, 'record', []), (leaf) => [leaf.key, leaf] as const),
    ),
  ).values(),
]

/** The fields of the record itself that formulas read, each once: those that they show, and the references that they follow. */
export function listOwnFields(formulas: readonly Formula[]): readonly Field[] {
  const fields = listLeaves(formulas).flatMap(({ root, steps, target }) => {
    if (root !== 'record') return []
    return steps.length === 0
      ? [target.field, ...(target.field.type.generatedFrom?.(target.field) ?? [])]
      : [steps[0]!.reference]
  })
  return [...new Set(fields)]
}
