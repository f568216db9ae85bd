/**
 * `A, "B, C"`: the values between the commas. One in quotes may have commas: `"1,000"`. An empty one stands for no
 * value: `1,,2`.
 */
export function splitValues(text: string): string[] {
  if (text.trim() === '') return []
  const values: string[] = []
  let value = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!
    if (isQuoted && character === '"' && text[at + 1] === '"') {
      value += character
      at++
    } else if (character === '"' && (isQuoted || value.trim() === '')) isQuoted = !isQuoted
    else if (character === ',' && !isQuoted) {
      values.push(value.trim())
      value = ''
    } else value += character
  }
  return [...values, value.trim()]
}
