import { makeAggregateOrderType } from './aggregate-order-types.ts'
import {
  makeAggregateConnectionType,
  makeAggregateEdgeType,
  makeAggregateType,
  makeResultType,
} from './aggregate-types.ts'
import { makeConnectionType, makeRecordEdgeType } from './connection-types.ts'
import { makeFilterType } from './filter-types.ts'
import { makeGroupByType } from './group-by-types.ts'
import {
  makeCreateInput,
  makeCreatePayload,
  makeCreateRepresentation,
  makeUpdateInput,
  makeUpdatePayload,
  makeUpdateRepresentation,
} from './mutation-types.ts'
import { makeNodeType } from './node-types.ts'
import { makeOrderType } from './order-types.ts'
import type { Makers } from './org-types.ts'

/** The functions that make an object's types. They refer to each other through `OrgTypes`, which takes this. */
export const MAKERS: Makers = {
  node: makeNodeType,
  connection: makeConnectionType,
  edge: makeRecordEdgeType,
  filter: makeFilterType,
  order: makeOrderType,
  aggregateConnection: makeAggregateConnectionType,
  aggregateEdge: makeAggregateEdgeType,
  result: makeResultType,
  aggregate: makeAggregateType,
  groupBy: makeGroupByType,
  aggregateOrder: makeAggregateOrderType,
  createInput: makeCreateInput,
  createRepresentation: makeCreateRepresentation,
  createPayload: makeCreatePayload,
  updateInput: makeUpdateInput,
  updateRepresentation: makeUpdateRepresentation,
  updatePayload: makeUpdatePayload,
}
