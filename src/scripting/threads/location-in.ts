/** The location of an error in a deployed file: `: line 4, column 11`; empty when it was not in that file. */
export function locationIn(stack: string | undefined, file: string): string {
  const at = stack?.indexOf(file) ?? -1
  const match = at < 0 ? null : /^:(\d+):(\d+)/.exec(stack!.slice(at + file.length))
  return match === null ? '' : `: line ${match[1]}, column ${match[2]}`
}
