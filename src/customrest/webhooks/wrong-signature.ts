import type { Incoming } from './delivery-log.ts'

/** Where a MAC begins, in the headers of any scheme. */
const MAC = /(sha256=|v1=|v1,)([0-9A-Za-z+/])/g

/** A delivery as it came, but for one digit of each of its MACs: the signature is well formed and does not fit. */
export function withWrongSignature({ headers, ...rest }: Incoming): Incoming {
  const changed = Object.entries(headers).map(([name, value]) => {
    if (!name.endsWith('signature') && !name.endsWith('signature-256')) return [name, value]
    return [name, String(value).replace(MAC, (_, start, digit) => start + (digit === '0' ? '1' : '0'))]
  })
  return { ...rest, headers: Object.fromEntries(changed) }
}
