import { expect, test } from 'vitest'
import { changedSettings, settingsOf } from './base-settings.ts'
import type { Base } from './records.ts'

const base = {
  name: 'Front desk',
  description: '',
  language: null,
  starred: false,
  ragSettings: {
    chunkingStrategy: 'semantic',
    chunkSize: 512,
    chunkOverlap: 64,
    topK: 10,
    similarityThreshold: 0,
    hybridSearch: true,
    rerank: false,
  },
  retrievalLog: { enabled: true, days: 30 },
} as Base

test('sends no unchanged settings', () => {
  expect(changedSettings(base, settingsOf(base))).toEqual({})
})

test('sends changed settings in the format of the API, with typed numbers as numbers', () => {
  const values = { ...settingsOf(base), name: 'Desk', language: ' de ', chunkSize: '256', topK: '', days: 7 }
  expect(changedSettings(base, values)).toEqual({
    name: 'Desk',
    language: 'de',
    ragSettings: { chunkSize: 256, topK: 0 },
    retrievalLog: { days: 7 },
  })
})
