/** The parts of the query of a list. */
interface ListQuery {
  /** `SELECT … FROM …`, with the scope. */
  readonly head: string
  readonly where: string | undefined
  readonly orderBy: string | undefined
}

/** Takes the query of a list apart. Lists have no other clauses. */
function splitQuery(query: string): ListQuery {
  const orderAt = query.lastIndexOf(' ORDER BY ')
  const rest = orderAt < 0 ? query : query.slice(0, orderAt)
  const whereAt = rest.indexOf(' WHERE ')
  return {
    head: whereAt < 0 ? rest : rest.slice(0, whereAt),
    where: whereAt < 0 ? undefined : rest.slice(whereAt + ' WHERE '.length),
    orderBy: orderAt < 0 ? undefined : query.slice(orderAt + ' ORDER BY '.length),
  }
}

/** The query of a view with what the user adds: a part of the name, a condition, another order. */
export function makeQuery(view: string, added: readonly string[], sort: string | undefined): string {
  const { head, where, orderBy } = splitQuery(view)
  const conditions = [...(where === undefined ? [] : [where]), ...added]
  const all = conditions.length === 1 ? conditions[0] : conditions.map((one) => `(${one})`).join(' AND ')
  const order =
    sort === undefined
      ? orderBy
      : `${sort.replace(/^-/, '')} ${sort.startsWith('-') ? 'DESC' : 'ASC'} NULLS LAST`
  return `${head}${all === '' ? '' : ` WHERE ${all}`}${order === undefined ? '' : ` ORDER BY ${order}`}`
}

/** The list view that gives what a query of a list gives, as in a definition file. */
export function makeViewFile(query: string, label: string, columns: readonly string[]) {
  const { head, where, orderBy } = splitQuery(query)
  // Views are ordered by the id behind that in any case.
  const order = orderBy?.replace(/, Id \w+ NULLS \w+$/, '')
  return {
    label,
    columns,
    ...(head.endsWith(' USING SCOPE mine') && { scope: 'mine' }),
    ...(where !== undefined && { where }),
    ...(order !== undefined && { orderBy: order }),
  }
}

/** The query of a view with other columns. The id is always read: rows are opened by it. */
export const selectColumns = (view: string, columns: readonly string[]): string =>
  view.replace(/^SELECT .*? FROM /i, () => `SELECT ${[...new Set(['Id', ...columns])].join(', ')} FROM `)
