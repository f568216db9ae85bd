/** One piece of work: which record of which org it is about. */
export interface Work {
  readonly orgId: string
  readonly recordId: string
}
