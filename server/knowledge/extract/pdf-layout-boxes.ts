/** A rectangle of a page. Coordinates are points from the upper left corner. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Returns the smallest box that contains the given ones. */
export function around(boxes: readonly Box[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    left = Math.min(left, box.left)
    top = Math.min(top, box.top)
    right = Math.max(right, box.right)
    bottom = Math.max(bottom, box.bottom)
  }
  return { left, top, right, bottom }
}

export function widthOf({ left, right }: Box): number {
  return right - left
}

export function heightOf({ top, bottom }: Pick<Box, 'top' | 'bottom'>): number {
  return bottom - top
}

export function centerOf({ left, top, right, bottom }: Box): { x: number; y: number } {
  return { x: (left + right) / 2, y: (top + bottom) / 2 }
}

export function contains(outer: Box, inner: Box): boolean {
  const { x, y } = centerOf(inner)
  return x > outer.left && x < outer.right && y > outer.top && y < outer.bottom
}

/** Returns the length that two intervals share; negative if they are apart. */
export function overlap([from, to]: Interval, [start, end]: Interval): number {
  return Math.min(to, end) - Math.max(from, start)
}

export type Interval = readonly [from: number, to: number]

/** Joins overlapping intervals. Returns them in ascending order. */
export function union(intervals: readonly Interval[]): Interval[] {
  const joined: [number, number][] = []
  for (const [from, to] of intervals.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else joined.push([from, to])
  }
  return joined
}

/** Returns the middle of the sorted values; 0 for none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

/** Groups values that are at most `apart` from their neighbour. Returns the mean of each group in ascending order. */
export function clusters(values: readonly number[], apart: number): number[] {
  const groups: number[][] = []
  for (const value of values.toSorted((a, b) => a - b)) {
    const last = groups.at(-1)
    if (last && value - (last.at(-1) ?? value) <= apart) last.push(value)
    else groups.push([value])
  }
  return groups.map((group) => group.reduce((sum, value) => sum + value, 0) / group.length)
}
