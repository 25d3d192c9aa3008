import type { Answer, Check } from './check.ts'
import { endpointsOf, type Document, type Endpoint } from './document.ts'
import type { Pool } from './pool.ts'
import { random, type Random } from './random.ts'
import { curlOf, plan, planUnknown, type PlannedRequest, type Tokens } from './request.ts'

export interface FuzzOptions {
  document: Document
  check: Check
  pool: Pool
  tokens: Tokens
  send: (planned: PlannedRequest) => Promise<Answer>
  requests: number
  seed: number
  /** Concurrent requests. All of a batch are planned before any is sent, so that a seed reproduces them. */
  concurrency: number
  /** Runs before every 1,000 requests, to change state that requests alone cannot. */
  changeState: () => Promise<void>
}

export interface FuzzResult {
  /** Violations, each with the smallest request found that shows it. */
  faults: string[]
  /** Number of responses by `operationId status`. */
  seen: Map<string, number>
}

/** Stops after this many violations. */
const maxFaults = 10

/**
 * Sends requests generated from the document, reuses values of responses in later requests, and checks every response against
 * the document.
 */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const { document, check, pool, tokens, send, requests, seed, concurrency } = options
  const endpoints = endpointsOf(document)
  const context = { document, pool, random: random(seed) }
  const seen = new Map<string, number>()
  const faults = new Map<string, string>()
  for (let sent = 0; sent < requests && faults.size < maxFaults; sent += concurrency) {
    if (sent % 1000 < concurrency) await options.changeState()
    const batch = Array.from({ length: Math.min(concurrency, requests - sent) }, () =>
      context.random.chance(0.02)
        ? planUnknown(endpoints, context, tokens)
        : plan(drawEndpoint(endpoints, context.random), context, tokens),
    )
    const answers = await Promise.all(batch.map((planned) => responseTo(send, planned)))
    for (const [index, planned] of batch.entries()) {
      const answer = answers[index]
      if (answer === undefined) continue
      const name = `${planned.endpoint?.operation.operationId ?? '(not documented)'} ${answer.status}`
      seen.set(name, (seen.get(name) ?? 0) + 1)
      learn(pool, planned, answer)
      const fault = check(answer, planned.endpoint?.operation)
      const kind = `${planned.endpoint?.operation.operationId}: ${fault}`
      if (fault === undefined || faults.has(kind)) continue
      const smallest = await shrink(planned, fault, async (other) => check(await responseTo(send, other), other.endpoint?.operation))
      faults.set(kind, `${kind}\n  ${curlOf(smallest, tokens).slice(0, 3000)}\n  ${answer.body.slice(0, 500)}`)
    }
  }
  return { faults: [...faults.values()], seen }
}

/** Draws an endpoint; deletions rarely, so that records remain. */
function drawEndpoint(endpoints: readonly Endpoint[], draws: Random): Endpoint {
  const endpoint = draws.pick(endpoints)
  return endpoint.method === 'DELETE' && draws.chance(0.7) ? draws.pick(endpoints) : endpoint
}

/** A missing response counts as status 599. */
const responseTo = (send: FuzzOptions['send'], planned: PlannedRequest): Promise<Answer> =>
  send(planned).catch((error: Error) => ({ status: 599, headers: {}, body: error.message }))

function learn(pool: Pool, { endpoint, path, method }: PlannedRequest, { status, headers, body }: Answer): void {
  const id = [...path.matchAll(/([a-z]+)_[0-9a-f-]{36}/g)].at(-1)
  if (id?.[1] !== undefined && (status === 404 || (method === 'DELETE' && status === 204))) pool.drop(id[1], id[0])
  if (typeof headers['etag'] === 'string') pool.add('etag', headers['etag'])
  if (typeof headers['x-next-cursor'] === 'string') pool.add('nextCursor', headers['x-next-cursor'])
  // Logs may name deleted records.
  const log = endpoint?.operation['x-scope'] === 'events:read' || endpoint?.operation['x-scope'] === 'audit:read'
  if (status >= 300 || log || !/^application\/json(?:;|$)/.test(String(headers['content-type']))) return
  const reply: unknown = JSON.parse(body)
  pool.collect(reply)
  if (typeof reply === 'object' && reply !== null && 'uploadUrl' in reply)
    pool.add('uploadId', String(reply.uploadUrl).split('/').at(-1) ?? '')
}

/** Removes headers, parameters and fields as long as the violation stays the same. */
async function shrink(
  planned: PlannedRequest,
  fault: string,
  again: (planned: PlannedRequest) => Promise<string | undefined>,
): Promise<PlannedRequest> {
  let smallest = planned
  for (let left = 60, progress = true; progress && left > 0;) {
    progress = false
    for (const smaller of smallerThan(smallest)) {
      left -= 1
      if (left === 0) break
      if ((await again(smaller)) !== fault) continue
      smallest = smaller
      progress = true
      break
    }
  }
  return smallest
}

function* smallerThan(planned: PlannedRequest): Generator<PlannedRequest> {
  for (const name of Object.keys(planned.headers)) {
    const { [name]: _left, ...headers } = planned.headers
    yield { ...planned, headers }
  }
  for (const index of planned.query.keys()) yield { ...planned, query: planned.query.filter((_each, at) => at !== index) }
  let body: unknown
  try {
    body = JSON.parse(planned.body ?? '')
  } catch {
    return
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return
  for (const name of Object.keys(body)) {
    yield { ...planned, body: JSON.stringify(Object.fromEntries(Object.entries(body).filter(([each]) => each !== name))) }
  }
}

/** Formats the number of responses by operation and status. */
export function tableOf({ seen }: FuzzResult): string {
  const names = [...new Set([...seen.keys()].map((key) => key.slice(0, -4)))].toSorted()
  const statuses = [...new Set([...seen.keys()].map((key) => key.slice(-3)))].toSorted()
  const row = (name: string, cells: readonly string[]): string => [name.padEnd(26), ...cells.map((cell) => cell.padStart(6))].join('')
  return [
    row('', statuses),
    ...names.map((name) =>
      row(
        name,
        statuses.map((status) => String(seen.get(`${name} ${status}`) ?? '.')),
      ),
    ),
  ].join('\n')
}
