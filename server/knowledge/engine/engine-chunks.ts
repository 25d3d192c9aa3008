import type { ReadContext } from '../../context.ts'
import { readLengths, readTerms, readVectors } from '../index/read-index.ts'
import type { StoredTerms } from '../index/inverted-index.ts'
import type { EngineChunk } from './mapping.ts'
import type { SearchedGeneration } from './searched-generations.ts'

/** Chunks whose terms are read at once. */
const chunksPerRead = 2_000

/** Reads the chunks of a generation from the database, in parts. */
export async function* readEngineChunks(
  ctx: ReadContext,
  { generation, baseId, model }: SearchedGeneration,
): AsyncGenerator<EngineChunk[], void> {
  const [lengths] = await readLengths(ctx, [generation])
  if (lengths === undefined) return
  const languages = lengths.runs.flatMap(({ language, chunks }) => Array.from({ length: chunks }, () => language))
  for (let from = 0; from < lengths.ordinals.length; from += chunksPerRead) {
    const to = Math.min(from + chunksPerRead, lengths.ordinals.length)
    const ordinals = { first: lengths.ordinals[from] ?? 0, last: lengths.ordinals[to - 1] ?? 0 }
    const isWhole = from === 0 && to === lengths.ordinals.length
    const frequencies = frequenciesByOrdinal(await readTerms(ctx, [generation], isWhole ? undefined : ordinals))
    const vectors = new Map((await readVectors(ctx, baseId, [{ generation, ordinals }])).map(({ ordinal, vector }) => [ordinal, vector]))
    yield Array.from({ length: to - from }, (_, at) => {
      const ordinal = lengths.ordinals[from + at] ?? 0
      return {
        organizationId: ctx.organizationId,
        baseId,
        generation,
        ordinal,
        model,
        language: languages[from + at] ?? '',
        length: lengths.lengths[from + at] ?? 0,
        frequencies: frequencies.get(ordinal) ?? new Map(),
        vector: vectors.get(ordinal) ?? new Float32Array(0),
      }
    })
  }
}

function frequenciesByOrdinal(stored: readonly StoredTerms[]): Map<number, Map<string, number>> {
  const byOrdinal = new Map<number, Map<string, number>>()
  for (const { terms, counts, ordinals, frequencies } of stored) {
    let entry = 0
    for (const [at, term] of terms.entries()) {
      for (const end = entry + (counts[at] ?? 0); entry < end; entry++) {
        const ordinal = ordinals[entry] ?? 0
        const known = byOrdinal.get(ordinal)
        const frequency = frequencies[entry] ?? 0
        if (known === undefined) byOrdinal.set(ordinal, new Map([[term, frequency]]))
        else known.set(term, frequency)
      }
    }
  }
  return byOrdinal
}
