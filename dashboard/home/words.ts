import { counted, type Catalogue } from '../words/words.ts'

const count = counted('en')

const en = {
  attention: {
    title: 'Needs attention',
    some: count({ one: '# thing needs attention', other: '# things need attention' }),
    none: 'Nothing needs attention',
    noneHelp: 'Sources, webhooks, proposals and questions that need somebody are shown here.',
    more: count({ one: '# more', other: '# more' }),
    sources: count({ one: '# source failed', other: '# sources failed' }),
    stillServes: 'earlier content is still searched',
    webhooks: count({ one: '# webhook is not received', other: '# webhooks are not received' }),
    failing: 'Deliveries fail since',
    gone: 'Disabled: the address answered that it is gone',
    givenUp: 'Disabled: nothing but failures for five days',
    expiring: count({ one: '# proposal expires soon', other: '# proposals expire soon' }),
    expires: 'Expires',
    questions: count({ one: '# question without a good answer', other: '# questions without a good answer' }),
    asked: count({ one: 'asked once', other: 'asked # times' }),
    waiting: count({ one: '# proposal waits for an answer', other: '# proposals wait for an answer' }),
    sent: 'Sent',
  },
  searches: {
    title: 'Searches',
    lastDays: (days: number) => `The last ${days} days`,
    none: 'No searches yet. They are shown here, whichever application asks.',
    total: count({ one: '# search', other: '# searches' }),
    unanswered: count({ one: '# without a good answer', other: '# without a good answer' }),
    perDay: 'A day',
    latency: 'Duration',
    answered: 'Answered',
    without: 'Without a good answer',
    median: 'Median',
    slowest: '95 %',
    ms: (ms: string) => `${ms} ms`,
    table: 'Searches by day',
    columns: { day: 'Day', searches: 'Searches', unanswered: 'Without a good answer', p50: 'Median', p95: '95th percentile' },
    chartPerDay: (most: string, day: string) => `Bars of searches a day; most were ${most}, on ${day}`,
    chartLatency: (median: string, slowest: string) =>
      `Lines of how long searches took; on the last day with one half took ${median} at most, and 95 of 100 ${slowest} at most`,
  },
  totals: {
    title: 'What is here',
    bases: count({ one: 'knowledge base', other: 'knowledge bases' }),
    sources: count({ one: 'source', other: 'sources' }),
    processing: count({ one: '# in progress', other: '# in progress' }),
    chunks: count({ one: '# passage', other: '# passages' }),
    contacts: count({ one: 'contact', other: 'contacts' }),
    proposals: count({ one: 'proposal', other: 'proposals' }),
    pending: count({ one: '# pending', other: '# pending' }),
  },
  steps: {
    title: 'First steps',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide first steps',
    done: 'Done',
    base: ['Make a knowledge base', 'It holds what your assistants answer from.'],
    source: ['Add a source', 'A file, a page, a video or a whole site.'],
    ask: ['Ask the playground', 'See which passages a question finds, and why.'],
    token: ['Make an API token', 'Your agents and applications search with it.'],
    invite: ['Invite somebody', 'Work on it together, each with a role.'],
  },
}

export const homeWords: Catalogue<typeof en> = { en }
