/** Client id and secret from `Authorization: Basic`, where both are form-encoded. */
function basicCredentials(header: string | undefined): [string, string] | undefined {
  const match = /^Basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(header ?? '')
  if (match === null) return undefined
  const text = Buffer.from(match[1]!, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  try {
    const decode = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return [decode(text.slice(0, colon)), decode(text.slice(colon + 1))]
  } catch {
    return undefined
  }
}

/** The client credentials of a request: in the parameters, else in HTTP Basic. (docs/reference/api/tokens.md#requests) */
export function clientCredentialsIn(
  parameters: ReadonlyMap<string, string>,
  authorization: string | undefined,
): { readonly clientId: string | undefined; readonly clientSecret: string | undefined } {
  const [basicId, basicSecret] = basicCredentials(authorization) ?? []
  return {
    clientId: parameters.get('client_id') ?? basicId,
    clientSecret: parameters.get('client_secret') ?? basicSecret,
  }
}
