import type { Field, ListedValue } from '../fields/field.ts'

/** Values of a controlling field, in the order of the bits: a boolean is false, then true. */
const getValues = (controller: Field): readonly string[] =>
  controller.picklist.length > 0 ? controller.picklist.map(({ value }) => value) : ['false', 'true']

/**
 * For which values of the controlling field a value is offered: one bit for each of them, the first one the highest of
 * the first byte, in base64. (docs/reference/api/metadata.md#picklist-values)
 */
export function validForBits({ validFor }: ListedValue, controller: Field): string {
  const values = getValues(controller)
  const bits = Buffer.alloc(Math.ceil(values.length / 8))
  for (const [index, value] of values.entries()) {
    const isValid = validFor === undefined || validFor.includes(value)
    if (isValid) bits[index >> 3]! |= 0x80 >> (index & 7)
  }
  return bits.toString('base64')
}

/** The values of the controlling field whose bits are set. */
export function valuesOfBits(bits: string, values: readonly string[]): string[] {
  const bytes = Buffer.from(bits, 'base64')
  return values.filter((_, index) => ((bytes[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0)
}
