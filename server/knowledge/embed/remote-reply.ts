import { z } from 'zod'
import { SourceError } from '../../lib/errors.ts'

const Reply = z.object({
  data: z.array(z.object({ index: z.int().nonnegative().optional(), embedding: z.union([z.array(z.number()), z.string()]) })),
})

/**
 * Reads the reply of an `/embeddings` endpoint: vectors in the order of the texts, in whichever order they arrived, from
 * numbers or from base64 of little-endian float32.
 * @throws SourceError `embedding_failed` unless there is one non-zero vector of the right length for each text
 */
export function vectorsOf(reply: unknown, count: number, dimensions: number): Float32Array[] {
  const parsed = Reply.safeParse(reply)
  if (!parsed.success) throw wrongReply('answered something else than embeddings', parsed.error)
  const { data } = parsed.data
  if (data.length !== count) throw wrongReply(`gave ${data.length} vectors for ${count} texts`)
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  for (const [position, { index = position, embedding }] of data.entries()) {
    const vector = typeof embedding === 'string' ? decoded(embedding) : Float32Array.from(embedding)
    if (vector.length !== dimensions) {
      throw wrongReply(`gave a vector of ${vector.length} dimensions where ${dimensions} are configured`)
    }
    const length = Math.hypot(...vector)
    if (!(length > 0 && length < Infinity)) throw wrongReply('gave a vector without a direction')
    vectors[index] = vector.map((value) => value / length)
  }
  return vectors.slice(0, count).map((vector) => vector ?? missing())
}

function decoded(base64: string): Float32Array {
  const bytes = Buffer.from(base64, 'base64')
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4))
}

function missing(): never {
  throw wrongReply('gave two vectors for one text and none for another')
}

function wrongReply(what: string, cause?: unknown): SourceError {
  return new SourceError('embedding_failed', `The embedding endpoint ${what}`, { cause })
}
