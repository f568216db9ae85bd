/** The names that people see of forecast categories, by their values. */
export const FORECAST_CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['Omitted', 'Omitted'],
  ['Pipeline', 'Pipeline'],
  ['BestCase', 'Best Case'],
  ['MostLikely', 'Most Likely'],
  ['Forecast', 'Commit'],
  ['Closed', 'Closed'],
])
