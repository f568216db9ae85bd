const isResult = (value: unknown): value is { readonly records: unknown } =>
  typeof value === 'object' && value !== null && 'records' in value && 'totalSize' in value

/** Without what is for programs: where a record is, and how many child records there are. */
function plain(name: string, value: unknown): unknown {
  if (name === 'attributes') return undefined
  return isResult(value) ? value.records : value
}

/** The same for the eye: what is not there is not shown. */
const sparse = (name: string, value: unknown) => (value === null ? undefined : plain(name, value))

/** A value as one text; null is empty. What is made of several (an address, child records) is JSON. */
export function cellText(value: unknown, { nulls } = { nulls: true }): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value, nulls ? plain : sparse) : String(value)
}
