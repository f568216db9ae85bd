/** One of the two APIs for records: they differ in how records are typed, and in the names of their namespaces. */
export interface SoapApi {
  /** Its letter in addresses. */
  readonly letter: 'u' | 'c'
  readonly uri: string
  readonly faultUri: string
}

const PARTNER: SoapApi = {
  letter: 'u',
  uri: 'urn:partner.soap.sforce.com',
  faultUri: 'urn:fault.partner.soap.sforce.com',
}

const ENTERPRISE: SoapApi = {
  letter: 'c',
  uri: 'urn:enterprise.soap.sforce.com',
  faultUri: 'urn:fault.enterprise.soap.sforce.com',
}

/** The API of a path; that of partners where the path names none. */
export const findApi = (path: string): SoapApi =>
  path.startsWith('/services/Soap/c/') ? ENTERPRISE : PARTNER
