/** One job: the record that it concerns, and its org. */
export interface Work {
  readonly orgId: string
  readonly recordId: string
}
