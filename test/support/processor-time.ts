/**
 * Returns the processor time of some work, in seconds, over all threads of this process. Unlike its duration, it is about the
 * same on a busy machine.
 */
export async function measureProcessorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
