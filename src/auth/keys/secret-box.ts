import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'

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
 * reader of the database alone learns nothing. (docs/reference/api/tokens.md#secrets)
 */
export class SecretBox {
  /** Made once: bytes would be made into one for each secret, which takes ten times as long as the secret itself. */
  readonly #key: KeyObject

  constructor(key: Buffer) {
    this.#key = createSecretKey(key)
  }

  /**
   * A box with a key of its own, made from this one's: what is sealed for one purpose opens for no other.
   * @param owner whose secrets they are: each owner has a key for the purpose
   */
  boxFor(purpose: string, owner: string): SecretBox {
    return new SecretBox(Buffer.from(hkdfSync('sha256', this.#key, owner, purpose, SECRET_KEY_BYTES)))
  }

  /**
   * Another text each time, so that equal secrets do not look equal.
   * @param place where the secret stands: it opens nowhere else
   */
  seal(text: string, location = ''): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(location))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')
  }

  /**
   * @param place the one that it was sealed for
   * @throws WrongSecretKey
   */
  open(sealed: string, location = ''): string {
    const bytes = Buffer.from(sealed, 'base64url')
    const text = bytes.subarray(NONCE_BYTES + TAG_BYTES)
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(location))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const opened = decipher.update(text)
      // Nothing is left in this mode: it checks the tag.
      decipher.final()
      return opened.toString('utf8')
    } catch {
      throw new WrongSecretKey()
    }
  }
}
