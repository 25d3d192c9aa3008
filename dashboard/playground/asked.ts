import type { SearchFilter } from '@groundwork/api'
import { optionalText } from '../lib/search-params.ts'

/** A question as the address has it, so that it can be shared; what is left out is as the base is set. */
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

/** Reads it from an address: what does not fit is left out. */
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

/** What the API is asked. */
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

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> } & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] }

const withoutUndefined = <T extends object>(given: T): Defined<T> =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>

const between = (least: number, most: number, value: unknown): number | undefined =>
  typeof value === 'number' && value >= least && value <= most ? value : undefined

const flag = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

function texts(value: unknown): string[] | undefined {
  const all = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  return all.length === 0 ? undefined : all
}

/** Whether it is a filter by the contract, the service says. */
const object = (value: unknown): SearchFilter | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined

/** A filter as it is typed. */
export type TypedFilter = { filter: SearchFilter | undefined } | { fault: string }

/** @returns why it is no JSON, as the browser says it, where it is none */
export function filterOf(text: string): TypedFilter {
  if (text.trim() === '') return { filter: undefined }
  try {
    const filter = object(JSON.parse(text))
    return filter === undefined ? { fault: 'not an object' } : { filter }
  } catch (error) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }
}
