import type { Client } from '@groundwork/e2e/client'
import { engineName } from '@groundwork/e2e/program'
import { openBundledEmbedder } from '@groundwork/server/knowledge/embed/bundled'
import type { Filling } from '../fill.ts'
import { inParallel, percentile, printTable, withEnds } from '../run.ts'
import { chroma } from './chroma.ts'
import { exactSearch, type RecallOf } from './exact.ts'
import { groundwork } from './groundwork.ts'
import { callers } from './http.ts'
import { lancedb } from './lancedb.ts'
import { asSystem } from './library.ts'
import { orama } from './orama.ts'
import { readPassages } from './passages.ts'
import { pgvector } from './pgvector.ts'
import type { Question, System, Variant } from './peer.ts'
import { usearch } from './usearch.ts'

/** Groundwork caches the embeddings of 500 queries. */
const questionsAsked = 400
/** The systems alternate, so that other load on the machine affects all of them. */
const rounds = 5
const minRoundMs = 2_000
const defaultRecall = 0.97
/** Recall of an exact search, which ties between equal texts can reduce. */
const asMuchAsOurs = 0.999

/**
 * Prints a comparison with other systems: one knowledge base with this many passages, then 50 with a fifth as many each. A
 * system that cannot be installed or started has a row with the reason.
 */
export async function comparePeers(client: Client, filling: Filling, questions: readonly string[], passages: number): Promise<void> {
  const texts = questions.slice(0, questionsAsked)
  const embedder = await openBundledEmbedder({ processes: 2 })
  const vectors = await embedder.embed(texts, 'query')
  await embedder.close()
  for (const [bases, ofEach] of [
    [1, passages],
    [50, passages / 5],
  ] as const) {
    const questionSet = texts.flatMap((text, at) => {
      const vector = vectors[at]
      return vector === undefined ? [] : [{ text, vector, base: at % bases }]
    })
    await withEnds((atEnd) => compare({ client, filling, bases, ofEach, questionSet }, atEnd))
  }
}

interface Comparison {
  readonly client: Client
  readonly filling: Filling
  readonly bases: number
  readonly ofEach: number
  readonly questionSet: readonly Question[]
}

async function compare(
  { client, filling, bases, ofEach, questionSet }: Comparison,
  atEnd: (end: () => Promise<void>) => void,
): Promise<void> {
  const baseIds: string[] = []
  for (let count = 0; count < bases; count++) {
    const { id } = await client.createBase(`peers ${bases} ${count}`)
    await filling.fill(id.slice(-36), ofEach)
    baseIds.push(id)
  }
  const uuids = baseIds.map((id) => id.slice(-36))
  const passages = await readPassages(filling.db, uuids)
  const recallOf = exactSearch(passages, questionSet)
  const systems = [
    groundwork(client, baseIds, passages, false),
    groundwork(client, baseIds, passages, true),
    chroma(passages, bases),
    asSystem(lancedb(bases), passages),
    asSystem(orama(bases), passages),
    asSystem(usearch(bases), passages),
    pgvector(passages, bases),
    { ...pgvector(passages, bases), name: 'pgvector at the same recall', minRecall: asMuchAsOurs },
  ]
  const entrants: Entrant[] = []
  for (const system of systems) {
    const entrant = await fastest(system, questionSet, recallOf)
    if ('variant' in entrant) atEnd(() => entrant.variant.close())
    entrants.push(entrant)
  }
  for (let round = 0; round < rounds; round++) {
    for (const [at, entrant] of entrants.entries()) {
      if (!('variant' in entrant)) continue
      try {
        entrant.rounds.push(await timed(entrant.variant, questionSet))
      } catch (error) {
        entrants[at] = { name: entrant.variant.name, fault: (error as Error).message }
      }
    }
  }
  const ours = entrants[0]
  printTable(
    `Search under a filter, ${passages.ids.length} passages in ${bases} ${bases === 1 ? 'base' : 'bases'}, ${callers} callers, median of ${rounds} rounds, milliseconds, without the embedding of the question (${engineName()})`,
    ['system', 'recall@10', 'queries/s', 'p50', 'p95', 'ours / theirs'],
    entrants.map((entrant) => row(entrant, ours)),
  )
}

interface Round {
  readonly perSecond: number
  readonly times: readonly number[]
}

interface Running {
  readonly variant: Variant
  readonly effort: string
  readonly recall: number
  readonly rounds: Round[]
}

type Entrant = Running | { readonly name: string; readonly fault: string }

/** Returns the fastest variant of a system with sufficient recall, or the one with the highest recall. */
async function fastest(
  { minRecall = defaultRecall, ...system }: System,
  questionSet: readonly Question[],
  recallOf: RecallOf,
): Promise<Entrant> {
  const rank = ({ recall, perSecond }: { recall: number; perSecond: number }): number => (recall >= minRecall ? 1 + perSecond : recall)
  let best: (Running & { perSecond: number }) | undefined
  const faults: string[] = []
  for (const start of system.variants) {
    try {
      const found = await tuned(await start(), minRecall, questionSet, recallOf)
      const { perSecond } = await timed(found.variant, questionSet)
      process.stderr.write(`${found.variant.name}, ${found.effort}: recall ${found.recall.toFixed(3)}, ${perSecond.toFixed(0)}/s\n`)
      const better = best === undefined || rank({ ...found, perSecond }) > rank(best)
      await (better ? best : found)?.variant.close()
      if (better) best = { ...found, perSecond }
    } catch (error) {
      const [fault = ''] = (error as Error).message.split('\n')
      process.stderr.write(`${system.name}: ${fault}\n`)
      faults.push(fault)
    }
  }
  return best ?? { name: system.name, fault: [...new Set(faults)].join('; ') }
}

async function tuned(variant: Variant, minRecall: number, questionSet: readonly Question[], recallOf: RecallOf): Promise<Running> {
  try {
    const { of, values } = variant.efforts
    let recall = 0
    let effort = ''
    for (const [at, value] of values.entries()) {
      await variant.tune(value)
      recall = await recallAt(variant, questionSet, recallOf)
      effort = at === 0 ? 'default' : `${of} ${value}`
      if (recall >= minRecall) break
    }
    return { variant, effort, recall, rounds: [] }
  } catch (error) {
    await variant.close()
    throw error
  }
}

async function recallAt(variant: Variant, questionSet: readonly Question[], recallOf: RecallOf): Promise<number> {
  let sum = 0
  await inParallel(questionSet, callers, async (question) => {
    const places = await variant.ask(question)
    sum += recallOf(question, places())
  })
  return sum / questionSet.length
}

/** Repeats all questions until the round is over. */
async function timed(variant: Variant, questionSet: readonly Question[]): Promise<Round> {
  const times: number[] = []
  const began = performance.now()
  do {
    await inParallel(questionSet, callers, async (question) => {
      const started = performance.now()
      await variant.ask(question)
      times.push(performance.now() - started)
    })
  } while (performance.now() - began < minRoundMs)
  return { perSecond: (times.length / (performance.now() - began)) * 1_000, times }
}

function row(entrant: Entrant, ours: Entrant | undefined): string[] {
  if (!('variant' in entrant)) return [`${entrant.name}: ${entrant.fault}`, '', '', '', '', '']
  const shares = entrant.rounds.map(({ perSecond }, round) => {
    const own = ours !== undefined && 'variant' in ours ? ours.rounds[round]?.perSecond : undefined
    return (own ?? Number.NaN) / perSecond
  })
  const times = entrant.rounds.flatMap((round) => round.times)
  return [
    `${entrant.variant.name} (${entrant.effort})`,
    entrant.variant.hybrid === true ? '' : entrant.recall.toFixed(3),
    percentile(
      entrant.rounds.map(({ perSecond }) => perSecond),
      0.5,
    ).toFixed(0),
    percentile(times, 0.5).toFixed(1),
    percentile(times, 0.95).toFixed(1),
    entrant.variant.hybrid === true ? '' : percentile(shares, 0.5).toFixed(2),
  ]
}
