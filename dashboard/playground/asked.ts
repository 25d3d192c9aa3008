import type { SearchFilter } from '@groundwork/api'
import { optionalText } from '../lib/search-params.ts'

/** A search in the page URL, so that users can send links to it. Missing options use the settings of the knowledge base. */
export interface Asked {
  q?: string
  bases?: string[]
  topK?: number
  threshold?: number
  hybrid?: boolean
  rerank?: boolean
  neighbours?: number
  perSource?: number
  sources?: string[]
  budget?: number
  filter?: SearchFilter
}

/** Reads a search from the URL parameters. Ignores invalid values. */
export function askedOf(search: Record<string, unknown>): Asked {
  return withoutUndefined({
    q: optionalText(search['q']),
    bases: texts(search['bases']),
    topK: between(1, 100, search['topK']),
    threshold: between(0, 1, search['threshold']),
    hybrid: flag(search['hybrid']),
    rerank: flag(search['rerank']),
    neighbours: between(0, 3, search['neighbours']),
    perSource: between(1, 100, search['perSource']),
    sources: texts(search['sources']),
    budget: between(1, 10_000, search['budget']),
    filter: object(search['filter']),
  })
}

/** Returns the request body of a search. */
export const bodyOf = ({ q = '', topK, threshold, hybrid, rerank, neighbours, perSource, sources, budget, filter }: Asked) =>
  withoutUndefined({
    query: q,
    topK,
    similarityThreshold: threshold,
    hybridSearch: hybrid,
    rerank,
    neighbours,
    perSourceLimit: perSource,
    sourceIds: sources,
    latencyBudgetMs: budget,
    filter,
  })
export type AskedBody = ReturnType<typeof bodyOf>

/** Returns the request body of an answer from the passages of a search. */
export const answerBodyOf = ({ q = '', topK, threshold, hybrid, rerank, sources, filter }: Asked) =>
  withoutUndefined({
    query: q,
    topK: topK === undefined ? undefined : Math.min(topK, maxRead),
    similarityThreshold: threshold,
    hybridSearch: hybrid,
    rerank,
    sourceIds: sources,
    filter,
  })
/** Maximum number of passages that a chat model reads. */
const maxRead = 20

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> } & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }

const withoutUndefined = <T extends object>(values: T): Defined<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<T>

const between = (min: number, max: number, value: unknown): number | undefined =>
  typeof value === 'number' && value >= min && value <= max ? value : undefined

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

function texts(value: unknown): string[] | undefined {
  const found = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
  return found.length === 0 ? undefined : found
}

/** Checks only that the value is an object. The API validates the filter. */
const object = (value: unknown): SearchFilter | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined

/** The result of parsing a typed filter. */
export type TypedFilter = { filter: SearchFilter | undefined } | { error: 'filterNoJson' | 'filterNoObject' }

/** Parses a typed filter. `error` is the name of a message. */
export function filterOf(text: string): TypedFilter {
  if (text.trim() === '') return { filter: undefined }
  try {
    const filter = object(JSON.parse(text))
    return filter === undefined ? { error: 'filterNoObject' } : { filter }
  } catch {
    return { error: 'filterNoJson' }
  }
}
