/** `Bearer` and `OAuth` are the same, in any case. (contract/auth 9) */
const AUTHORIZATION = /^(?:Bearer|OAuth)\s+(\S+)\s*$/i

/** The token of an authorization header; undefined: it has none. */
export const bearerToken = (header: string | undefined) => AUTHORIZATION.exec(header ?? '')?.[1]
