import { STANDARD_OBJECTS } from '../../../standard/standard-objects.ts'
import { same } from '../../definitions/checking.ts'

/** The standard object of a name, whatever its case. */
export const findStandard = (name: string) => STANDARD_OBJECTS.find((object) => same(object.name, name))
