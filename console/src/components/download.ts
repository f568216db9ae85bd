/** Saves a text as a file. A mark at the beginning tells spreadsheets that it is UTF-8. */
export function download(file: string, text: string, type: string): void {
  const mark = type === 'text/csv' ? '\ufeff' : ''
  const address = URL.createObjectURL(new Blob([mark, text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = file
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}
