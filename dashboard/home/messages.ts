import { counted, type Messages } from '../messages/messages.ts'

const count = counted('en')

const en = {
  attention: {
    title: 'Needs attention',
    some: count({ one: '# item needs attention', other: '# items need attention' }),
    none: 'Nothing needs attention',
    noneHelp: 'Failed sources, failing webhooks, open proposals and unanswered questions appear here.',
    more: count({ one: '# more', other: '# more' }),
    sources: count({ one: '# source failed', other: '# sources failed' }),
    previousContentServes: 'searches use the previous content',
    webhooks: count({ one: '# failing webhook endpoint', other: '# failing webhook endpoints' }),
    firstFailure: 'First failure:',
    gone: 'Disabled: the endpoint responded with 410 Gone',
    givenUp: 'Disabled after 5 days of failures',
    expiring: count({ one: '# proposal expires soon', other: '# proposals expire soon' }),
    expires: 'Expires',
    questions: count({ one: '# unanswered question', other: '# unanswered questions' }),
    asked: count({ one: 'asked once', other: 'asked # times' }),
    waiting: count({ one: '# proposal awaiting a response', other: '# proposals awaiting a response' }),
    countersign: count({ one: '# proposal to countersign', other: '# proposals to countersign' }),
    undelivered: count({ one: '# proposal not delivered by email', other: '# proposals not delivered by email' }),
    sent: 'Sent',
  },
  searches: {
    title: 'Searches',
    lastDays: (days: number) => `Last ${days} days`,
    none: 'No searches yet. Searches from all your applications appear here.',
    total: count({ one: '# search', other: '# searches' }),
    unansweredCount: count({ one: '# unanswered', other: '# unanswered' }),
    perDay: 'Per day',
    duration: 'Duration',
    answered: 'Answered',
    unanswered: 'Unanswered',
    median: 'Median',
    p95: 'p95',
    ms: (ms: string) => `${ms} ms`,
    table: 'Searches by day',
    columns: { day: 'Day', searches: 'Searches', unanswered: 'Unanswered', p50: 'Median', p95: '95th percentile' },
    chartPerDay: (max: string, day: string) => `Bar chart of searches per day. The maximum is ${max}, on ${day}.`,
    chartDuration: (median: string, p95: string) =>
      `Line chart of search durations. On the last day with searches, the median was ${median} and the 95th percentile was ${p95}.`,
  },
  totals: {
    title: 'Totals',
    bases: count({ one: 'knowledge base', other: 'knowledge bases' }),
    sources: count({ one: 'source', other: 'sources' }),
    processing: count({ one: '# processing', other: '# processing' }),
    chunks: count({ one: '# chunk', other: '# chunks' }),
    contacts: count({ one: 'contact', other: 'contacts' }),
    proposals: count({ one: 'proposal', other: 'proposals' }),
    pending: count({ one: '# pending', other: '# pending' }),
  },
  steps: {
    title: 'Get started',
    progress: (done: number, all: number) => `${done} of ${all} done`,
    hide: 'Hide these steps',
    done: 'Done',
    base: ['Create a knowledge base', 'It stores the content that your assistants search.'],
    source: ['Add a source', 'Upload a file, or add a web page, a website or a video.'],
    ask: ['Ask a question in the playground', 'See which passages are found, and why.'],
    token: ['Create an API token', 'It connects your agents and applications.'],
    invite: ['Invite a member', 'Work together, with a role for each member.'],
  },
}

export const homeMessages: Messages<typeof en> = { en }
