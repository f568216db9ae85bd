/**
 * The scope of a session that began with a password that has to be changed: it gives access to no data, and is good for setting
 * another password alone. No app can ask for it.
 */
export const PASSWORD_CHANGE_SCOPE = 'objectry:set_password'

/** True if the user has to choose another password before anything else. */
export const isForPasswordChange = (scopes: readonly string[]) => scopes.includes(PASSWORD_CHANGE_SCOPE)
