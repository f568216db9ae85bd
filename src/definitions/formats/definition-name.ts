import { splitCustomName } from '../../schema/definitions/custom-name.ts'

/** Characters that names of files have on every system. Others are written as `%2F`. */
const ODD = /[^\p{L}\p{N} _().-]|^\.|[ .]$/gu

const escapeCharacter = (character: string) =>
  [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

/** The name of the file of a definition, without its suffix: `Sales%2FEurope` of `Sales/Europe`. `decodePercent` is its inverse. */
export const makeFileName = (name: string): string => name.replaceAll(ODD, escapeCharacter)

/** Makes `Start Date` of `Start_Date__c`, and of `acme__Start_Date__c`. */
export function makeLabel(name: string): string {
  return splitCustomName(name)
    .base.replace(/__[a-z]+$/i, '')
    .replaceAll('_', ' ')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim()
}

/** Makes an English plural: Boxes, Cities, Projects. */
export function makePlural(label: string): string {
  if (/(s|x|z|ch|sh)$/i.test(label)) return `${label}es`
  return /[^aeiou]y$/i.test(label) ? `${label.slice(0, -1)}ies` : `${label}s`
}

/** The relationship name of a reference: `Start_Date__r` for `Start_Date__c`. */
export const makeRelationshipName = (name: string): string | undefined =>
  name.endsWith('__c') ? name.replace(/__c$/, '__r') : undefined
