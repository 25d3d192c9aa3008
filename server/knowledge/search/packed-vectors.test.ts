import { describe, expect, it } from 'vitest'
import { PackedVectors } from './packed-vectors.ts'

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
const dot = (one: Float32Array, other: Float32Array): number => one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0)
const differing = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, index) => sum + (value < 0 === (other[index] ?? 0) < 0 ? 0 : 1), 0)

describe('PackedVectors', () => {
  it.each([1, 3, 8, 16, 130, 384, 1024, 3072])('tells cosines and differing signs of vectors of %i numbers', (dimensions) => {
    const vectors = Array.from({ length: dimensions > 1000 ? 60 : 2_100 }, () => unit(dimensions))
    const packed = new PackedVectors(dimensions)
    for (const [at, vector] of vectors.entries()) {
      packed.reserve(at + 1)
      packed.set(at, vector)
    }
    const query = unit(dimensions)
    packed.ask(query)
    const [from, to] = [7, vectors.length - 3]
    const [cosines, differences] = [new Map<number, number>(), new Map<number, number>()]
    packed.cosines(from, to, (some, first) => some.forEach((cosine, at) => cosines.set(first + at, cosine)))
    packed.compareSigns(from, to)
    const counts = packed.countDifferences(from, to)
    const middle = Math.floor(dimensions / 2)
    const near = packed.pick(from, to, middle)
    packed.differences(from, to, (some, first) => some.forEach((difference, at) => differences.set(first + at, difference)))
    expect([...cosines.keys()]).toEqual(Array.from({ length: to - from }, (_, at) => from + at))
    for (const [at, cosine] of cosines) {
      const vector = vectors[at] ?? query
      expect(Math.abs(cosine - dot(query, vector))).toBeLessThan(1e-4)
      expect(packed.cosine(at)).toBe(cosine)
      expect(differences.get(at)).toBe(differing(query, vector))
    }
    const found = [...differences.values()]
    expect([...counts]).toEqual(Array.from({ length: dimensions + 1 }, (_, at) => found.filter((each) => each === at).length))
    expect(near).toEqual([...differences].flatMap(([at, each]) => (each <= middle ? [at] : [])))
    expect(packed.pick(from, to, -1)).toEqual([])
  })

  it('does not overflow where numbers are as large as they can be', () => {
    const packed = new PackedVectors(4)
    packed.reserve(2)
    packed.set(0, Float32Array.from([1, 0, 0, 0]))
    packed.set(1, Float32Array.from([-1, 0, 0, 0]))
    packed.ask(Float32Array.from([1, 0, 0, 0]))
    expect([packed.cosine(0), packed.cosine(1)]).toEqual([expect.closeTo(1, 6), expect.closeTo(-1, 6)])
  })
})
