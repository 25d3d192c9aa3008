import { expect, it } from 'vitest'
import { bundledCompetence } from '../embed/bundled-competence.ts'
import { languageWarnings } from './language-warnings.ts'

const bundled = { model: 'all-MiniLM-L6-v2', competence: bundledCompetence }

it('names the language that the model does not know, and both ways out', () => {
  expect(languageWarnings(bundled, 'th')).toEqual([
    expect.stringMatching(/all-MiniLM-L6-v2 does not know Thai: .*EMBEDDINGS_DIR.*EMBEDDINGS_URL/),
  ])
})

it('is empty for known and undetected languages', () => {
  expect(['en', 'de', null].flatMap((language) => languageWarnings(bundled, language))).toEqual([])
})
