import { same } from '../../definitions/checks/checking.ts'
import { STANDARD_OBJECTS } from '../../standard/standard-objects.ts'

/** The standard object of a name, whatever its case. */
export const findStandard = (name: string) => STANDARD_OBJECTS.find((object) => same(object.name, name))
