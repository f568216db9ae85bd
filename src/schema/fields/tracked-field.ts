import type { Field } from './field.ts'

/** True if changes of a field can be kept: it is stored, and neither counted, nor a sum of details, nor bytes. */
const isTrackable = ({ column, system, type, definition: { recent, addressOf, rollUp } }: Field): boolean =>
  column !== undefined &&
  !system &&
  recent === undefined &&
  rollUp === undefined &&
  addressOf === undefined &&
  type.counted !== true &&
  type.generated !== true &&
  type.holdsBytes !== true

/** True if a definition can say that changes of a field are kept: those of an address and a location are kept part by part. */
export const mayTrack = (field: Field): boolean => isTrackable(field) || field.type.makeParts !== undefined

/** True if its changes say the values, not only that there were other ones: long, several and encrypted ones are left out. */
export const isToldInFull = ({ type }: Field): boolean =>
  type.long !== true && type.separator === undefined && type.encrypted === undefined

/** By which name changes of it are kept: `Owner` of OwnerId, `Tier__c`. */
export const historyName = ({ name, definition: { relationship } }: Field): string =>
  name.endsWith('__c') ? name : (relationship ?? name)

/** True if its changes are kept if the object keeps any. No definition names the owner, whose changes always are. */
export const isTracked = (field: Field): boolean =>
  isTrackable(field) && (field.definition.trackHistory === true || field.name === 'OwnerId')
