/*
 * Servers with the extension Citus, of which a run makes clusters: TEST_CITUS_URL is the coordinator, and TEST_CITUS_WORKERS names the
 * workers, such as 127.0.0.1:5434,127.0.0.1:5435. Without workers a cluster is one node.
 */

/** True if the databases of the run are clusters. */
export const onCitus = process.env.TEST_CITUS_URL !== undefined

/** Names of the workers, `host:port`. */
export const workers = onCitus
  ? (process.env.TEST_CITUS_WORKERS ?? '').split(',').filter((worker) => worker !== '')
  : []

/** Addresses of the workers of a coordinator. The nodes of a cluster have databases of one name, and one user. */
export const workerUrls = (coordinator: string): string[] =>
  workers.map((worker) => {
    const url = new URL(coordinator)
    url.host = worker
    return url.href
  })
