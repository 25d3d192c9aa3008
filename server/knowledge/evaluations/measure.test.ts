import { describe, expect, it } from 'vitest'
import { compare, measure } from './measure.ts'

const asked = (questionId: string, rank: number | null, more: object = {}) => ({
  questionId,
  question: `question ${questionId}`,
  expectedSourceIds: ['a'],
  expectedText: null,
  rank,
  ...more,
})

describe('the measures', () => {
  it('are the means over the questions', () => {
    const judged = [
      { rank: 1, recall: 1, degraded: false },
      { rank: 4, recall: 0.5, degraded: true },
      { rank: null, recall: 0, degraded: false },
      { rank: 2, recall: 1, degraded: false },
    ]
    expect(measure(judged)).toEqual({ found: 3, recall: 0.625, mrr: (1 + 1 / 4 + 1 / 2) / 4, degraded: 1 })
  })

  it('are 0 without a question', () => expect(measure([])).toEqual({ found: 0, recall: 0, mrr: 0, degraded: 0 }))
})

describe('a comparison', () => {
  it('classifies each question against the previous run', () => {
    const earlier = [
      asked('up', 5),
      asked('down', 1),
      asked('same', 2),
      asked('never', null),
      asked('lost', 3),
      asked('gained', null),
      asked('gone', 1),
    ]
    const later = [
      asked('up', 2),
      asked('down', 2),
      asked('same', 2),
      asked('never', null),
      asked('lost', null),
      asked('gained', 9),
      asked('added', 1),
    ]
    const { changes, questions } = compare(earlier, later)
    expect(questions).toEqual([
      { previousRank: 5, change: 'better' },
      { previousRank: 1, change: 'worse' },
      { previousRank: 2, change: 'same' },
      { previousRank: null, change: 'same' },
      { previousRank: 3, change: 'worse' },
      { previousRank: null, change: 'better' },
      { previousRank: null, change: 'new' },
    ])
    expect(changes).toEqual({ better: 2, worse: 2, same: 2, new: 1 })
  })

  it('treats a question with other text or other expected sources as new', () => {
    for (const other of [{ question: 'another' }, { expectedSourceIds: ['a', 'b'] }, { expectedText: 'x' }])
      expect(compare([asked('1', 1)], [asked('1', 1, other)]).questions).toEqual([{ previousRank: null, change: 'new' }])
  })
})
