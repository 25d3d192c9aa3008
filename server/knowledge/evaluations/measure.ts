import type { Expectation, Judged } from './judge.ts'

export interface Measures {
  /** Number of questions with a right passage in the top k. */
  readonly found: number
  /** Mean recall at k, 0 to 1; 0 without questions. */
  readonly recall: number
  /** Mean reciprocal rank of the first right passage, 0 to 1; 0 without questions. */
  readonly mrr: number
  /** Number of degraded searches. */
  readonly degraded: number
}

export function measure(judged: readonly Pick<Judged, 'rank' | 'recall' | 'degraded'>[]): Measures {
  const mean = (values: readonly number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    found: judged.filter(({ rank }) => rank !== null).length,
    recall: mean(judged.map(({ recall }) => recall)),
    mrr: mean(judged.map(({ rank }) => (rank === null ? 0 : 1 / rank))),
    degraded: judged.filter(({ degraded }) => degraded).length,
  }
}

export type ChangeOfRank = 'better' | 'worse' | 'same' | 'new'

type Ranked = Expectation & Pick<Judged, 'rank'>

export interface Comparison {
  readonly changes: Readonly<Record<ChangeOfRank, number>>
  /** One entry for each question of the later run, in its order. */
  readonly questions: readonly { readonly previousRank: number | null; readonly change: ChangeOfRank }[]
}

/** Compares each question of a run with an earlier run; a question with another text or expectation is new. */
export function compare(earlier: readonly Ranked[], later: readonly Ranked[]): Comparison {
  const before = new Map(earlier.map((each) => [identity(each), each.rank]))
  const questions = later.map((each) => {
    const previousRank = before.get(identity(each))
    return { previousRank: previousRank ?? null, change: previousRank === undefined ? 'new' : changeOf(previousRank, each.rank) }
  }) satisfies Comparison['questions']
  const changes = { better: 0, worse: 0, same: 0, new: 0 }
  for (const { change } of questions) changes[change] += 1
  return { changes, questions }
}

const identity = ({ questionId, question, expectedSourceIds, expectedText }: Expectation): string =>
  JSON.stringify([questionId, question, expectedSourceIds, expectedText])

function changeOf(before: number | null, after: number | null): ChangeOfRank {
  const [from, to] = [before ?? Number.POSITIVE_INFINITY, after ?? Number.POSITIVE_INFINITY]
  if (from === to) return 'same'
  return to < from ? 'better' : 'worse'
}
