/** The query of a view with what the user adds: a part of the name, a condition, another order. */
export function makeQuery(view: string, added: readonly string[], sort: string | undefined): string {
  const orderAt = view.lastIndexOf(' ORDER BY ')
  const ordered = orderAt < 0 ? '' : view.slice(orderAt)
  const rest = orderAt < 0 ? view : view.slice(0, orderAt)
  const whereAt = rest.indexOf(' WHERE ')
  const conditions = [
    ...(whereAt < 0 ? [] : [`(${rest.slice(whereAt + 7)})`]),
    ...added.map((one) => `(${one})`),
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const order =
    sort === undefined
      ? ordered
      : ` ORDER BY ${sort.replace(/^-/, '')} ${sort.startsWith('-') ? 'DESC NULLS LAST' : 'ASC NULLS LAST'}`
  return `${whereAt < 0 ? rest : rest.slice(0, whereAt)}${where}${order}`
}

/** The query of a view with other columns. The id is always read: rows are opened by it. */
export const selectColumns = (view: string, columns: readonly string[]): string =>
  view.replace(/^SELECT .*? FROM /i, () => `SELECT ${[...new Set(['Id', ...columns])].join(', ')} FROM `)
