import type { Database } from '@groundwork/server/db/database'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export const dimensions = 384

/** Passages by position, from 0. */
export interface Passages {
  /** Ids in the API. */
  readonly ids: readonly string[]
  /** Number of the knowledge base of each passage. */
  readonly bases: readonly number[]
  readonly parts: readonly number[]
  /** Normalized vectors, concatenated. */
  readonly vectors: Float32Array
}

export const vectorOf = ({ vectors }: Pick<Passages, 'vectors'>, place: number): Float32Array =>
  vectors.subarray(place * dimensions, (place + 1) * dimensions)

/** @param baseIds UUIDs in the order of their numbers */
export async function readPassages({ pool }: Database, baseIds: readonly string[]): Promise<Passages> {
  const [ids, bases, parts, vectors]: [string[], number[], number[], Float32Array[]] = [[], [], [], []]
  for (const [base, baseId] of baseIds.entries()) {
    const { rows } = await pool.query<{ id: string; part: number; sent: Buffer }>(
      `select k.id, (s.metadata ->> 'part')::int as part, vector_send(e.embedding) as sent
       from chunk_embedding e
       join chunk k on k.organization_id = e.organization_id and k.generation = e.generation and k.ordinal = e.ordinal
       join source s on s.organization_id = k.organization_id and s.id = k.source_id
       where e.base_id = $1`,
      [baseId],
    )
    for (const { id, part, sent } of rows) {
      ids.push(`chk_${id}`)
      bases.push(base)
      parts.push(part)
      vectors.push(receivedVector(sent))
    }
  }
  const together = new Float32Array(vectors.length * dimensions)
  for (const [place, vector] of vectors.entries()) together.set(vector, place * dimensions)
  return { ids, bases, parts, vectors: together }
}

/** Parses pgvector's binary format: two 16-bit numbers, the first of which is the number of dimensions, then big-endian floats. */
function receivedVector(sent: Buffer): Float32Array {
  return Float32Array.from({ length: sent.readUInt16BE(0) }, (_, at) => sent.readFloatBE(4 + 4 * at))
}

export function sentVector(vector: Float32Array): Buffer {
  const sent = Buffer.alloc(4 + 4 * vector.length)
  sent.writeUInt16BE(vector.length, 0)
  for (const [at, value] of vector.entries()) sent.writeFloatBE(value, 4 + 4 * at)
  return sent
}

/** Writes the passages to a folder for the process of another system. */
export async function writePassages(folder: string, { vectors, ...rest }: Passages): Promise<void> {
  await writeFile(join(folder, 'passages.json'), JSON.stringify(rest))
  await writeFile(join(folder, 'vectors.bin'), new Uint8Array(vectors.buffer))
}

export async function writtenPassages(folder: string): Promise<Passages> {
  const rest = JSON.parse(await readFile(join(folder, 'passages.json'), 'utf8')) as Omit<Passages, 'vectors'>
  const bytes = await readFile(join(folder, 'vectors.bin'))
  return { ...rest, vectors: new Float32Array(new Uint8Array(bytes).buffer) }
}

/** Returns the positions of the passages of each knowledge base. */
export function placesByBase({ bases }: Passages): number[][] {
  const places: number[][] = []
  for (const [place, base] of bases.entries()) (places[base] ??= []).push(place)
  return places
}
