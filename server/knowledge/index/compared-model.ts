import type { Embedder } from '../embed/embedder.ts'
import { languageOf } from './analyze.ts'
import { likelyLanguages } from './query-language.ts'

/** What a search needs to know of an embedding model to compare its vectors. */
export interface ComparedModel {
  /** `model` of the embedder. */
  readonly name: string
  /** Cosine of unrelated texts, which counts as 0 in scores. */
  readonly unrelatedCosine: number
  /** Returns the competence of the model in each of the languages, 0 to 1, see `Embedder`. */
  competences(languages: readonly string[]): Promise<Readonly<Record<string, number>>>
}

/** A query as one embedding model compares it. */
export interface ModelQuery {
  readonly model: ComparedModel
  /** Of unit length; null if the query was not embedded. */
  readonly vector: Float32Array | null
  /** How far the vector means something, 0 to 1. */
  readonly competence: number
}

/** Without a measured value 0: the mean cosine of MiniLM over the paragraphs of SQuAD is .03. */
export const comparedModel = (embedder: Pick<Embedder, 'model' | 'competence' | 'unrelatedCosine'>): ComparedModel => ({
  name: embedder.model,
  unrelatedCosine: embedder.unrelatedCosine ?? 0,
  competences: async (languages) => Object.fromEntries(languages.map((language) => [language, embedder.competence(language)])),
})

/**
 * Returns the parts of a search with the competence of each model for the query limited to its competence in the language of the query.
 * Without the limit, a question in a language that a model does not know finds chunks in a language that it knows, or too short to tell
 * their language, before the chunks with its words.
 * @param analyses the analyses of the chunks; the query is in one of their languages
 */
export async function comparedInLanguage<T extends { readonly compared: ModelQuery }>(
  parts: readonly T[],
  query: string,
  analyses: readonly string[],
): Promise<readonly T[]> {
  const languages = [...new Set(analyses.map(languageOf))]
  const likely = likelyLanguages(query, languages)
  if (likely.length === languages.length) return parts
  const limited = new Map(
    await Promise.all(
      [...new Set(parts.map(({ compared }) => compared))].map(async (compared) => {
        if (compared.vector === null) return [compared, compared] as const
        const known = await compared.model.competences(likely)
        const ofQuery = Math.max(...likely.map((language) => known[language] ?? 0))
        return [compared, { ...compared, competence: Math.min(compared.competence, ofQuery) }] as const
      }),
    ),
  )
  return parts.map((part) => ({ ...part, compared: limited.get(part.compared) ?? part.compared }))
}
