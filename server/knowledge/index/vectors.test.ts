import { describe, expect, it } from 'vitest'
import { cosine as cosineOf } from '../embed/vectors.ts'
import { maxDistance } from './binary-vectors.ts'
import { ScratchBuffers } from './scratch-buffers.ts'
import { FloatVectors } from './vectors.ts'

/** Numbers that look random and are the same in every run, about normally distributed. */
function random(seed: number): () => number {
  let state = seed
  const uniform = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  return () => uniform() + uniform() + uniform() + uniform() - 2
}

const next = random(11)
function unit(dimensions: number): Float32Array {
  const numbers = Float32Array.from({ length: dimensions }, next)
  const length = Math.hypot(...numbers)
  return numbers.map((value) => value / length)
}
const hammingDistance = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + (value < 0 === (other[index] ?? 0) < 0 ? 0 : 1), 0)

describe('FloatVectors', () => {
  const filled = (dimensions: number, blockBytes?: number): { query: Float32Array; vectors: Float32Array[]; packed: FloatVectors } => {
    const vectors = Array.from({ length: dimensions > 1000 ? 60 : 2_100 }, () => unit(dimensions))
    const packed = new FloatVectors(dimensions, blockBytes === undefined ? {} : { blockBytes })
    for (const [at, vector] of vectors.entries()) {
      packed.reserve(at + 1)
      packed.set(at, vector)
    }
    const query = unit(dimensions)
    packed.setQuery(query)
    return { query, vectors, packed }
  }

  it.each([
    [1, undefined],
    [3, undefined],
    [8, undefined],
    [16, undefined],
    [130, undefined],
    [384, undefined],
    [384, 100_000],
    [384, 1],
    [1024, undefined],
    [3072, undefined],
    [3072, 50_000],
  ])('computes cosines of vectors with %i dimensions in memories of %s bytes', (dimensions, blockBytes) => {
    const { query, vectors, packed } = filled(dimensions, blockBytes)
    const [from, to] = [7, vectors.length - 3]
    const cosines = new Float32Array(vectors.length).fill(9)
    packed.cosines(from, to, cosines)
    for (const [at, vector] of vectors.entries()) {
      if (at < from || at >= to) expect(cosines[at]).toBe(9)
      else expect(Math.abs((cosines[at] ?? 9) - cosineOf(query, vector))).toBeLessThan(1e-4)
    }
    const some = Uint32Array.from(vectors.keys()).filter((at) => at >= from && at < to && at % 7 !== 3)
    const again = new Float32Array(vectors.length).fill(9)
    packed.cosinesOf(some, again)
    expect(again).toEqual(cosines.map((cosine, at) => (some.includes(at) ? cosine : 9)))
    // `toEqual` takes seconds for a million bytes.
    expect(Buffer.concat([...packed.bytesOf(from, to)]).equals(Buffer.concat([...packed.copies(from, to)]))).toBe(true)
    const descending = some.toReversed()
    expect(packed.get(descending[0] ?? 0)).toHaveLength(dimensions)
    packed.cosinesOf(descending, again.fill(9))
    expect(again).toEqual(cosines.map((cosine, at) => (some.includes(at) ? cosine : 9)))
  })

  it.each([
    [130, 1e9],
    [384, 76_800],
  ])('compares stored vectors like those in memory: %i dimensions in memories of %i bytes', (dimensions, blockBytes) => {
    const { query, vectors, packed } = filled(dimensions)
    const count = 1_500
    const file = Buffer.concat([...packed.copies(0, count)])
    let reads = 0
    const stored = new FloatVectors(dimensions, {
      stored: {
        count,
        read(first, into) {
          reads += 1
          into.set(file.subarray(first * packed.bytesEach).subarray(0, into.length))
        },
      },
      blockBytes,
    })
    stored.reserve(vectors.length)
    for (const [at, vector] of vectors.entries()) if (at >= count) stored.set(at, vector)
    stored.setQuery(query)
    const [from, to] = [900, vectors.length]
    const some = Uint32Array.from(vectors.keys()).filter((at) => at >= from && at % 5 < 3)
    for (const write of [
      (each: FloatVectors, into: Float32Array) => each.cosines(from, to, into),
      (each: FloatVectors, into: Float32Array) => each.cosinesOf(some, into),
    ]) {
      const [expected, found] = [new Float32Array(vectors.length), new Float32Array(vectors.length)]
      write(packed, expected)
      write(stored, found)
      expect(found).toEqual(expected)
    }
    // Finalists are compared again, with feedback documents.
    const [finalists, feedback] = [some.filter((at) => at % 3 === 0), unit(dimensions)]
    const [former, again] = [reads, [packed, stored].map(() => new Float32Array(vectors.length))]
    for (const [at, each] of [packed, stored].entries()) {
      each.setQuery(feedback)
      each.cosinesOf(finalists, again[at] ?? new Float32Array())
    }
    expect(again[1]).toEqual(again[0])
    expect(reads).toBe(former)
    for (const at of [0, count - 1, count, vectors.length - 1]) expect(stored.get(at)).toEqual(packed.get(at))
    expect(Buffer.concat([...stored.copies(count - 5, count + 5)])).toEqual(Buffer.concat([...packed.copies(count - 5, count + 5)]))
    expect(stored.bytes).toBeLessThan(packed.bytes)
  })

  it.each([1, 3, 8, 16, 130, 384, 1024, 3072])(
    'computes distances of %i dimensions from binary-quantized vectors and BM25 scores',
    (dimensions) => {
      const { query, vectors, packed } = filled(dimensions)
      const [from, to] = [7, vectors.length - 3]
      const table = Uint16Array.from({ length: dimensions + 1 }, (_, distance) => Math.round((4_000 * distance) / dimensions))
      const bySigns = vectors.map((vector) => table[hammingDistance(query, vector)] ?? 0)
      packed.binary.setQuery(query)
      packed.binary.measure([{ from: 0, to: vectors.length }], table)
      expect(distancesOf(packed, 0, vectors.length)).toEqual(bySigns)

      const scores = Float32Array.from({ length: to - from }, (_, at) => (at % 3 === 0 ? at / 5 : 0))
      packed.binary.subtractLexical(from, to, scores, { max: 2_500, half: 20 })
      const [max, half] = [2_500, 20]
      const expected = bySigns.map((distance, at) => {
        const score = scores[at - from] ?? 0
        return Math.max(0, distance - Math.floor((max * score) / (score + half)))
      })
      const found = distancesOf(packed, 0, vectors.length)
      for (const [at, distance] of found.entries()) expect(Math.abs(distance - (expected[at] ?? 0))).toBeLessThanOrEqual(1)
      for (const at of [0, from - 1, to, vectors.length - 1]) expect(found[at]).toBe(bySigns[at])

      const ranges = [
        { from: 0, to: 5 },
        { from: 11, to: 50 },
      ]
      const counts = packed.binary.countDistances(ranges)
      const counted = found.filter((_, at) => ranges.some((range) => at >= range.from && at < range.to))
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(counted.length)
      for (const distance of counted) expect(counts[distance]).toBe(counted.filter((each) => each === distance).length)
    },
  )

  it.each([8, 384, 1024])('a scan of %i dimensions computes the distances of announced queries too', (dimensions) => {
    const { vectors, packed } = filled(dimensions)
    const { binary } = packed
    const ranges = [
      { from: 0, to: 40 },
      { from: 45, to: vectors.length },
    ]
    const table = (factor: number): Uint16Array =>
      Uint16Array.from({ length: dimensions + 1 }, (_, distance) => Math.round((factor * distance) / dimensions))
    const expectDistances = (query: Float32Array, factor: number): void => {
      binary.setQuery(query)
      binary.measure(ranges, table(factor))
      const found = ranges.flatMap(({ from, to }) => distancesOf(packed, from, to))
      expect(found).toEqual(
        ranges.flatMap(({ from, to }) => vectors.slice(from, to).map((vector) => table(factor)[hammingDistance(query, vector)])),
      )
    }
    // More than one scan takes.
    const queries = Array.from({ length: 10 }, () => unit(dimensions))
    const ends = queries.map((query) => binary.announce(query))
    const before = binary.bytes
    for (const [at, query] of queries.entries()) {
      expectDistances(query, 300 + at)
      if (at === 0 && dimensions < 1000) expect(binary.bytes).toBeGreaterThan(before)
      if (at % 2 === 0) ends[at]?.()
      // The former distance of a changed vector is forgotten.
      if (at !== 4) continue
      vectors[50] = unit(dimensions)
      packed.set(50, vectors[50])
    }
    const size = binary.bytes
    for (const end of ends) end()
    for (const query of queries) expectDistances(query, 350)
    expect(binary.bytes).toBe(size)
  })

  /** Returns the distance of each vector: the lowest limit that selects it. */
  function distancesOf({ binary }: FloatVectors, from: number, to: number): number[] {
    const distances = Array.from({ length: to - from }, () => maxDistance)
    for (const [limit, count] of binary.countDistances([{ from, to }]).slice().entries()) {
      if (count === 0) continue
      for (const at of binary.select(from, to, limit, new ScratchBuffers()))
        if (distances[at - from] === maxDistance) distances[at - from] = limit
    }
    return distances
  }

  it.each([3, 130, 384, 1024, 3072])(
    'estimates cosines of %i dimensions from the signs of the vectors and all of the query',
    (dimensions) => {
      const { query, vectors, packed } = filled(dimensions)
      packed.binary.setQuery(query)
      const selected = Uint32Array.from(vectors.keys()).filter((at) => at % 5 > 0)
      const scale = Math.sqrt(Math.PI / (2 * dimensions))
      const largest = Math.max(...query.map(Math.abs))
      for (const [at, cosine] of packed.binary.estimateCosines(selected).entries()) {
        const vector = vectors[selected[at] ?? 0] ?? new Float32Array()
        const expected = vector.reduce((sum, value, index) => sum + (value < 0 ? -1 : 1) * (query[index] ?? 0), 0) * scale
        // Each component of the query is rounded by at most a 31st of the largest one.
        expect(Math.abs(cosine - expected)).toBeLessThan((largest / 31) * dimensions * scale)
        if (dimensions >= 384) expect(Math.abs(cosine - expected)).toBeLessThan(0.02)
      }
    },
  )

  it('does not overflow for the largest components', () => {
    const packed = new FloatVectors(4)
    packed.reserve(2)
    packed.set(0, Float32Array.from([1, 0, 0, 0]))
    packed.set(1, Float32Array.from([-1, 0, 0, 0]))
    packed.setQuery(Float32Array.from([1, 0, 0, 0]))
    const cosines = new Float32Array(2)
    packed.cosines(0, 2, cosines)
    expect([...cosines]).toEqual([expect.closeTo(1, 6), expect.closeTo(-1, 6)])
  })
})
