import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

/** A value of ASN.1: a tag, a length, and what is inside. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content])
  const hex = content.length.toString(16)
  const length = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content])
}

const SEQUENCE = 0x30
const sequence = (...parts: readonly Uint8Array[]) => der(SEQUENCE, ...parts)

const SHA256_WITH_RSA = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'))

const makeName = (text: string) => sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(text)))))
const time = (text: string) => der(0x17, Buffer.from(text))

interface SigningPair {
  readonly privateKey: KeyObject
  /** X.509, self-signed, in PEM. */
  readonly certificate: string
}

/** A key and a certificate for it, as `openssl req -x509` makes them. */
export function makeCertificate(bits = 2048): SigningPair {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    SHA256_WITH_RSA,
    makeName('objectry test'),
    sequence(time('260101000000Z'), time('460101000000Z')),
    makeName('objectry test'),
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const base64 = sequence(body, SHA256_WITH_RSA, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g)!.join('\n')
  return { privateKey, certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` }
}
