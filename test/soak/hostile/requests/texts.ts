import { gzipSync } from 'node:zlib'

export const MEGABYTE = 1024 * 1024

/** Just below the largest body, in bytes. */
export const ALMOST_LIMIT = 50 * MEGABYTE - 4096

const list = (length: number, of: (i: number) => string) => Array.from({ length }, (_, i) => of(i)).join(',')

/** JSON that costs more than it looks like. Strings between braces are members of an object. */
export const HOSTILE_JSON: Readonly<Record<string, () => string | Buffer>> = {
  '20 million levels': () => '['.repeat(20_000_000),
  'ten million lists': () => `[${'[],'.repeat(10_000_000)}1]`,
  'a million members': () => `{${list(1_000_000, (i) => `"k${i}":1`)}}`,
  'as many members as are let in': () => `{${list(249_000, (i) => `"k${i}":1`)}}`,
  'as many objects as are let in': () => `[${list(124_000, (i) => `{"k${i}":1}`)}]`,
  'one member many times': () => `{${list(249_000, () => '"Name":"a"')}}`,
  'a text of 50 MB': () =>
    Buffer.alloc(ALMOST_LIMIT, 'x')
      .fill('{"Name":"', 0, 9)
      .fill('"}', ALMOST_LIMIT - 2),
  'a text of 50 MB of escapes': () => `{"Name":"${'\\n'.repeat(ALMOST_LIMIT / 2 - 10)}"}`,
  'a text of 50 MB of quotes': () => `{"Name":"${'\\"'.repeat(ALMOST_LIMIT / 2 - 10)}"}`,
  'a text of 50 MB of escaped halves of pairs': () => `{"Name":"${'\\ud800'.repeat(ALMOST_LIMIT / 6 - 10)}"}`,
  'a text of 50 MB beyond ASCII': () => `{"Name":"${'é'.repeat(ALMOST_LIMIT / 2 - 10)}"}`,
  'a text of 50 MB that does not end': () => `{"Name":"${'x'.repeat(ALMOST_LIMIT - 100)}`,
  'members and escapes together': () => `{${list(120_000, (i) => `"k${i}":"${'\\n'.repeat(190)}"`)}}`,
  'an error behind 50 MB': () => `{"Name":"${'x\\n'.repeat(ALMOST_LIMIT / 3 - 10)}",}`,
  'an error behind many members': () => `{${list(249_000, (i) => `"k${i}":1`)},}`,
  'an unknown member of 50 MB': () => `{"${'x'.repeat(ALMOST_LIMIT - 100)}":1}`,
  'a number of 50 MB': () => `{"Name":${'1'.repeat(ALMOST_LIMIT - 100)}}`,
  'numbers of a megabyte': () => `[${list(45, () => '1'.repeat(MEGABYTE))}]`,
  exponents: () =>
    `{"AnnualRevenue":1e${'9'.repeat(100_000)},"NumberOfEmployees":-0.${'0'.repeat(100_000)}1}`,
  'blanks of 50 MB': () => `{${' '.repeat(ALMOST_LIMIT - 100)}}`,
  'lines of 50 MB': () => `{${'\n'.repeat(ALMOST_LIMIT - 100)}x}`,
  'bytes that are no UTF-8': () =>
    Buffer.concat([Buffer.from('{"Name":"'), Buffer.alloc(10 * MEGABYTE, 0xff), Buffer.from('"}')]),
  'halves of UTF-8': () => Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'control characters': () => `{"Name":"\u0000\u0001\ud83d"}`,
  'names of the language': () =>
    '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}},"toString":1,"Name":"a"}',
  'nothing but a number': () => '1e999',
  'nothing but null': () => 'null',
  'half of it': () => '{"Name":"a',
}

/** The smaller ones, which may be sent to everybody who reads JSON. */
export const PACKED_JSON = [
  '20 million levels',
  'ten million lists',
  'a million members',
  'as many members as are let in',
  'members and escapes together',
  'an error behind many members',
] as const

const packed = new Map<string, Buffer>()

/** The text of some JSON in gzip; packed once. */
export function pack(name: string): Buffer {
  let bytes = packed.get(name)
  if (bytes === undefined) {
    bytes = gzipSync(HOSTILE_JSON[name]!(), { level: 6 })
    packed.set(name, bytes)
  }
  return bytes
}

/** Forms. */
export const HOSTILE_FORMS: Readonly<Record<string, () => string>> = {
  'a megabyte of ampersands': () => '&'.repeat(MEGABYTE),
  'a megabyte of parameters': () => 'a&'.repeat(MEGABYTE / 2),
  '60 kB of parameters': () => 'a&'.repeat(30_000),
  '200 parameters of 300 bytes': () => `${`grant_type=${'x'.repeat(289)}&`.repeat(200)}`,
  '60 kB of percents': () => '%'.repeat(60_000),
  '60 kB of broken escapes': () => `grant_type=${'%e2%82'.repeat(10_000)}`,
  'a long value': () => `grant_type=${'client_credentials'.repeat(3000)}`,
  'a name of the language': () => '__proto__=1&constructor=2&hasOwnProperty=3&grant_type=toString',
}
