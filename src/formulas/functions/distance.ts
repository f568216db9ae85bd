import type { Expression } from '../language/expression.ts'
import { FormulaError } from '../language/formula-error.ts'
import { makeDistance } from './doubles.sql.ts'
import { type FormulaFunction, NUMBER, TEXT } from './function.ts'

/** A point of two numbers, which only DISTANCE reads. */
interface Point extends Extract<Expression, { kind: 'literal' }> {
  readonly coordinates: readonly [Expression, Expression]
}

/** Latitude and longitude of a location: those of its field, or of GEOLOCATION. */
function findCoordinates(location: Expression): readonly Expression[] {
  if (location.kind !== 'reference') return (location as Point).coordinates
  return location.target.coordinates!.map((target) => ({
    ...location,
    type: 'Number',
    target,
    facts: target.facts,
    zero: false,
  }))
}

const distances = { mi: makeDistance('mi'), km: makeDistance('km') }

export const DISTANCE_FUNCTIONS: readonly FormulaFunction[] = [
  {
    name: 'DISTANCE',
    signature: 'DISTANCE(location, location, "mi" or "km")',
    result: 'Number',
    description: 'The distance of two locations on the earth.',
    parameters: [['Location'], ['Location'], TEXT],
    make({ args: [from, to, unit], label }) {
      const name = unit!.kind === 'literal' ? unit!.value : undefined
      if (name !== 'mi' && name !== 'km') {
        const received = name === undefined ? unit!.type : `'${name}'`
        throw new FormulaError(
          `Incorrect parameter value for ${label}. Expected 'mi' or 'km', received ${received}`,
          unit!.at,
        )
      }
      return {
        type: 'Number',
        ...distances[name],
        args: [...findCoordinates(from!), ...findCoordinates(to!)],
      }
    },
  },
  {
    name: 'GEOLOCATION',
    signature: 'GEOLOCATION(latitude, longitude)',
    result: 'Location',
    description: 'A location for DISTANCE. Fails outside of -90 to 90 and -180 to 180.',
    parameters: [NUMBER, NUMBER],
    make({ args, at }): Expression {
      const point: Point = {
        kind: 'literal',
        type: 'Location',
        value: null,
        facts: {},
        at,
        depth: 1 + Math.max(...args.map(({ depth }) => depth)),
        coordinates: args as readonly [Expression, Expression],
      }
      return point
    },
  },
]
