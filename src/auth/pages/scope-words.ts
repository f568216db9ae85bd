/** Descriptions of scopes for users. */
const WORDS: Readonly<Record<string, string>> = {
  api: 'Read and change your data',
  full: 'Do everything that you may do',
  refresh_token: 'Keep access while you are away, until you take it back',
  offline_access: 'Keep access while you are away, until you take it back',
  openid: 'Know that it is you who logs in',
  id: 'See who you are: your name, username, email address and settings',
  profile: 'See your name and username',
  email: 'See your email address',
  address: 'See your address',
  phone: 'See your phone number',
  web: 'Open pages in your name',
  custom_permissions: 'See which custom permissions you have',
}

/** Descriptions of several scopes, without repetitions. */
export function scopeWords(scopes: readonly string[]): string[] {
  return [...new Set(scopes.map((scope) => WORDS[scope] ?? `Use what is named “${scope}”`))]
}
