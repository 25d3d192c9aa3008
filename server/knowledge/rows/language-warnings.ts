import type { Embedder } from '../embed/embedder.ts'

/** The embedding model, as far as warnings need it. */
export type LanguageModel = Pick<Embedder, 'competence' | 'model'>

/** Returns a warning for users if the embedding model does not know the language of a document. */
export function languageWarnings(embedder: LanguageModel, language: string | null): string[] {
  if (language === null || embedder.competence(language) > 0) return []
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  return [
    `The embedding model ${embedder.model} does not know ${name}: passages are found by their terms only. Set EMBEDDINGS_DIR to a folder with a multilingual model, or EMBEDDINGS_URL to an endpoint with one.`,
  ]
}
