import { describe, expect, it } from 'vitest'
import { analysisLanguage, analyze } from './analyze.ts'
import { compoundSplits, withCompoundParts } from './compounds.ts'
import { weightedTerms } from './query-terms.ts'

/** Returns the words that a query for a word has in addition in a knowledge base with these texts. */
function partsIn(language: string, word: string, texts: readonly string[]) {
  const analysis = analysisLanguage(language)
  const chunks = texts.map((text) => new Set(analyze(text, analysis)))
  const query = weightedTerms(word, '', [analysis])
  const { terms, weights } = withCompoundParts(
    query,
    compoundSplits(query.terms),
    ({ term }) => chunks.filter((chunk) => chunk.has(term)).length,
  )
  return terms.slice(query.terms.length).map(({ word: part, group }) => [part, weights[group]])
}

describe('compounds of a query', () => {
  it.each([
    ['de', 'Fahrradversicherung', ['Das Fahrrad', 'Die Versicherungen'], ['fahrrad', 'versicherung']],
    ['de', 'Versicherungsvertrag', ['Eine Versicherung', 'Die Verträge'], ['versicherungs', 'vertrag']],
    ['nl', 'fietsverzekering', ['de fiets', 'een verzekering'], ['fiets', 'verzekering']],
    ['sv', 'cykelförsäkring', ['en cykel', 'försäkringen'], ['cykel', 'försäkring']],
    ['da', 'cykelforsikring', ['en cykel', 'forsikringen'], ['cykel', 'forsikring']],
    ['no', 'sykkelforsikring', ['en sykkel', 'forsikringen'], ['sykkel', 'forsikring']],
  ])('%s: %s has the parts that the knowledge base contains', (language, word, texts, parts) => {
    expect(partsIn(language, word, texts)).toEqual(parts.map((part) => [part, 0.5]))
  })

  it('divides a word only if the knowledge base contains both parts', () => {
    expect(partsIn('de', 'Fahrradversicherung', ['Das Fahrrad'])).toEqual([])
    expect(partsIn('de', 'Fahrradversicherung', [])).toEqual([])
  })

  it('prefers the division into more frequent parts', () => {
    const texts = ['Staub', 'Ecken', 'Staubecken', 'Staub', 'Ecken', 'Stau', 'Becken']
    expect(partsIn('de', 'Staubecken', texts).map(([part]) => part)).toEqual(['staub', 'ecken'])
  })

  it('divides no words of other languages, codes or short words', () => {
    expect(partsIn('en', 'database', ['data', 'base'])).toEqual([])
    expect(partsIn('de', 'ABCD1234EFGH', ['ABCD', '1234EFGH', 'EFGH'])).toEqual([])
    expect(partsIn('de', 'Haustür', ['Haus', 'Tür'])).toEqual([])
  })
})
