import { z } from 'zod'
import { SourceError } from '../../lib/errors.ts'

const Reply = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.union([z.array(z.number()), z.string()]) })),
})

/**
 * Returns the vectors of a reply of an `/embeddings` endpoint, scaled to unit length, in the order of the texts. The items may
 * have any order; each embedding is an array of numbers, or little-endian float32 values in base64.
 * @throws SourceError `embedding_failed` unless there is one non-zero vector with `dimensions` values for each text
 */
export function vectorsOf(reply: unknown, count: number, dimensions: number): Float32Array[] {
  const parsed = Reply.safeParse(reply)
  if (!parsed.success) throw wrongReply('did not return embeddings', parsed.error)
  const { data } = parsed.data
  if (data.length !== count) throw wrongReply(`returned ${data.length} vectors for ${count} texts`)
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  for (const [position, { index = position, embedding }] of data.entries()) {
    const vector = typeof embedding === 'string' ? decoded(embedding) : Float32Array.from(embedding)
    if (vector.length !== dimensions) {
      throw wrongReply(`returned a vector of ${vector.length} dimensions where ${dimensions} are configured`)
    }
    const norm = Math.hypot(...vector)
    if (!(norm > 0 && norm < Infinity)) throw wrongReply('returned a vector of zeros or of values that are not finite')
    vectors[index] = vector.map((value) => value / norm)
  }
  return vectors.slice(0, count).map((vector) => vector ?? missing())
}

function decoded(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64')
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4))
}

function missing(): never {
  throw wrongReply('returned no vector for at least one text: an index is repeated or too large')
}

function wrongReply(what: string, cause?: unknown): SourceError {
  return new SourceError('embedding_failed', `The embedding endpoint ${what}`, { cause })
}
