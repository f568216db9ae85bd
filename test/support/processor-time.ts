/**
 * What work costs this process, all its threads together, in seconds of processor time. Other than its duration, that is the same
 * on a busy machine.
 */
export async function measureProcessorTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
