import { aggregateOrderType } from './aggregate-order-types.ts'
import { aggregateConnectionType, aggregateEdgeType, aggregateType, resultType } from './aggregate-types.ts'
import { connectionType, recordEdgeType } from './connection-types.ts'
import { filterType } from './filter-types.ts'
import { groupByType } from './group-by-types.ts'
import {
  createInput,
  createPayload,
  createRepresentation,
  updateInput,
  updatePayload,
  updateRepresentation,
} from './mutation-types.ts'
import { nodeType } from './node-types.ts'
import { orderType } from './order-types.ts'
import type { Makers } from './org-types.ts'

/** Every type that an object has. They name each other through `OrgTypes`, which is handed this. */
export const MAKERS: Makers = {
  node: nodeType,
  connection: connectionType,
  edge: recordEdgeType,
  filter: filterType,
  order: orderType,
  aggregateConnection: aggregateConnectionType,
  aggregateEdge: aggregateEdgeType,
  result: resultType,
  aggregate: aggregateType,
  groupBy: groupByType,
  aggregateOrder: aggregateOrderType,
  createInput,
  createRepresentation,
  createPayload,
  updateInput,
  updateRepresentation,
  updatePayload,
}
