/** One of the two APIs for records, which differ in how records are typed, or the one for metadata or code. */
export interface SoapApi {
  /** Its letter in addresses. */
  readonly letter: 'u' | 'c' | 'm' | 's'
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

const METADATA: SoapApi = {
  letter: 'm',
  uri: 'http://soap.sforce.com/2006/04/metadata',
  faultUri: 'http://soap.sforce.com/2006/04/metadata',
}

const CODE: SoapApi = {
  letter: 's',
  uri: 'http://soap.sforce.com/2006/08/apex',
  faultUri: 'http://soap.sforce.com/2006/08/apex',
}

/** The API of a path; that of partners where the path names none. */
export const findApi = (path: string): SoapApi =>
  [ENTERPRISE, METADATA, CODE].find(({ letter }) => path.startsWith(`/services/Soap/${letter}/`)) ?? PARTNER
