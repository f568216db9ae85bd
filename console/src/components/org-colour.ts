/** A hue of the org's own, from its id: the same in every browser. */
function orgHue(orgId: string): number {
  let hash = 0
  for (const character of orgId) hash = (hash * 31 + character.charCodeAt(0)) >>> 0
  return (hash * 137) % 360
}

/** Dark enough for white text. */
export const orgColour = (orgId: string): string => `hsl(${orgHue(orgId)} 62% 34%)`

/** The picture in the browser's tab: a square in the colour of the org. */
export function colourTab(orgId: string): void {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 32
  const context = canvas.getContext('2d')
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (context === null || link === null) return
  context.fillStyle = orgColour(orgId)
  context.beginPath()
  context.roundRect(1, 1, 30, 30, 8)
  context.fill()
  context.strokeStyle = '#fff'
  context.lineWidth = 4
  context.beginPath()
  context.arc(16, 16, 7.5, 0, 7)
  context.stroke()
  link.href = canvas.toDataURL()
}
