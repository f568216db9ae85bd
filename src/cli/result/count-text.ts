/** A number as people read it: `12,400`. */
export const countText = (count: number) => count.toLocaleString('en-US')
