import { pause } from './program.ts'
import type { Client } from './client.ts'

/** An unexpected response: a 5xx, or none (status 0). */
export interface Failure {
  readonly request: string
  readonly status: number
  readonly body: string
}

export interface MixedLoad {
  readonly failures: readonly Failure[]
  /** Number of requests that were sent. */
  readonly answered: number
  /** Sources that were added and not deleted, with their knowledge base. */
  readonly sources: ReadonlyMap<string, string>
  /** Resolves when all documents have been added. */
  readonly added: Promise<void>
  /** Stops the callers after their current request. */
  stop(): Promise<void>
}

const words =
  'engine valve invoice torque harvest lantern meadow ticket anchor pepper river signal copper gravel saddle window basket'.split(' ')
const word = (seed: number): string => words[Math.abs(seed) % words.length] ?? ''

const sentence = (seed: number): string =>
  `The ${word(seed)} of ${word(seed >> 2)} number ${seed} meets the ${word(seed * 7)} near the ${word(seed * 3 + 1)} on day ${seed % 365}.`

/** Returns a document of one or two sections, and of 40 for every fiftieth. The large documents share sections, as real archives do. */
export function documentAt(index: number): string {
  const sections = index % 50 === 0 ? 40 : 1 + (index % 2)
  const section = (at: number): string => {
    const seed = sections > 10 ? 1_000_000 + (at + (index % 7)) * 10 : index * 100 + at * 10
    return `## ${word(seed)} ${seed}\n\n${Array.from({ length: 6 }, (_, line) => sentence(seed + line)).join(' ')}`
  }
  return `# Document ${index}\n\n${Array.from({ length: sections }, (_, at) => section(at)).join('\n\n')}`
}

/** Starts callers that use every part of the program while documents are added. */
export function startMixedLoad(client: Client, { documents }: { documents: number }): MixedLoad {
  const failures: Failure[] = []
  const sources = new Map<string, string>()
  let [answered, serial] = [0, 0]
  const stopping = new AbortController()
  const isStopping = (): boolean => stopping.signal.aborted

  const send = async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<T | undefined> => {
    const response = await fetch(`${client.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${client.token}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => ({ status: 0, text: async () => String(error) }))
    const text = await response.text()
    answered += 1
    if (response.status === 0 || response.status >= 500)
      failures.push({ request: `${method} ${path}`, status: response.status, body: text })
    return response.status < 300 && text.startsWith('{') ? (JSON.parse(text) as T) : undefined
  }
  const key = (): Record<string, string> => ({ 'idempotency-key': `load-${serial++}` })

  const addDocument = async (baseId: string, index: number): Promise<string | undefined> => {
    const text = documentAt(index)
    const upload = await send<{ uploadUrl: string; storageUrl: string }>('POST', '/v1/uploads', {
      fileName: `${index}.md`,
      sizeBytes: Buffer.byteLength(text),
    })
    if (upload === undefined) return undefined
    const put = await fetch(upload.uploadUrl, { method: 'PUT', body: text }).catch((error: unknown) => ({
      status: 0,
      text: async () => String(error),
    }))
    if (put.status === 0 || put.status >= 500) failures.push({ request: 'PUT upload', status: put.status, body: await put.text() })
    const body = { name: `Document ${index}`, type: 'file', storageUrl: upload.storageUrl }
    const source = await send<{ id: string }>('POST', `/v1/bases/${baseId}/sources`, body, key())
    if (source !== undefined) sources.set(source.id, baseId)
    return source?.id
  }

  const base = send<{ id: string }>('POST', '/v1/bases', { name: 'Load' })

  const ingest = async (): Promise<void> => {
    const { id } = (await base) ?? { id: '' }
    let next = 0
    const caller = async (): Promise<void> => {
      while (next < documents && !isStopping()) await addDocument(id, next++)
    }
    await Promise.all([caller(), caller()])
  }

  const search = async (round: number): Promise<void> => {
    const { id } = (await base) ?? { id: '' }
    const query = `Where is ${word(round)} number ${round}?`
    await send('POST', `/v1/bases/${id}/search`, { query, topK: 5 }, round % 5 === 0 ? key() : {})
    await pause(100)
  }

  const contacts = async (round: number): Promise<void> => {
    const made = await send<{ id: string }>('POST', '/v1/contacts', { email: `c${round}@example.com`, firstName: word(round) }, key())
    if (made === undefined) return
    await send('PATCH', `/v1/contacts/${made.id}`, { lastName: word(round + 1) }, round % 2 === 0 ? { 'if-match': '"1"' } : {})
    await send('GET', `/v1/contacts?q=${word(round)}&limit=20`)
    await send('POST', '/v1/proposals', { title: 'Offer', contactId: made.id, totalAmount: '10.00', draft: true })
    if (round % 3 === 0) await send('DELETE', `/v1/contacts/${made.id}`)
    await pause(100)
  }

  /** Creates, fills, searches, re-indexes and empties a knowledge base. */
  const baseLifecycle = async (round: number): Promise<void> => {
    const own = await send<{ id: string }>('POST', '/v1/bases', { name: `Base ${round}` })
    if (own === undefined) return
    const added = []
    for (let at = 0; at < 3; at++) added.push(await addDocument(own.id, round * 50 + at))
    const [first] = added
    if (first !== undefined)
      await until(async () => (await send<{ status: string }>('GET', `/v1/bases/${own.id}/sources/${first}`))?.status !== 'processing')
    await send('POST', `/v1/bases/${own.id}/search`, { query: sentence(round) })
    await send('PATCH', `/v1/bases/${own.id}`, { ragSettings: { chunkSize: 256 } })
    if (first !== undefined) await send('DELETE', `/v1/bases/${own.id}/sources/${first}`)
    await pause(2000)
    await send('DELETE', `/v1/bases/${own.id}`)
    for (const id of added) if (id !== undefined) sources.delete(id)
  }

  const reads = async (round: number): Promise<void> => {
    const { id } = (await base) ?? { id: '' }
    const paths = ['/v1/overview', '/v1/events?limit=100', '/v1/audit?limit=100', `/v1/bases/${id}/sources?limit=100`, `/v1/bases/${id}`]
    await send('GET', paths[round % paths.length] ?? '')
    const token = round % 10 === 0 ? await send<{ id: string }>('POST', '/v1/tokens', { name: 'T', scopes: ['search:read'] }) : undefined
    if (token !== undefined) await send('DELETE', `/v1/tokens/${token.id}`)
    const { status } = await fetch(`${client.url}/readyz`).catch(() => ({ status: 0 }))
    if (status !== 200) failures.push({ request: 'GET /readyz', status, body: '' })
    await pause(200)
  }

  const until = async (condition: () => Promise<boolean>): Promise<void> => {
    while (!isStopping() && !(await condition())) await pause(500)
  }
  const repeat = async (act: (round: number) => Promise<void>): Promise<void> => {
    for (let round = 0; !isStopping(); round++) await act(round)
  }
  const added = ingest()
  const callers = [search, search, contacts, contacts, baseLifecycle, reads].map(repeat)
  return {
    failures,
    sources,
    added,
    get answered() {
      return answered
    },
    async stop() {
      stopping.abort()
      await Promise.all([added, ...callers])
    },
  }
}
