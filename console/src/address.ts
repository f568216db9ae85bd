/*
 * The state of a screen is in its address, so that a link opens the same. Values are texts as they stand there: `?name=123` is a name.
 */

/** The values of an address by their names. */
export const parseAddress = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query))

/** The part of an address behind its path. */
export function formatAddress(values: Readonly<Record<string, unknown>>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return query === '' ? '' : `?${query}`
}

type Texts<Name extends string> = { readonly [name in Name]?: string | undefined }

/** The schema of an address with these texts: all others are dropped, as are empty ones. */
export const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (values: Readonly<Record<string, unknown>>): Texts<Name> =>
    Object.fromEntries(
      names.map((name) => {
        const value = values[name]
        return [name, value === undefined || value === '' ? undefined : String(value)]
      }),
    ) as Texts<Name>
