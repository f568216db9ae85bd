import { sql } from '../../base/sql.ts'
import type { Org } from './org.ts'

/** A node of a cluster, as its metadata has it. */
export interface NodeAddress {
  readonly host: string
  readonly port: number
}

/** Where a schema is. */
export interface OrgPlace extends NodeAddress {
  readonly schemaName: string
  /** The node is not the coordinator, and has the catalogs of all orgs. */
  readonly isWorker: boolean
}

/** Carried out on a node by itself: the bytes of each org there, without the empty tables that stand for those of other nodes. */
const INSPECTION = `
  select json_build_object('walLevel', current_setting('wal_level'), 'bytes', (
    select coalesce(json_object_agg(nspname, bytes), '{}') from (
      select n.nspname, sum(pg_total_relation_size(c.oid)) as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname ~ '^org_[0-9]+$' and c.relkind = 'r'
        and not exists (select from pg_dist_partition known where known.logicalrelid = c.oid)
      group by n.nspname) as orgs))`

/** Statements of Citus, the extension that makes one database of several PostgreSQL servers. */
export const clusterSql = {
  /** Places a schema on one node, and what is made in it later too. */
  distribute: (org: Org) => sql`select citus_schema_distribute(${org.schemaName}::text::regnamespace)`,

  /** A move to another node gives a schema a new placement. */
  placement: (org: Org) =>
    sql`select placement.placementid::text as placement from pg_dist_placement placement
        join pg_dist_shard shard on shard.shardid = placement.shardid
        where shard.logicalrelid = ${`"${org.schemaName}"."_object"`}::text::regclass`,

  nodes: sql`select nodename as host, nodeport as port, groupid = 0 as "isCoordinator", shouldhaveshards as "takesOrgs"
             from pg_dist_node where noderole = 'primary' and isactive order by groupid`,

  /** The node of each distributed schema: all of its tables are on that one. A worker that has the catalogs of all can be called itself. */
  places: sql`select namespace.nspname as "schemaName", node.nodename as host, node.nodeport as port,
                node.groupid <> 0 and node.hasmetadata and node.metadatasynced as "isWorker"
              from pg_dist_schema tenant
              join pg_namespace namespace on namespace.oid = tenant.schemaid
              join lateral (
                select placement.groupid from pg_dist_partition partition
                join pg_dist_shard shard on shard.logicalrelid = partition.logicalrelid
                join pg_dist_placement placement on placement.shardid = shard.shardid
                where partition.colocationid = tenant.colocationid limit 1) placed on true
              join pg_dist_node node on node.groupid = placed.groupid and node.noderole = 'primary'`,

  /** A node that cannot be connected to within this time does not answer. */
  patience: [
    sql`set local citus.node_connection_timeout = '2s'`,
    // Of one that hangs later.
    sql`set local statement_timeout = '10s'`,
  ],
  inspect: (nodes: readonly NodeAddress[]) =>
    sql`select node_name as host, node_port as port, success as answers, result
        from master_run_on_worker(${nodes.map(({ host }) => host)}::text[], ${nodes.map(({ port }) => port)}::int[],
                                  array_fill(${INSPECTION}::text, array[${nodes.length}::int]), true)`,

  /** Names of the workers that cannot be connected to. */
  silentNodes: sql`select asked.node_name || ':' || asked.node_port as node
                   from (select array_agg(nodename) as hosts, array_agg(nodeport) as ports, array_agg('select 1'::text) as commands
                         from pg_dist_node where noderole = 'primary' and isactive and groupid <> 0) workers
                   cross join lateral master_run_on_worker(workers.hosts, workers.ports, workers.commands, true) asked
                   where not asked.success`,

  /** Tables that logical replication does not carry: unlogged ones, and those without a key by which it finds rows. */
  immovable: sql`select namespace.nspname as "schemaName", class.relname as name, class.relpersistence = 'u' as "isUnlogged"
                 from pg_class class
                 join pg_namespace namespace on namespace.oid = class.relnamespace
                 join pg_dist_schema tenant on tenant.schemaid = namespace.oid
                 where class.relkind = 'r' and (class.relpersistence = 'u' or class.relreplident = 'n'
                   or (class.relreplident = 'd' and not exists (
                         select from pg_index index where index.indrelid = class.oid and index.indisprimary)))`,
  setLogged: (schemaName: string, name: string) => sql`alter table ${sql.id(schemaName, name)} set logged`,
  /** Rows are found by all of their values. */
  identifyRows: (schemaName: string, name: string) =>
    sql`alter table ${sql.id(schemaName, name)} replica identity full`,

  /** A move of much data takes as long as its call may. */
  noTimeout: [sql`set local statement_timeout = 0`],
  move: (org: Org, { host, port }: NodeAddress) =>
    sql`select citus_schema_move(${org.schemaName}::text::regnamespace, ${host}::text, ${port}::int)`.long(),

  takeNoOrgs: ({ host, port }: NodeAddress) =>
    sql`select citus_set_node_property(${host}::text, ${port}::int, 'shouldhaveshards', false)`,
  /** @param isDrain only what is on nodes that take no orgs is moved */
  startRebalance: (isDrain: boolean) => sql`select citus_rebalance_start(drain_only => ${isDrain}) as job`,
  /** The latest rebalance. A task that failed is tried again, and fails for good after many tries. */
  rebalance: sql`select job.state::text as state, count(task.task_id)::int as moves,
                        count(task.task_id) filter (where task.status = 'done')::int as done,
                        max(task.message) filter (where task.status in ('error', 'cancelled') or task.retry_count > 0) as error
                 from pg_dist_background_job job
                 left join pg_dist_background_task task on task.job_id = job.job_id
                 where job.job_type = 'rebalance'
                 group by job.job_id, job.state order by job.job_id desc limit 1`,
}
