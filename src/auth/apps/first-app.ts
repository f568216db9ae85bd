import type { AppSettings } from '../oauth/connected-app.ts'

/**
 * Settings of the first app of an org: access to the data as its administrator.
 * @param userId undefined if the org has no administrator; then the app has no user to run as until one is set
 */
export const makeFirstApp = (userId: string | undefined) =>
  ({
    name: 'First app',
    scopes: ['api'],
    enableClientCredentials: true,
    runAsUserId: userId ?? null,
  }) satisfies Partial<AppSettings>
