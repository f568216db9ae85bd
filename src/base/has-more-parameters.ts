/** True if a query string or form has more parameters. To be asked first: `URLSearchParams` takes the square of their number. */
export const hasMoreParameters = (text: string, max: number): boolean => text.split('&', max + 1).length > max
