/**
 * `Bearer` and `OAuth` are the same, in any case. Everything behind them is the token: one with a blank is wrong, its
 * header is not. (docs/reference/api/tokens.md#refused-tokens)
 */
const AUTHORIZATION = /^(?:Bearer|OAuth)\s+(\S.*)$/i

/** The token of an authorization header; undefined: it has none. */
export const bearerToken = (header: string | undefined) => AUTHORIZATION.exec(header ?? '')?.[1]?.trimEnd()
