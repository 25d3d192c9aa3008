import type { KnowledgeContext } from '../context.ts'
import type { EnginePart, SearchEngine } from '../engine/search-engine.ts'
import type { IndexedPart, IndexQuery, SearchedIndexes } from '../index/find-chunks.ts'
import { modelParts } from '../index/rank-by-model.ts'

/** Returns the indexes of a search engine, of which a search reads the candidates. */
export function inEngine(ctx: KnowledgeContext, engine: SearchEngine, query: IndexQuery, signal: AbortSignal | undefined): SearchedIndexes {
  const { scope, topK, perSourceLimit } = query
  let opened: readonly (IndexedPart & { readonly found: EnginePart })[] = []
  return {
    async open() {
      opened = await Promise.all(
        modelParts(scope, query.compared).map(async ({ base, compared, ...part }) => {
          const found = await engine.open(ctx, base, part)
          return { base, compared, selected: base.selected, index: engine.withoutChunks(found), models: found.collection.models, found }
        }),
      )
      return opened
    },
    async loadTerms(terms, alternatives) {
      const counted = [...terms.map((term) => [term]), ...(alternatives === undefined ? [] : [alternatives])]
      await Promise.all(opened.map(({ found }) => engine.loadFrequencies(ctx, found, counted, signal)))
    },
    async find({ terms, termWeights }) {
      const all = opened.map(({ found }) => found)
      return Promise.all(
        opened.map(async (part) => {
          const candidates = { terms, termWeights, vector: part.compared.vector, topK, perSourceLimit, signal }
          return { ...part, index: await engine.find(ctx, part.found, all, candidates) }
        }),
      )
    },
  }
}

/** Memory of a posting, and of a chunk beside its vector. */
const [postingBytes, chunkBytes] = [6, 8]
/** Memory of a component of a vector, with the binary-quantized copy. */
const componentBytes = 2 + 1 / 8

/** Returns whether the indexes of the search fit into the memory for indexes. */
export async function fitsMemory(ctx: KnowledgeContext, engine: SearchEngine, { scope, compared }: IndexQuery): Promise<boolean> {
  const parts = await Promise.all(modelParts(scope, compared).map((part) => engine.open(ctx, part.base, part)))
  const vectorBytes = ctx.embedder.dimensions * componentBytes
  const bytes = parts.reduce(
    (sum, { collection }) => sum + collection.chunks * (vectorBytes + chunkBytes) + collection.terms * postingBytes,
    0,
  )
  return bytes <= ctx.indexes.memory().maxBytes
}
