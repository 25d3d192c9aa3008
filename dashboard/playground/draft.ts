import type { Asked } from './asked.ts'
import { filterOf } from './asked.ts'

export type Choice = 'asSet' | 'on' | 'off'

/** The form values of a search. */
export interface Draft {
  q: string
  bases: string[]
  topK: number | ''
  threshold: number | ''
  hybrid: Choice
  rerank: Choice
  neighbours: number | ''
  perSource: number | ''
  budget: number | ''
  sources: string[]
  filter: string
}

export const draftOf = (asked: Asked): Draft => ({
  q: asked.q ?? '',
  bases: asked.bases ?? [],
  topK: asked.topK ?? '',
  threshold: asked.threshold ?? '',
  hybrid: choiceOf(asked.hybrid),
  rerank: choiceOf(asked.rerank),
  neighbours: asked.neighbours ?? '',
  perSource: asked.perSource ?? '',
  budget: asked.budget ?? '',
  sources: asked.sources ?? [],
  filter: asked.filter === undefined ? '' : JSON.stringify(asked.filter, null, 2),
})

/** Converts the form values to URL parameters. An invalid filter is omitted. */
export function askedFrom(draft: Draft): Record<string, unknown> {
  const { q, bases, sources, hybrid, rerank, filter, ...numbers } = draft
  const typed = filterOf(filter)
  return {
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== '')),
    q: q.trim(),
    bases,
    sources: bases.length === 1 ? sources : [],
    hybrid: flagOf(hybrid),
    rerank: flagOf(rerank),
    filter: 'filter' in typed ? typed.filter : undefined,
  }
}

/** Counts the options that are set. */
export const optionsSet = ({ q: _q, bases: _bases, ...options }: Asked): number => Object.keys(options).length

export const hasOptions = ({ q: _q, bases: _bases, ...options }: Draft): boolean => {
  const { q: __q, bases: __bases, ...none } = draftOf({})
  return JSON.stringify(options) !== JSON.stringify(none)
}

const choiceOf = (flag: boolean | undefined): Choice => (flag === undefined ? 'asSet' : flag ? 'on' : 'off')
const flagOf = (choice: Choice): boolean | undefined => (choice === 'asSet' ? undefined : choice === 'on')
