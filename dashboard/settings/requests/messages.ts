import type { Messages } from '../../messages/messages.ts'

const en = {
  about: 'API requests from the last 7 days, without their content. New requests appear after about a second.',
  columns: { request: 'Request', status: 'Status', caller: 'Made by', duration: 'Duration', time: 'Time' },
  token: (name: string | null, hint: string | null) => [name ?? 'Deleted token', hint && `…${hint}`].filter(Boolean).join(' '),
  user: (name: string | null) => name ?? 'A former user',
  ms: (ms: string) => `${ms} ms`,
  filters: 'Filters',
  method: 'Method',
  anyMethod: 'Any method',
  status: 'Status',
  anyStatus: 'Any status',
  statuses: { '2xx': 'Succeeded (2xx)', '3xx': 'Redirected (3xx)', '4xx': 'Client errors (4xx)', '5xx': 'Server errors (5xx)' },
  caller: 'Made by',
  anyCaller: 'Anyone',
  callers: { token: 'All API tokens', user: 'All users' },
  path: 'Path',
  pathPlaceholder: '/v1/contacts',
  requestId: 'Request ID',
  requestIdPlaceholder: 'req_…',
  from: 'From',
  to: 'To',
  reset: 'Clear filters',
  emptyTitle: 'No requests found',
  emptyHelp: 'No requests from the last 7 days match these filters.',
}

export const requestMessages: Messages<typeof en> = { en }
