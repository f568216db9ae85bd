import { GraphQLEnumType } from 'graphql'

/** An enum whose values are their own names. */
export const makeEnum = (name: string, values: readonly string[]) =>
  new GraphQLEnumType({ name, values: Object.fromEntries(values.map((value) => [value, {}])) })
