/** How a name stands in addresses: `O'Keefe & Sons` is `okeefe-sons`. */
const webName = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9\s-]/g, '')
    .trim()
    .replaceAll(/[\s-]+/g, '-')

/** The domain of a company. Nobody can own a name that ends so, so no mail ever reaches a stranger. */
export const makeDomain = (company: string): string => `${webName(company)}.example`

export const makeEmail = (firstName: string, lastName: string, domain: string): string =>
  `${webName(firstName)}.${webName(lastName)}@${domain}`
