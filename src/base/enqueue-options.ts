/** When a job that was put off is to run. */
export interface EnqueueOptions {
  /** Seconds from now; default 0. */
  readonly delaySeconds?: number
}
