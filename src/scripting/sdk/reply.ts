/** Omits null properties of records. (docs/reference/api/custom-resources.md#responses) */
function withoutNulls(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('attributes' in value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null))
}

/** Serializes a value as the API does; undefined when there is nothing to write. */
export const jsonText = (value: unknown): string | undefined => JSON.stringify(value, withoutNulls)

/** Makes a response with a status other than 200: `return reply(201, record)`. */
export function reply(
  status: number,
  value?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const type = { 'Content-Type': 'application/json;charset=UTF-8' }
  return new Response(jsonText(value) ?? null, {
    status,
    headers: { ...(value !== undefined && type), ...headers },
  })
}
