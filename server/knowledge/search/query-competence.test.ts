import { expect, it } from 'vitest'
import { bundledCompetence } from '../embed/bundled-competence.ts'
import { queryCompetence } from './query-competence.ts'

const bundled = { competence: bundledCompetence }

it.each([
  ['How long is the warranty?', 1],
  ['¿Cuánto dura la garantía? – 3 años', 1],
  ['保修期多长？', 0],
  ['การรับประกันนานเท่าไร', 0],
  ['كم مدة الضمان؟', 0],
  ['Сколько длится гарантия?', 0],
  ['iPhone 保固', 0.75],
  ['1042 …', 1],
  ['', 1],
])('%s', (query, competence) => {
  expect(queryCompetence(query, bundled)).toBeCloseTo(competence, 9)
})

it('is the competence of the best known language of the script', () => {
  expect(queryCompetence('Сколько', { competence: (language) => (language === 'uk' ? 0.5 : 0.2) })).toBe(0.5)
})
