import { FIELD_TYPES } from '../fields/registry.ts'
import type { FormulaMakers } from '../objects/object-type.ts'
import type { FindObject } from './bind.ts'
import { ComputedFormula } from './field-formula.sql.ts'
import { LazyFormula } from './lazy-formula.ts'
import { RollUp } from './roll-up.ts'

/** Makes the formulas of a schema, whose objects are found by name once all of them are there. */
export const makeFormulas = (findObject: FindObject): FormulaMakers => ({
  ofField: (object, definition) => new ComputedFormula(object, definition, findObject),
  ofRollUp: (object, definition) => new RollUp(object, definition, findObject),
  // A picklist takes a text.
  ofDefault(object, { type, defaultFormula }) {
    const known = FIELD_TYPES[type].formula?.type ?? 'Text'
    const result = known === 'Picklist' || known === 'MultiPicklist' ? 'Text' : known
    return new LazyFormula(
      { object, text: defaultFormula!, place: 'default', result, zero: false },
      findObject,
    )
  },
  ofRule: (object, { condition }) =>
    new LazyFormula({ object, text: condition, place: 'rule', result: 'Boolean', zero: false }, findObject),
})
