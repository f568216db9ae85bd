import type { CompiledRollUp } from '../../schema/fields/field.ts'
import type { ObjectType } from '../../schema/objects/object-type.ts'
import type { ChildAggregate, ParentEffect } from '../../standard/behaviour/parent-effect.ts'
import { findBehaviour } from '../../standard/behaviours.ts'

const toAggregate = ({ function: name, of, filter }: CompiledRollUp): ChildAggregate => ({
  function: name,
  ...(of !== undefined && { of: of.name }),
  ...(filter !== undefined && { filter }),
})

/** The roll-ups of an object's masters, those of one master together: they are added up by one statement. */
export function makeRollUpEffects(object: ObjectType): readonly ParentEffect[] {
  const { masterRollUps } = object
  // Values that its behaviour derives are not known yet when the effects of a write are planned.
  const derivedFrom = findBehaviour(object)?.derivation?.from ?? []
  /** A person's name follows from its parts. */
  const withParts = (name: string) => {
    const field = object.field(name)!
    return [name, ...(field.type.generatedFrom?.(field) ?? []).map((part) => part.name)]
  }
  const compiled = masterRollUps.flatMap(({ master, field, rollUp: { compiled } }) =>
    compiled === undefined ? [] : [{ master, field, compiled }],
  )
  const groups = Map.groupBy(compiled, ({ master, compiled }) => `${master} ${compiled.reference}`)
  return [...groups.values()].map((group) => {
    const [{ master, compiled }] = group as [(typeof group)[number]]
    return {
      reference: compiled.reference,
      parent: master,
      from: [...new Set([...group.flatMap((one) => one.compiled.from.flatMap(withParts)), ...derivedFrom])],
      sets: Object.fromEntries(group.map((one) => [one.field.name, toAggregate(one.compiled)])),
      kind: 'change',
      isAfterTriggers: true,
    }
  })
}
