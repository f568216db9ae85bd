/** For a field that only the platform sets. */
export const notWritable = { createable: false, updateable: false } as const
