/** `Bearer` and `OAuth` are the same, in any case. (docs/reference/api/tokens.md#refused-tokens) */
const AUTHORIZATION = /^(?:Bearer|OAuth)\s+(\S+)\s*$/i

/** The token of an authorization header; undefined: it has none. */
export const bearerToken = (header: string | undefined) => AUTHORIZATION.exec(header ?? '')?.[1]
