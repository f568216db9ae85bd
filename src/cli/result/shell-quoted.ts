/** A text in single quotes, as sh, bash and zsh read it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
