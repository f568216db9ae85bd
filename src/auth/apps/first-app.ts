import type { AppSettings } from '../oauth/connected-app.ts'

/**
 * What the first app of an org is set to: the data, in its administrator's name.
 * @param userId undefined: the org has no administrator, so the app lacks the user to run as until one sets it
 */
export const firstAppOf = (userId: string | undefined) =>
  ({
    name: 'First app',
    scopes: ['api'],
    enableClientCredentials: true,
    runAsUserId: userId ?? null,
  }) satisfies Partial<AppSettings>
