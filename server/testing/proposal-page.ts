import type { FastifyInstance } from 'fastify'
import type { Caller } from './app.ts'

/** The user agent of a person's browser. */
export const browserAgent =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

export interface PageAnswer {
  readonly status: number
  readonly html: string
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
}

export interface PageClient {
  readonly get: (url: string, headers?: Record<string, string>, method?: 'GET' | 'HEAD') => Promise<PageAnswer>
  readonly post: (url: string, action: string, form?: Record<string, string>, headers?: Record<string, string>) => Promise<PageAnswer>
  /** Accepts with a typed name. */
  readonly accept: (proposal: Sent, changes?: Record<string, string>) => Promise<PageAnswer>
  readonly decline: (proposal: Sent, changes?: Record<string, string>) => Promise<PageAnswer>
}

export interface Sent {
  readonly id: string
  readonly url: string
  readonly contentHash: string
}

/** Returns a browser for the pages of proposals. */
export function pageClient(app: FastifyInstance): PageClient {
  const pathOf = (url: string): string => new URL(url, 'http://groundwork.test').pathname
  const answerOf = ({ statusCode: status, body, headers }: Awaited<ReturnType<typeof app.inject>>): PageAnswer => ({
    status,
    html: body,
    headers,
  })
  const post: PageClient['post'] = async (url, action, form = {}, headers = {}) =>
    answerOf(
      await app.inject({
        method: 'POST',
        url: `${pathOf(url)}/${action}`,
        payload: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': browserAgent, ...headers },
      }),
    )
  return {
    get: async (url, headers = {}, method = 'GET') =>
      answerOf(
        await app.inject({
          method,
          url: pathOf(url) + new URL(url, 'http://groundwork.test').search,
          headers: { 'user-agent': browserAgent, ...headers },
        }),
      ),
    post,
    accept: ({ url, contentHash }, changes) =>
      post(url, 'accept', { name: 'Ada Lovelace', method: 'typed', consent: 'yes', contentHash, ...changes }),
    decline: ({ url, contentHash }, changes) => post(url, 'decline', { contentHash, reason: '', ...changes }),
  }
}

/** Creates and sends a proposal to a new contact. */
export const sendProposalTo = (caller: Caller, fields?: object): Promise<Sent> => proposeTo(caller, fields)

/** Creates a proposal to a new contact. Returns the body of the response. */
export async function proposeTo({ call }: Caller, fields: object = {}) {
  const { body: contact } = await call('POST', '/v1/contacts', { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' })
  const offer = { title: 'Website', contactId: contact.id, totalAmount: '1200.00', currency: 'EUR', ...fields }
  return (await call('POST', '/v1/proposals', offer)).body
}
