import type { Incoming } from './delivery-log.ts'

/** The start of a MAC in the headers of any scheme. */
const MAC = /(sha256=|v1=|v1,)([0-9A-Za-z+/])/g

/** Changes one digit of each MAC of a delivery, so that its signature is well formed but wrong. */
export function withWrongSignature({ headers, ...rest }: Incoming): Incoming {
  const changed = Object.entries(headers).map(([name, value]) => {
    if (!name.endsWith('signature') && !name.endsWith('signature-256')) return [name, value]
    return [name, String(value).replace(MAC, (_, start, digit) => start + (digit === '0' ? '1' : '0'))]
  })
  return { ...rest, headers: Object.fromEntries(changed) }
}
