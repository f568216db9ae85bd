/** Most characters of the name of a custom permission. */
export const MAX_CUSTOM_PERMISSION_LENGTH = 80

/** Whether formulas can ask for a custom permission of this name. (docs/how-to/permissions.md#custom-permissions) */
export const isCustomPermissionName = (name: string): boolean =>
  name.length <= MAX_CUSTOM_PERMISSION_LENGTH && /^[a-z]\w*$/i.test(name)
