/** Something that happens to a server, its database or the network between them. */
export interface Fault {
  readonly name: string
  /** Begins it. What is over at once (a restart) is over when this resolves. */
  begin(): Promise<void>
  /** Ends it: from here on the server has everything that it needs. */
  end(): Promise<void>
  /** True if the server's process ends or stands still, so that connections break and nothing is answered meanwhile. */
  readonly stopsProcess?: boolean
  /** True if it is over as soon as it has begun. */
  readonly isMomentary?: boolean
  /** True if only writes fail: reads, queries and tokens go on. */
  readonly keepsReads?: boolean
  /** True if the database answers and takes writes, and only other clients or frozen connections are in the way. */
  readonly leavesDatabase?: boolean
}

/** A fault that cannot be tried here, and why. */
export interface SkippedFault {
  readonly name: string
  readonly skip: string
}
