import { pageShape } from './address.ts'

/** Pages of one shape with equal text, except for numbers, after which the shape is not followed any more. */
const maxEqualPages = 3

/** Detects crawler traps such as calendars: pages that link to more pages of their own shape without new content. */
export interface Shapes {
  /** Records a page. @param shapeHash equal for texts that differ only in numbers */
  add(url: URL, shapeHash: string): void
  /** Returns whether a link continues a crawler trap. */
  isEndless(from: URL, to: URL): boolean
}

export function shapesOf(pages: readonly { url: URL; shapeHash: string }[]): Shapes {
  const seen = new Map<string, { hashes: Set<string>; repeats: number }>()
  const add = (url: URL, shapeHash: string): void => {
    const shape = pageShape(url)
    const of = seen.get(shape) ?? { hashes: new Set(), repeats: 0 }
    seen.set(shape, of)
    if (of.hashes.has(shapeHash)) of.repeats++
    else of.hashes.add(shapeHash)
  }
  for (const { url, shapeHash } of pages) add(url, shapeHash)
  return {
    add,
    isEndless: (from, to) => {
      const shape = pageShape(to)
      return shape === pageShape(from) && (seen.get(shape)?.repeats ?? 0) >= maxEqualPages
    },
  }
}
