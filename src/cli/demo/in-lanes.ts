/**
 * Works on all items, on so many at once. At the first failure no more are begun; it is thrown when those under way
 * have ended.
 */
export async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // All lanes draw from one source, which a lane that fails closes for the others.
  const source = (function* () {
    yield* items
  })()
  const lane = async () => {
    for (const item of source) await work(item)
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  const failed = ended.find((end) => end.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
