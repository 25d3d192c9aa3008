import { sourceWarning, type SourceWarning } from '@groundwork/api'
import type { Embedder } from '../embed/embedder.ts'

/** The embedding model, as far as warnings need it. */
export type LanguageModel = Pick<Embedder, 'competence' | 'model'>

/** Returns a warning for users if the embedding model does not know the language of a document. */
export function languageWarnings(embedder: LanguageModel, language: string | null): SourceWarning[] {
  if (language === null || embedder.competence(language) > 0) return []
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(language) ?? language
  return [sourceWarning('unknown_language', { model: embedder.model, language: name })]
}

/** Returns whether a warning is one of `languageWarnings`, of any model. */
export const isLanguageWarning = (warning: string): boolean =>
  /^The embedding model \S.* does not know [^:]+: passages are found by/.test(warning)
