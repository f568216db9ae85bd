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

/** Processor time of the sample on a usual machine, in seconds. */
const USUAL_SECONDS = 0.05

/** Work of a known size, of the kinds that calls do. */
function runSample(): void {
  const rows = Array.from({ length: 100_000 }, (_, number) => ({ id: `r${number}`, rest: number % 97 }))
  JSON.parse(JSON.stringify(rows))
}

/** The same in seconds of a usual machine, which a slower one takes more of for everything: for bounds. */
export async function measureUsualTime(work: () => unknown): Promise<number> {
  const samples: number[] = []
  for (let count = 0; count < 3; count++) samples.push(await measureProcessorTime(runSample))
  const pace = Math.max(1, Math.min(...samples) / USUAL_SECONDS)
  return (await measureProcessorTime(work)) / pace
}
