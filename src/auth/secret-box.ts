import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Length of the key in bytes. */
export const SECRET_KEY_BYTES = 32

/** A sealed text cannot be opened: it was sealed with another key, or changed. */
export class WrongSecretKey extends Error {
  constructor() {
    super('A secret in the database cannot be opened with this secret key.')
  }
}

/**
 * Secrets that have to be read again, so they cannot be hashed: encrypted with a key that is not in the database. A
 * reader of the database alone learns nothing. (contract/auth 3)
 */
export class SecretBox {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /** Another text each time, so that equal secrets do not look equal. */
  seal(text: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /** @throws WrongSecretKey */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const text = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
    } catch {
      throw new WrongSecretKey()
    }
  }
}
