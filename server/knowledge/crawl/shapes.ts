import { pageShape } from './address.ts'

/** Pages of one shape that say the same but for their numbers, before no more of it are followed. */
const enough = 3

/** Finds spaces without end, such as calendars: pages that lead on to more of their own shape and have nothing new to say. */
export interface Shapes {
  /** Notes a page that was read. @param shapeHash equal for texts that differ in numbers alone */
  add(url: URL, shapeHash: string): void
  /** Whether the link from one page to the other goes on in such a space. */
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
      return shape === pageShape(from) && (seen.get(shape)?.repeats ?? 0) >= enough
    },
  }
}
