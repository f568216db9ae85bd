/** A custom name without its `__c`: `npe01__OppPayment__c` has the namespace npe01 and the base OppPayment. */
interface CustomName {
  /** The prefix of the package that the name comes from. */
  readonly namespace: string | undefined
  readonly base: string
}

export function splitCustomName(name: string): CustomName {
  const own = name.endsWith('__c') ? name.slice(0, -'__c'.length) : name
  const at = own.indexOf('__')
  return at < 0
    ? { namespace: undefined, base: own }
    : { namespace: own.slice(0, at), base: own.slice(at + 2) }
}

/** `npe01__` of `npe01__OppPayment__c`; empty for a name without a namespace. */
export function getNamespacePrefix(name: string): string {
  const { namespace } = splitCustomName(name)
  return namespace === undefined ? '' : `${namespace}__`
}
