/**
 * `--map 'CSV column=Field'`, for each column once. What stands behind the last equals sign is the field: a column may
 * have one in its name.
 */
export function parseMapping(entries: readonly string[]): ReadonlyMap<string, string> {
  const mapping = new Map<string, string>()
  for (const entry of entries) {
    const at = entry.lastIndexOf('=')
    if (at < 0)
      throw new Error(`--map ${JSON.stringify(entry)} must be 'column=Field', or 'column=' to leave it out.`)
    mapping.set(entry.slice(0, at), entry.slice(at + 1).trim())
  }
  return mapping
}
