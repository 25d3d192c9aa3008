import { oneOf, optionalDay, optionalId, optionalText } from '../../lib/search-params.ts'
import { startOfDay } from '../../lib/days.ts'

export const statusFilters = ['2xx', '3xx', '4xx', '5xx'] as const
export const requestMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export const callers = ['token', 'user'] as const

/** The filter in the URL. Days are in the time zone of the browser. */
export interface RequestFilter {
  method?: (typeof requestMethods)[number] | undefined
  status?: string | undefined
  caller?: (typeof callers)[number] | undefined
  token?: string | undefined
  path?: string | undefined
  requestId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

export function requestFilterOf(search: Record<string, unknown>): RequestFilter {
  const status = optionalText(search['status'])
  const path = optionalText(search['path'])
  return {
    method: oneOf(requestMethods, search['method']),
    status: status !== undefined && /^[1-5](?:\d\d|xx)$/.test(status) ? status : undefined,
    caller: oneOf(callers, search['caller']),
    token: optionalId(search['token'], 'tok'),
    path: path?.startsWith('/') === true ? path : undefined,
    requestId: optionalId(search['requestId'], 'req'),
    from: optionalDay(search['from']),
    to: optionalDay(search['to']),
  }
}

/** Converts the filter to query parameters of the API. */
export const requestQueryOf = ({ method, status, caller, token, path, requestId, from, to }: RequestFilter) => ({
  ...(method !== undefined && { method }),
  ...(status !== undefined && { status }),
  ...(caller !== undefined && { actorType: caller }),
  ...(token !== undefined && { tokenId: token }),
  ...(path !== undefined && { path }),
  ...(requestId !== undefined && { requestId }),
  ...(from !== undefined && { since: startOfDay(from, 0) }),
  ...(to !== undefined && { until: startOfDay(to, 1) }),
})
