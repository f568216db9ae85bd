import type { GraphQLNamedType } from 'graphql'
import { type ApiVersion, hasChange } from '../../base/api-version.ts'
import { AGGREGATE_ORDER_TYPES } from './aggregate-order-types.ts'
import { AGGREGATE_TYPES } from './aggregate-types.ts'
import { PageInfo } from './connection-types.ts'
import { GROUP_BY_TYPES } from './group-by-types.ts'
import { RecordDeleteInput, UIAPIMutationsInput } from './mutation-types.ts'
import {
  ObjectInfo,
  ObjectInfoInput,
  PicklistField,
  PlainField,
  RelatedListInfo,
} from './object-info-types.ts'
import { GeolocationOperators, OPERATOR_TYPES } from './operator-types.ts'
import { ORDER_TYPES } from './order-types.ts'
import { SCALARS } from './scalars.ts'
import { COMPOUND_TYPES, VALUE_TYPES } from './value-types.ts'

const ALWAYS: readonly GraphQLNamedType[] = [
  ...Object.values(SCALARS),
  ...Object.values(VALUE_TYPES),
  ...Object.values(COMPOUND_TYPES),
  ...Object.values(OPERATOR_TYPES).filter((type) => type !== undefined),
  GeolocationOperators,
  ...ORDER_TYPES,
  PageInfo,
  ObjectInfo,
  ObjectInfoInput,
  PicklistField,
  PlainField,
  RelatedListInfo,
]

const OF_AGGREGATES: readonly GraphQLNamedType[] = [
  ...Object.values(AGGREGATE_TYPES),
  ...GROUP_BY_TYPES,
  ...AGGREGATE_ORDER_TYPES,
]

const OF_MUTATIONS: readonly GraphQLNamedType[] = [UIAPIMutationsInput, RecordDeleteInput]

/** Types that all orgs have. Documents may name them in fragments and variables before any field of them. */
export const getSharedTypes = (version: ApiVersion): readonly GraphQLNamedType[] => [
  ...ALWAYS,
  ...(hasChange(version, 'graphqlAggregates') ? OF_AGGREGATES : []),
  ...(hasChange(version, 'graphqlMutations') ? OF_MUTATIONS : []),
]
