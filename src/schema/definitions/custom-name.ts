/** The parts of a name without its suffix: `npe01__OppPayment__c` has the namespace npe01 and the base OppPayment. */
export interface CustomName {
  /** The prefix of the package that the name comes from. */
  readonly namespace: string | undefined
  readonly base: string
}

/** True if the object is a metadata type: its records are part of the deployment. */
export const isMetadataType = (object: string): boolean => object.endsWith('__mdt')

/** True if the object is a platform event: it is published, and never kept as a record. */
export const isEventObject = (object: string): boolean => object.endsWith('__e')

/** True if the object is one of the org's own. */
export const isCustomObject = (object: string): boolean =>
  object.endsWith('__c') || isMetadataType(object) || isEventObject(object)

/** The parts of a name that has no suffix. */
export function splitNamespace(name: string): CustomName {
  const at = name.indexOf('__')
  return at < 0
    ? { namespace: undefined, base: name }
    : { namespace: name.slice(0, at), base: name.slice(at + 2) }
}

export const splitCustomName = (name: string): CustomName => splitNamespace(name.replace(/__(c|mdt|e)$/, ''))

/** `npe01__` of `npe01__OppPayment__c`; empty for a name without a namespace. */
export function getNamespacePrefix(name: string): string {
  const { namespace } = splitCustomName(name)
  return namespace === undefined ? '' : `${namespace}__`
}
