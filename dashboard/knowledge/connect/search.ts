import { oneOf, optionalText } from '../../lib/search-params.ts'

export const integrations = ['rest', 'sdk', 'mcp', 'openai', 'vapi', 'dify'] as const
export type Integration = (typeof integrations)[number]

/** What the URL of the page says. */
export interface ConnectSearch {
  tab?: Integration | undefined
  /** The question of the examples. */
  q?: string | undefined
}

export const connectSearchOf = (search: Record<string, unknown>): ConnectSearch => ({
  tab: oneOf(integrations, search['tab']),
  q: optionalText(search['q'])?.slice(0, 500),
})
