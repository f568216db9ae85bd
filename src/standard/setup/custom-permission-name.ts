/** Most characters of the name of a custom permission. */
export const MAX_CUSTOM_PERMISSION_LENGTH = 80

/** Names by which formulas can ask for a custom permission. (docs/how-to/permissions.md#custom-permissions) */
export const CUSTOM_PERMISSION_NAME = /^[A-Za-z]\w{0,79}$/
