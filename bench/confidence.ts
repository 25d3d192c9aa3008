import { confidenceOf } from '@groundwork/server/knowledge/index/confidence'
import type { Evidence } from '@groundwork/server/knowledge/index/evidence'
import { weightedTerms } from '@groundwork/server/knowledge/index/query-terms'
import type { RankedChunk } from '@groundwork/server/knowledge/index/rank'
import { calibrated } from '@groundwork/server/knowledge/index/scoring'
import { passageComparer } from '@groundwork/server/knowledge/search/highlights'
import { withSentence } from '@groundwork/server/knowledge/search/order-by-sentences'
import { areaUnderCurve, calibrationError, reliability, removed } from './calibration.ts'
import { indexOf, readSet, search, type EvaluationSet, type Indexed, type Question } from './confidence-sets.ts'
import { fitLogistic, probabilityOf, type Example } from './logistic.ts'
import { percentile, printTable } from './run.ts'

/** Sets with questions about their own documents, and their weight in the fit. */
const answerable = { 'squad-dev-open': 4, 'xquad-en': 1, 'covid-faq': 0.2, 'anthropic-docs': 0.7, cranfield: 0.2 }
/** Sets of further languages, for searches without vectors. */
const otherLanguages = { 'xquad-de': 0.5, 'xquad-es': 0.5, 'xquad-zh': 0.5 }
/** Share of the documents that a knowledge base lacks. */
const withheldShare = 0.2
/** Questions of a set in one knowledge base. */
const maxQuestions = 1500

/** A question to a knowledge base. */
interface Asked {
  readonly set: string
  /** `withheld`: of the same set as the documents; `foreign`: of another set; `small`: to a part of the documents. */
  readonly kind: 'withheld' | 'foreign' | 'small'
  readonly answerable: boolean
  /** Whether the best passage is from a document that answers the question. */
  readonly isFirst: boolean
  readonly evidence: Evidence
}

const weightsOf: Record<string, number> = { ...answerable, ...otherLanguages }
const foreignWeight = 0.15

const counted = new Map<readonly Asked[], Map<string, number>>()
const loaded: EvaluationSet[] = []
for (const name of [...Object.keys(weightsOf), 'banking77']) loaded.push(await readSet(name, !(name in otherLanguages)))
const english = loaded.filter(({ name }) => !(name in otherLanguages))
const withVectors = english.filter(({ name }) => name in answerable).flatMap((set) => ask(set, english, 'hybrid'))
const withoutVectors = loaded.filter(({ name }) => name in weightsOf).flatMap((set) => ask(set, english, 'lexical'))

const shown = ['constant', 'coverage', 'strength', 'missing', 'length', 'gap', 'cosine', 'lead']
for (const [title, all] of [
  ['with vectors', withVectors],
  ['without vectors', withoutVectors],
] as const) {
  const { constant, weights } = fitLogistic(all.map((each) => toExample(each, all)))
  printTable(`Fitted weights of confidence.ts, ${title}`, shown, [[constant, ...weights].map((weight) => weight.toFixed(2))])
  report(`Confidence ${title}`, all, ({ evidence }) => confidenceOf(evidence))
  report(`Confidence ${title}, each set with weights fitted on the others`, all, leaveOneOut(all))
}
const squad = withVectors.filter(({ set, kind }) => set === 'squad-dev-open' && kind === 'withheld')
const bins = reliability(
  squad.map(({ evidence, answerable: isAnswerable }) => ({ confidence: confidenceOf(evidence), answerable: isAnswerable })),
)
printTable(
  'Reliability: SQuAD with one fifth of the paragraphs withheld',
  ['confidence', 'questions', 'mean confidence', 'answerable'],
  bins.map(({ count, meanConfidence, answerable: share }, bin) => [
    `${bin / 10} to ${(bin + 1) / 10}`,
    String(count),
    meanConfidence.toFixed(2),
    `${share.toFixed(2)} ${'#'.repeat(Math.round(share * 20))}`,
  ]),
)

printTable(
  'Scores of the best passage that answers a question, percentiles',
  ['set', 'search', 'questions', '5th', '25th', '50th', '75th', '95th'],
  english.filter(({ name }) => name in answerable).flatMap((set) => scorePercentiles(set)),
)

/** Returns whether a found chunk is from a document that answers the question. */
function isRight({ chunkOf }: Indexed, { documents }: Question, found: RankedChunk): boolean {
  const chunk = chunkOf(found)
  return chunk !== undefined && documents.includes(chunk.documentId)
}

/** Returns the percentiles of the scores of the best right passage among the ten best, for each kind of search. */
function scorePercentiles(set: EvaluationSet): string[][] {
  const indexed = indexOf(set.chunks)
  return (['hybrid', 'vector', 'lexical'] as const).map((kind) => {
    const scores = set.questions.slice(0, maxQuestions).flatMap((question) => {
      const { chunks, calibration, groupWeights } = search(indexed, question, kind)
      const terms = weightedTerms(question.text, '', indexed.index.languages).terms
      const compare = passageComparer({ text: question.text, terms, weights: groupWeights })
      const right = chunks.filter((chunk) => isRight(indexed, question, chunk))
      const scoreOf = (found: RankedChunk): number => {
        const passage = kind === 'vector' ? undefined : indexed.chunkOf(found)
        return calibrated(withSentence(found.score, passage === undefined ? null : compare(passage).sentence), calibration)
      }
      return right.length === 0 ? [] : [Math.max(...right.map(scoreOf))]
    })
    return [set.name, kind, String(scores.length), ...[0.05, 0.25, 0.5, 0.75, 0.95].map((share) => percentile(scores, share).toFixed(2))]
  })
}

/** Asks questions of a set, and of the other sets, without a part of the documents; and of smaller parts of the set. */
function ask(set: EvaluationSet, others: readonly EvaluationSet[], side: 'hybrid' | 'lexical'): Asked[] {
  const next = random(7)
  const ids = [...new Set(set.chunks.map(({ documentId }) => documentId))]
  const usable = set.questions.filter(({ documents }) => documents.length > 0)
  const asked: Asked[] = []
  const askIn = (kind: 'withheld' | 'small', documents: readonly string[], questions: readonly Question[]): void => {
    const withheld = new Set(shuffled(documents, next).slice(0, Math.round(documents.length * withheldShare)))
    // Most questions of some sets have several right documents: withholding some of them leaves the question answerable.
    if (documents.length / usable.length > 0.5)
      for (const { documents: right } of questions.slice(0, questions.length / 5)) right.forEach((id) => withheld.add(id))
    const kept = new Set(documents.filter((id) => !withheld.has(id)))
    const indexed = indexOf(set.chunks.filter(({ documentId }) => kept.has(documentId)))
    const add = (question: Question, more: Pick<Asked, 'kind' | 'answerable'>): void => {
      const { chunks, evidence } = search(indexed, question, side)
      const isFirst = chunks[0] !== undefined && isRight(indexed, question, chunks[0])
      if (evidence !== null) asked.push({ set: set.name, evidence, isFirst, ...more })
    }
    for (const question of questions) {
      const right = question.documents.filter((id) => kept.has(id) || withheld.has(id))
      const left = right.filter((id) => kept.has(id)).length
      if (right.length > 0 && (left === 0 || left >= right.length / 2)) add(question, { kind, answerable: left > 0 })
    }
    const foreign = others.filter(({ name }) => name !== set.name && !(/quad/.test(name) && /quad/.test(set.name)))
    for (const { questions: some } of foreign) {
      for (const question of shuffled(some, next).slice(0, kind === 'small' ? 1 : questions.length / 20))
        add(question, { kind: 'foreign', answerable: false })
    }
  }
  askIn('withheld', ids, shuffled(usable, next).slice(0, maxQuestions))
  for (const size of [4, 12, 40]) {
    for (let part = 0; part < 160 / size && size < ids.length * 0.7; part++) {
      const from = Math.floor(next() * ids.length)
      const documents =
        part % 2 === 0 ? Array.from({ length: size }, (_, at) => ids[(from + at) % ids.length] ?? '') : shuffled(ids, next).slice(0, size)
      const own = usable.filter((question) => question.documents.some((id) => documents.includes(id)))
      askIn('small', documents, shuffled(own, next).slice(0, 3 * size))
    }
  }
  return asked
}

function featuresOf({ coverage, strength, missing, length, gap, vector }: Evidence): number[] {
  return [coverage, strength, missing, length, gap, ...(vector === null ? [] : [vector.cosine, vector.lead])]
}

/** Sets and kinds of questions have fixed weights, however many questions they have. */
function toExample({ set, kind, evidence, answerable: isAnswerable }: Asked, all: readonly Asked[]): Example {
  const alike = countsOf(all).get(`${set} ${kind}`) ?? 1
  const weight = ((weightsOf[set] ?? 1) * (kind === 'foreign' ? foreignWeight : 1)) / alike
  return { features: featuresOf(evidence), answerable: isAnswerable, weight }
}

function countsOf(all: readonly Asked[]): Map<string, number> {
  const known = counted.get(all)
  if (known !== undefined) return known
  const counts = new Map<string, number>()
  for (const { set, kind } of all) counts.set(`${set} ${kind}`, (counts.get(`${set} ${kind}`) ?? 0) + 1)
  counted.set(all, counts)
  return counts
}

/** Returns the confidence by weights that were fitted without the set; SQuAD and XQuAD have paragraphs in common. */
function leaveOneOut(all: readonly Asked[]): (asked: Asked) => number {
  const family = (set: string): string => (/quad/.test(set) ? 'quad' : set)
  const models = new Map(
    [...new Set(all.map(({ set }) => family(set)))].map((left) => {
      const rest = all.filter(({ set }) => family(set) !== left)
      return [left, rest.length === 0 ? undefined : fitLogistic(rest.map((each) => toExample(each, rest)))] as const
    }),
  )
  return ({ set, evidence }) => {
    const model = models.get(family(set))
    return model === undefined ? Number.NaN : probabilityOf(model, featuresOf(evidence))
  }
}

function report(title: string, all: readonly Asked[], confidence: (asked: Asked) => number): void {
  const judged = all.map((asked) => ({ ...asked, confidence: confidence(asked) }))
  const rows = [...new Set(all.map(({ set }) => set))].flatMap((set) =>
    (['withheld', 'small', 'foreign'] as const).map((kind) => {
      const of = judged.filter(
        (each) => each.set === set && (each.kind === kind || (kind === 'foreign' && each.kind === 'withheld' && each.answerable)),
      )
      const found = of.filter(({ isFirst }) => isFirst)
      const numbers = [areaUnderCurve(of), calibrationError(of), removed(of, true), removed(found, true), removed(of, false)]
      return [set, kind, String(of.length), ...numbers.map((value) => value.toFixed(3))]
    }),
  )
  const columns = [
    'set',
    'questions',
    'count',
    'AUC',
    'calibration error',
    'answerable below .5',
    'right passage first, below .5',
    'unanswerable below .5',
  ]
  printTable(title, columns, rows)
}

function random(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

function shuffled<T>(items: readonly T[], next: () => number): T[] {
  return items
    .map((item) => ({ item, key: next() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item)
}
