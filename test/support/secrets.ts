import { openSecretBox } from '../../src/auth/keys/secret-key.ts'

/** Opens the secrets of every org of this run of the suite. */
export const SECRETS = openSecretBox({ data: 'memory', secretKey: undefined })
