import { authorizationCode } from './authorization-code.ts'
import { clientCredentials } from './client-credentials.ts'
import { device, standardDevice } from './device.ts'
import type { Grant } from './grant.ts'
import { jwtBearer } from './jwt-bearer.ts'
import { password } from './password.ts'
import { refreshToken } from './refresh-token.ts'

/** All grants by `grant_type`. To add one, create its file and list it here. */
export const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ['client_credentials', clientCredentials],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', jwtBearer],
  ['authorization_code', authorizationCode],
  ['refresh_token', refreshToken],
  ['password', password],
  ['device', device],
  ['urn:ietf:params:oauth:grant-type:device_code', standardDevice],
])
